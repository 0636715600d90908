import { z } from 'zod';
import { errorAt } from '../../base/diagnostic';
import { fields, withDefault } from './fields';
import { checkLabelKey, labelKey, labelValue } from './label-map';
import { checkDistinct } from './list';
import { rules, type SchemaRule } from './rules';

/** A taint, which repels replicas or pods that do not tolerate it. */
export interface Taint<E extends string = string> {
  readonly key: string;
  readonly value?: string | undefined;
  readonly effect: E;
}

/** The effects of a taint on a cluster: repel new replicas, or also drain existing replicas. */
export const CLUSTER_EFFECTS = ['NoSchedule', 'NoExecute'] as const;

/** The effects of a taint on a node, as in Kubernetes. */
export const NODE_EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;

/** Creates the schema of a list of taints with distinct keys and effects. */
export function taintList<const E extends string>(effects: readonly E[]) {
  const taint = fields({
    key: labelKey.describe('The key of the taint, a label key.'),
    value: labelValue.optional().describe('The value of the taint, which tolerations can match.'),
    effect: z.enum(effects).describe('The effect on workloads that do not tolerate it.'),
  });
  return z
    .array(taint)
    .check(checkDistinct((t: { key: string; effect: string }) => `${t.key}:${t.effect}`, 'the taint'))
    .default([]);
}

/** A toleration, which lets replicas start and stay on tainted clusters. */
export interface Toleration {
  readonly key?: string | undefined;
  readonly operator: 'Equal' | 'Exists';
  readonly value?: string | undefined;
  readonly effect?: (typeof CLUSTER_EFFECTS)[number] | undefined;
}

const keyUnlessAll: SchemaRule<Toleration> = function* ({ key, operator }) {
  if (key) yield* checkLabelKey(key, ['key']);
  else if (operator === 'Equal') {
    const hint = 'Set the key of the taint, or use operator Exists to tolerate all taints';
    yield errorAt('bad-toleration', ['key'], 'a toleration with operator Equal needs a key', hint);
  }
};

const noValueForExists: SchemaRule<Toleration> = function* ({ operator, value }) {
  if (operator !== 'Exists' || value === undefined) return;
  const what = 'a toleration with operator Exists takes no value';
  yield errorAt('bad-toleration', ['value'], what, 'Remove the value, or use operator Equal');
};

const tolerationFields = {
  key: z.string().optional().describe('The key of the taint. Without a key, operator Exists matches all taints.'),
  operator: withDefault(
    z.enum(['Equal', 'Exists']),
    'Equal',
    'Equal: key and value must match. Exists: the key must match.',
  ),
  value: labelValue.optional().describe('The value of the taint, for operator Equal.'),
  effect: z.enum(CLUSTER_EFFECTS).optional().describe('The effect of the taint. Default: every effect.'),
};

export const tolerations = z.array(fields(tolerationFields).check(rules(keyUnlessAll, noValueForExists))).default([]);

/** Kubernetes' limit for the tolerations of one request. */
const MOST_TOLERATIONS = 16;

const secondsForNoExecute: SchemaRule<{ effect?: string | undefined; tolerationSeconds?: number | undefined }> =
  function* ({ effect, tolerationSeconds }) {
    if (tolerationSeconds === undefined || effect === 'NoExecute') return;
    const hint = "Remove tolerationSeconds, or set 'effect: NoExecute'";
    yield errorAt(
      'bad-toleration',
      ['tolerationSeconds'],
      'only a toleration with effect NoExecute can have tolerationSeconds',
      hint,
    );
  };

/** The schema of the tolerations of a request for device taints, which drivers and administrators set (KEP-5055). */
export const deviceTolerations = z
  .array(
    fields({
      ...tolerationFields,
      tolerationSeconds: z
        .int()
        .min(0)
        .optional()
        .describe('For effect NoExecute: how long the pod stays. Default: forever.'),
    }).check(rules(keyUnlessAll, noValueForExists, secondsForNoExecute)),
  )
  .max(MOST_TOLERATIONS)
  .default([]);
