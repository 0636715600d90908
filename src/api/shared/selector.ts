import { z } from 'zod';
import { fields } from '../reading/fields';
import { type Rule, rules } from '../reading/rule';
import { labelKey, labelMap, labelValue } from './label-map';

/** Which labels something must have. An empty selector selects everything. */
export interface LabelSelector {
  readonly matchLabels: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly LabelExpression[];
}

/** One requirement of a selector on one label. */
export interface LabelExpression {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values: readonly string[];
}

const valuesForOperator: Rule<LabelExpression> = function* ({ operator, values }) {
  const needsValues = operator === 'In' || operator === 'NotIn';
  if (needsValues === values.length > 0) return;
  yield {
    code: 'bad-selector',
    path: ['values'],
    what: needsValues ? `the operator ${operator} needs values` : `the operator ${operator} takes no values`,
    hint: needsValues ? 'List at least one value' : 'Remove the values, or use In or NotIn',
  };
};

const expression = fields({
  key: labelKey.describe('The label.'),
  operator: z
    .enum(['In', 'NotIn', 'Exists', 'DoesNotExist'])
    .describe('NotIn and DoesNotExist also select what lacks the label.'),
  values: z.array(labelValue).default([]).describe('For In and NotIn.'),
}).check(rules(valuesForOperator));

const matchLabels = labelMap().describe('Labels that must be there with these values.');

/** A selector by equality, of which something must be given. */
export const requiredLabels = fields({ matchLabels });

/** A selector by equality. Without labels it selects everything. */
export const labelsOnly = fields({ matchLabels: matchLabels.default({}) });

/** A selector by equality and by expressions. Without either it selects everything. */
export const labelSelector = fields({
  matchLabels: matchLabels.default({}),
  matchExpressions: z.array(expression).default([]).describe('Requirements, all of which must hold.'),
});
