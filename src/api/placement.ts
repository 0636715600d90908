import { z } from 'zod';
import { errorAt } from '../base/diagnostic';
import { fields, withDefault } from './schema/fields';
import { requiredLabels } from './schema/label-selector';
import { integer } from './schema/quantity';
import { rules, type SchemaRule } from './schema/rules';
import { nonEmptyText } from './schema/string-formats';
import { IN_PLACEMENT } from './kubernetes-spellings';

/** The policies that rank clusters for a new replica. */
const PLACEMENT_POLICIES = ['Spread', 'Pack', 'Cheapest', 'Preferred'] as const;

export type PlacementPolicy = (typeof PLACEMENT_POLICIES)[number];

const declared = fields(
  {
    policy: withDefault(
      z.enum(PLACEMENT_POLICIES),
      'Spread',
      'Spread: the cluster with the fewest replicas of this deployment. Pack: the fullest. Cheapest: the lowest price. Preferred: the first of a list.',
    ),
    preferred: z
      .array(requiredLabels)
      .max(16)
      .default([])
      .describe('For policy Preferred: cluster selectors, in order of preference.'),
    spreadBy: nonEmptyText(316)
      .optional()
      .describe(
        "The failure domain to spread over: cluster, region, provider, a name of the Fleet's domains, or a cluster label key.",
      ),
    minDomains: integer(1, 1000)
      .optional()
      .describe('The fewest failure domains, such as clusters with `spreadBy: cluster`, that replicas must be in.'),
    maxPerDomain: integer(1, 1000).optional().describe('The most replicas in one failure domain.'),
    maxPerCluster: integer(1, 1000).optional().describe('The most replicas on one cluster.'),
  },
  IN_PLACEMENT,
);

/** The placement of replicas among the clusters that can run them. */
export type PlacementSpec = z.output<typeof declared>;

const preferredForPolicy: SchemaRule<PlacementSpec> = function* ({ policy, preferred }) {
  if ((policy === 'Preferred') === preferred.length > 0) return;
  yield errorAt(
    'bad-placement',
    ['preferred'],
    policy === 'Preferred'
      ? 'the policy Preferred needs a list of preferred clusters'
      : `the policy ${policy} ignores preferred clusters`,
    policy === 'Preferred'
      ? 'List cluster selectors at preferred, in order of preference'
      : "Remove the list, or set 'policy: Preferred'",
  );
};

const domainsNeedKey: SchemaRule<PlacementSpec> = function* (placement) {
  if (placement.spreadBy !== undefined) return;
  for (const field of ['minDomains', 'maxPerDomain'] as const) {
    if (placement[field] === undefined) continue;
    const hint = "Set 'spreadBy: cluster', or name a cluster label or one of the Fleet's domains there";
    yield errorAt('bad-placement', [field], `'${field}' needs failure domains, and spreadBy names none`, hint);
  }
};

export const placement = declared.check(rules(preferredForPolicy, domainsNeedKey));
