import { z } from 'zod';
import { errorAt } from '../../base/diagnostic';
import { fields } from './fields';
import { checkLabelKey, labelKey, labelValue } from './label-map';
import { checkDistinct } from './list';
import { rules, type SchemaRule } from './rules';

/** Something that repels what does not tolerate it. */
export interface Taint<E extends string = string> {
  readonly key: string;
  readonly value?: string | undefined;
  readonly effect: E;
}

/** Effects of a taint on a cluster: keep new replicas off, or also drain those that are there. */
export const CLUSTER_EFFECTS = ['NoSchedule', 'NoExecute'] as const;

/** Effects of a taint on a node, as Kubernetes has them. */
export const NODE_EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;

/** A list of taints, one for each key and effect. */
export function taintList<const E extends string>(effects: readonly E[]) {
  const taint = fields({
    key: labelKey.describe('What it is about, a label key.'),
    value: labelValue.optional().describe('A value that tolerations may ask for.'),
    effect: z.enum(effects).describe('What happens to what does not tolerate it.'),
  });
  return z
    .array(taint)
    .check(checkDistinct((t: { key: string; effect: string }) => `${t.key}:${t.effect}`, 'the taint'))
    .default([]);
}

/** What lets replicas onto, and stay on, tainted clusters. */
export interface Toleration {
  readonly key?: string | undefined;
  readonly operator: 'Equal' | 'Exists';
  readonly value?: string | undefined;
  readonly effect?: (typeof CLUSTER_EFFECTS)[number] | undefined;
}

/** A toleration names the key that it is about, unless it tolerates everything. */
export const keyUnlessAll: SchemaRule<Toleration> = function* ({ key, operator }) {
  if (key) yield* checkLabelKey(key, ['key']);
  else if (operator === 'Equal') {
    yield errorAt(
      'bad-toleration',
      ['key'],
      'a toleration with operator Equal needs a key',
      "Name the taint's key, or use operator Exists to tolerate every taint",
    );
  }
};

/** With operator Exists every value does. */
export const noValueForExists: SchemaRule<Toleration> = function* ({ operator, value }) {
  if (operator !== 'Exists' || value === undefined) return;
  yield errorAt(
    'bad-toleration',
    ['value'],
    'a toleration with operator Exists takes no value',
    'Remove the value, or use operator Equal',
  );
};

/** The fields of every toleration. */
export const tolerationFields = {
  key: z.string().optional().describe('The key of the taint. None with operator Exists: every taint.'),
  operator: z
    .enum(['Equal', 'Exists'])
    .default('Equal')
    .describe('Equal: key and value match. Exists: the key does. Default: Equal.'),
  value: labelValue.optional().describe('The value of the taint, for operator Equal.'),
  effect: z.enum(CLUSTER_EFFECTS).optional().describe('The effect of the taint. Default: every effect.'),
};

/** A list of tolerations of cluster taints. */
export const tolerations = z
  .array(fields(tolerationFields).check(rules(keyUnlessAll, noValueForExists)))
  .default([]);

/** Kubernetes' limit for the tolerations of one request. */
const MOST_TOLERATIONS = 16;

const secondsForNoExecute: SchemaRule<{ effect?: string | undefined; tolerationSeconds?: number | undefined }> =
  function* ({ effect, tolerationSeconds }) {
    if (tolerationSeconds === undefined || effect === 'NoExecute') return;
    yield errorAt(
      'bad-toleration',
      ['tolerationSeconds'],
      'only a toleration with effect NoExecute has an end',
      "Remove tolerationSeconds, or set 'effect: NoExecute'",
    );
  };

/** Taints of devices, as drivers and administrators set them, that a request puts up with (KEP-5055). */
export const deviceTolerations = z
  .array(
    fields({
      ...tolerationFields,
      tolerationSeconds: z
        .int()
        .min(0)
        .optional()
        .describe('For effect NoExecute: how long the pod stays. Default: for ever.'),
    }).check(rules(keyUnlessAll, noValueForExists, secondsForNoExecute)),
  )
  .max(MOST_TOLERATIONS)
  .default([]);
