import { z } from 'zod';
import { CLUSTER_SOURCES } from './cluster-source';
import { fields, withDefault } from './schema/fields';
import { labelMap } from './schema/label-map';
import { namedList } from './schema/list';
import { integer } from './schema/quantity';
import { requireExactlyOne } from './schema/rules';
import { nonEmptyText } from './schema/string-formats';

const matchLabels = labelMap()
  .default({})
  .describe('The labels of the deployments that the rule applies to. Default: all deployments.');
const namespace = nonEmptyText(63)
  .optional()
  .describe('The namespace that the rule applies to. Default: the whole fleet.');

const LIMIT_FIELDS = {
  allowedRegions: fields({
    regions: z.array(nonEmptyText(63)).min(1).describe('The regions that replicas may run in.'),
    matchLabels,
  })
    .optional()
    .describe('The regions that replicas may run in. A cluster without a region is in none.'),
  budget: fields({
    namespace,
    perMonth: z.number().min(0).describe('The highest cost for a month of 730 hours, in the currency of the fleet.'),
  })
    .optional()
    .describe('The highest cost: of the fleet with all nodes that autoscalers may add, or of what a namespace uses.'),
  noPublicGateway: z.literal(true).optional().describe('true: gateways must not be public.'),
  pinnedImages: z.literal(true).optional().describe('true: images must have a digest.'),
  failureDomains: fields({
    spreadBy: nonEmptyText(316).describe(
      "cluster, region, provider, a name of the Fleet's domains, or a cluster label key.",
    ),
    least: integer(1, 1000).describe('The fewest domains that replicas of a deployment must be in.'),
    matchLabels,
  })
    .optional()
    .describe('The fewest failure domains for each deployment with replicas.'),
  deviceQuota: fields({
    namespace,
    deviceClass: withDefault(nonEmptyText(253), 'gpu.nvidia.com', 'A device class, or an extended resource.'),
    most: z.int().min(0).describe('The most devices for replicas, without those for rollouts.'),
  })
    .optional()
    .describe('The most devices for replicas.'),
  moves: fields({
    most: z
      .int()
      .min(0)
      .describe('The most replicas that move, or are rolled in place with a new shape, in one change.'),
  })
    .optional()
    .describe('The most that one change may move.'),
  forbiddenProviders: z
    .array(z.enum(CLUSTER_SOURCES))
    .min(1)
    .optional()
    .describe('Providers that clusters must not be on.'),
};

const shape = fields({
  name: nonEmptyText(63).describe('The name of the rule in messages.'),
  effect: withDefault(z.enum(['Deny', 'Warn']), 'Deny', 'Deny: plan and lock exit with 4, and lock writes nothing.'),
  ...LIMIT_FIELDS,
});

/**
 * Checks that a policy rule sets exactly one limit. It runs only if all fields are known, so that a typo gives a single
 * finding.
 */
export const hasOneLimit = requireExactlyOne('the rule', Object.keys(LIMIT_FIELDS));

/** A rule that a plan must meet. */
export type PolicyRule = z.output<typeof shape>;

/** The limits of a policy rule, by field. */
export type PolicyLimits = Pick<PolicyRule, keyof typeof LIMIT_FIELDS>;

/** The schema of the file that `Fleet.spec.policies` names. */
export const policyFile = fields({
  rules: namedList(shape, { max: 1000 }).describe('The rules; each checks one thing.'),
}).describe('Rules that a plan must meet before it is accepted.');
