import { z } from 'zod';
import { fields } from './schema/fields';
import { nonEmptyText } from './schema/string-formats';

const perMonth = z.number().min(0).describe('The known cost of a month of 730 hours, with the most nodes and copies.');
const unknown = z.int().min(0).describe('The number of parts of the cost without a price.');
const namespace = nonEmptyText(63).describe('The namespace.');

/**
 * The schema of a summary of one part of a split fleet: what the limits of the whole fleet count of it.
 * `fleetwright plan --summary` writes it.
 */
export const partSummaryFile = fields({
  kind: z.literal('PartSummary').describe('PartSummary.'),
  version: z.literal(1).describe('The version of the format.'),
  part: nonEmptyText(253).describe('The name of the Fleet of the part.'),
  clusters: z.array(nonEmptyText(253)).describe('The names of its clusters.'),
  replicas: z.int().min(0).describe('The number of its replicas that have a place.'),
  currency: nonEmptyText(3).describe('The currency of the costs.'),
  perMonth,
  unknown,
  namespaces: z.array(fields({ namespace, perMonth, unknown })).describe('What its namespaces cost.'),
  devices: z
    .array(
      fields({
        namespace,
        deviceClass: nonEmptyText(253).describe('The device class or extended resource.'),
        count: z.int().min(0).describe('The devices that replicas use, without those for rollouts.'),
      }),
    )
    .describe('The devices that its replicas use.'),
}).describe('What one part of a split fleet uses.');

/** A summary of one part of a split fleet. */
export type PartSummaryFile = z.output<typeof partSummaryFile>;
