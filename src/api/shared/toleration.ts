import { z } from 'zod';
import { fields } from '../reading/fields';
import type { Rule } from '../reading/rule';
import { rules } from '../reading/rule';
import { labelKeyFindings, labelValue } from './label-map';
import { CLUSTER_EFFECTS } from './taint';

/** What lets replicas onto, and stay on, tainted clusters. */
export interface Toleration {
  readonly key?: string | undefined;
  readonly operator: 'Equal' | 'Exists';
  readonly value?: string | undefined;
  readonly effect?: (typeof CLUSTER_EFFECTS)[number] | undefined;
}

/** A toleration names the key that it is about, unless it tolerates everything. */
export const goodKey: Rule<Toleration> = function* ({ key, operator }) {
  if (key) yield* labelKeyFindings(key, ['key']);
  else if (operator === 'Equal') {
    yield {
      code: 'bad-toleration',
      path: ['key'],
      what: 'a toleration with operator Equal needs a key',
      hint: "Name the taint's key, or use operator Exists to tolerate every taint",
    };
  }
};

/** With operator Exists every value does. */
export const noValueForExists: Rule<Toleration> = function* ({ operator, value }) {
  if (operator !== 'Exists' || value === undefined) return;
  yield {
    code: 'bad-toleration',
    path: ['value'],
    what: 'a toleration with operator Exists takes no value',
    hint: 'Remove the value, or use operator Equal',
  };
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
  .array(fields(tolerationFields).check(rules(goodKey, noValueForExists)))
  .default([]);
