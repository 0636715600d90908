import { z } from 'zod';
import { errorAt } from '../base/diagnostic';
import { fields } from './schema/fields';
import { labelKey } from './schema/label-map';
import { rules, type SchemaRule } from './schema/rules';

/** The label of a single node, below which there is no level. */
const HOSTNAME = 'kubernetes.io/hostname';

/** The most levels of a Topology of KAI (kai.scheduler/v1alpha1). */
const MOST_LEVELS = 16;

interface Declared {
  readonly levels: readonly string[];
  readonly required?: string | undefined;
  readonly preferred?: string | undefined;
}

const distinctLevels: SchemaRule<Declared> = function* ({ levels }) {
  for (const [index, level] of levels.entries()) {
    if (levels.indexOf(level) !== index) {
      yield errorAt('duplicate-name', ['levels', index], `'${level}' is a level already`, 'Remove one');
    } else if (level === HOSTNAME && index !== levels.length - 1) {
      const hint = 'List levels from the widest to the narrowest: move it to the end';
      yield errorAt('contradiction', ['levels', index], 'no level is narrower than a node', hint);
    }
  }
};

const placementsAreLevels: SchemaRule<Declared> = function* ({ levels, required, preferred }) {
  for (const [field, level] of Object.entries({ required, preferred })) {
    if (level === undefined || levels.includes(level)) continue;
    yield errorAt('contradiction', [field], `'${level}' is not a level`, 'Use a label that levels lists');
  }
  if (required === undefined || preferred === undefined) return;
  if (levels.includes(preferred) && levels.indexOf(preferred) < levels.indexOf(required)) {
    const what = `gangs stay within one '${required}' already, which is narrower`;
    yield errorAt('contradiction', ['preferred'], what, 'Remove it, or use a level after that of required');
  }
};

/** Checks that what schedules the pods of a cluster knows the levels of its pools. */
export const topologiesFitScheduler: SchemaRule<{
  readonly scheduler?: { readonly type: string } | undefined;
  readonly nodePools: readonly { readonly topology?: Declared | undefined }[];
}> = function* ({ scheduler, nodePools }) {
  const type = scheduler?.type ?? 'Default';
  if (type === 'KAI') return;
  for (const [index, { topology }] of nodePools.entries()) {
    if (!topology) continue;
    const what = `only KAI keeps gangs within levels, and spec.scheduler.type is ${type}`;
    yield errorAt('contradiction', ['nodePools', index, 'topology'], what, "Remove it, or set 'type: KAI' there");
  }
};

/** The schema of how the nodes of a pool are connected, by labels of the nodes. */
export const poolTopology = fields({
  levels: z
    .array(labelKey)
    .min(1)
    .max(MOST_LEVELS)
    .describe(
      'Labels of its nodes, the widest domain first: [example.com/block, example.com/rack, kubernetes.io/hostname]. Every node has all of them.',
    ),
  required: labelKey
    .optional()
    .describe(
      'The level of which one domain has all pods of a gang. A gang waits until a domain has room, and the plan does not count domains. Default: - none.',
    ),
  preferred: labelKey
    .optional()
    .describe('The narrowest level of which one domain should have all pods of a gang. Default: - the last of levels.'),
}).check(rules(distinctLevels, placementsAreLevels));
