import { z } from 'zod';
import { fields } from './reading/fields';
import { defineKind } from './reading/kind';
import { BOTH_GROUPS, type ResourceOf } from './resource';
import { requiredLabels } from './shared/selector';

const entry = fields({
  weight: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(1)
    .describe('The share of requests, relative to other entries. Default: 1.'),
  selector: requiredLabels.describe(
    'The endpoints of this entry. An endpoint belongs to the first entry that selects it.',
  ),
});

const spec = fields({
  endpoints: z.array(entry).min(1).max(256).describe('Where requests go, by weight.'),
});

/** One address for a model, over endpoints that serve it. */
export const modelService = defineKind({
  kind: 'ModelService',
  scope: 'Namespaced',
  groups: BOTH_GROUPS,
  description: 'One address for a model, over endpoints that serve it.',
  spec,
});

/** One address for a model. */
export type ModelService = ResourceOf<'ModelService', z.output<typeof spec>>;

/** The spec of a ModelService as it is written: what has a default may be left out. */
export type ModelServiceInput = z.input<typeof spec>;
