import { z } from 'zod';
import { errorAt } from '../base/diagnostic';
import { allowKeyword, fields, withDefault } from './schema/fields';
import { integer } from './schema/quantity';
import { rules, type SchemaRule } from './schema/rules';
import { IN_ROLLOUT } from './kubernetes-spellings';

const declared = fields(
  {
    strategy: withDefault(
      z.enum(['Rolling', 'Recreate']),
      'Rolling',
      'Rolling: replaces one pod, or group, of an engine after the other. Recreate: stops all, then starts the new ones.',
    ),
    surge: withDefault(
      integer(0, 1),
      0,
      'Pods, or groups, of each engine that are created before an old one is removed. The plan reserves devices for them.',
    ),
    parallel: withDefault(
      integer(1, 1000),
      1,
      'Replicas that are replaced at the same time, if the tool that applies the manifests waits.',
    ),
  },
  IN_ROLLOUT,
);

export type Rollout = z.output<typeof declared>;

/** Checks that the strategy `Recreate`, which replaces all pods at once, sets neither `surge` nor `parallel`. */
const plainRecreate: SchemaRule<Rollout> = function* ({ strategy, surge, parallel }) {
  if (strategy !== 'Recreate') return;
  for (const [field, value, defaultValue] of [
    ['surge', surge, 0],
    ['parallel', parallel, 1],
  ] as const) {
    if (value === defaultValue) continue;
    const what = `strategy Recreate has no field '${field}': it replaces all pods at once`;
    yield errorAt('contradiction', [field], what, "Remove it, or set 'strategy: Rolling'");
  }
};

/** The schema of how pods are replaced when their template changes. The text `Recreate` is short for that strategy. */
export const rollout = allowKeyword(
  'Recreate',
  { strategy: 'Recreate' },
  declared.check(rules(plainRecreate)),
).prefault({});
