import { z } from 'zod';
import { devices } from './device';
import { quantity } from './shared/quantity';
import { provisioning } from './provisioning';
import { fields } from './reading/fields';
import { defineKind } from './reading/kind';
import { BOTH_GROUPS, type ResourceOf } from './resource';

const spec = fields({
  description: z.string().optional().describe('For people.'),
  provisioning: provisioning
    .optional()
    .describe('How to make a node of this class. None: nodes exist already.'),
  devices,
  node: fields({
    allocatable: fields({
      cpu: quantity(32).describe('CPU that pods can have: 190, or 3920m.'),
      memory: quantity(32).describe('Memory that pods can have: 1900Gi.'),
    })
      .partial()
      .default({})
      .describe('What a node gives to pods, after what the system keeps. Not stated: not counted.'),
  })
    .prefault({})
    .describe('The node itself.'),
  price: fields({
    perHour: z.number().min(0).describe('What a node costs an hour, in the currency of the fleet.'),
  })
    .optional()
    .describe('For the policy Cheapest. Not stated: unknown, and tried last.'),
});

/** The hardware of one node: its devices as their driver publishes them, and how a cloud makes it. */
export const inferenceClass = defineKind({
  kind: 'InferenceClass',
  scope: 'Cluster',
  groups: BOTH_GROUPS,
  description:
    'The hardware of one node: its devices as their driver publishes them, and how a cloud makes it.',
  spec,
});

/** The hardware of one node. */
export type InferenceClass = ResourceOf<'InferenceClass', z.output<typeof spec>>;

/** The spec of a InferenceClass as it is written: what has a default may be left out. */
export type InferenceClassInput = z.input<typeof spec>;
