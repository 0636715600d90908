import { z } from 'zod';
import { errorAt } from '../../base/diagnostic';
import { IN_CLUSTER_SELECTOR } from '../kubernetes-spellings';
import { ANY_FIELD, fields, type MovedFields } from './fields';
import { labelKey, labelMap, labelValue } from './label-map';
import { rules, type SchemaRule } from './rules';

/** A label selector. An empty selector matches everything. */
export interface LabelSelector {
  readonly matchLabels: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly LabelExpression[];
}

/** A requirement of a selector on one label. */
export interface LabelExpression {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values: readonly string[];
}

const valuesForOperator: SchemaRule<LabelExpression> = function* ({ operator, values }) {
  const needsValues = operator === 'In' || operator === 'NotIn';
  if (needsValues === values.length > 0) return;
  const what = needsValues ? `the operator ${operator} needs values` : `the operator ${operator} takes no values`;
  const hint = needsValues ? 'List at least one value' : 'Remove the values, or use In or NotIn';
  yield errorAt('bad-selector', ['values'], what, hint);
};

const expression = fields({
  key: labelKey.describe('The label.'),
  operator: z
    .enum(['In', 'NotIn', 'Exists', 'DoesNotExist'])
    .describe('NotIn and DoesNotExist also select resources without the label.'),
  values: z.array(labelValue).default([]).describe('For In and NotIn.'),
}).check(rules(valuesForOperator));

const matchLabels = labelMap().describe('Labels that must exist with these values.');

/** Hints for labels that are written without `matchLabels`. */
const BARE_LABELS: MovedFields = {
  [ANY_FIELD]: "Move it into matchLabels, as in 'matchLabels: { app: chat }'",
  namespace: 'Remove it: the labels select. A Grant in the other namespace allows resources there to be selected',
};

const BY_EQUALITY: MovedFields = { ...BARE_LABELS, matchExpressions: "Use 'matchLabels'" };

/** The schema of a selector by equality, with required labels. */
export const requiredLabels = fields({ matchLabels }, BY_EQUALITY);

/** The schema of a selector of clusters by equality. Without labels, it matches all of them. */
export const clusterLabels = fields(
  { matchLabels: matchLabels.default({}) },
  { ...BY_EQUALITY, ...IN_CLUSTER_SELECTOR },
);

/** The schema of a selector of clusters by equality and by expressions. Without either, it matches all of them. */
export const clusterSelector = fields(
  {
    matchLabels: matchLabels.default({}),
    matchExpressions: z.array(expression).default([]).describe('Requirements, all of which must hold.'),
  },
  { ...BARE_LABELS, ...IN_CLUSTER_SELECTOR },
);

const NUMBER = /^-?\d{1,18}$/;

export const valuesFit: SchemaRule<{ operator: string; values?: readonly string[] | undefined }> = function* ({
  operator,
  values = [],
}) {
  const compares = operator === 'Gt' || operator === 'Lt';
  const takesNone = operator === 'Exists' || operator === 'DoesNotExist';
  const fit = takesNone ? values.length === 0 : compares ? values.length === 1 : values.length > 0;
  if (fit && !(compares && !NUMBER.test(values[0] ?? ''))) return;
  const needed = takesNone ? 'no values' : compares ? 'one whole number' : 'values';
  const hint = takesNone ? 'Remove the values' : `Write ${needed} as text in a list`;
  yield errorAt('bad-selector', ['values'], `the operator ${operator} takes ${needed}`, hint);
};

export const comparedValues = z.array(labelValue).max(64).optional();

const requirement = fields({
  key: labelKey.describe('The label.'),
  operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist']).describe('The comparison.'),
  values: comparedValues.describe('For In and NotIn.'),
}).check(rules(valuesFit));

/** The schema of a selector that Kubernetes evaluates. It is rendered as declared, without defaults. */
export const verbatimSelector = fields({
  matchLabels: labelMap(32).optional().describe('Labels that must exist with these values.'),
  matchExpressions: z.array(requirement).max(32).optional().describe('Further conditions.'),
});
