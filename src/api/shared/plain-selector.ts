import { z } from 'zod';
import { fields } from '../reading/fields';
import { type Rule, rules } from '../reading/rule';
import { labelKey, labelMap, labelValue } from './label-map';

interface Requirement {
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
}

const NUMBER = /^-?\d{1,18}$/;

/** What an operator compares with is there, and is what it can compare. */
export const valuesFit: Rule<Requirement> = function* ({ operator, values = [] }) {
  const compares = operator === 'Gt' || operator === 'Lt';
  const takesNone = operator === 'Exists' || operator === 'DoesNotExist';
  const fit = takesNone ? values.length === 0 : compares ? values.length === 1 : values.length > 0;
  if (fit && !(compares && !NUMBER.test(values[0] ?? ''))) return;
  const needed = takesNone ? 'no values' : compares ? 'one whole number' : 'values';
  yield {
    code: 'bad-selector',
    path: ['values'],
    what: `the operator ${operator} takes ${needed}`,
    hint: takesNone ? 'Remove the values' : `Write ${needed} as text in a list`,
  };
};

/** Values with which an operator compares. */
export const comparedValues = z.array(labelValue).max(64).optional();

const requirement = fields({
  key: labelKey.describe('The label.'),
  operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist']).describe('How it is compared.'),
  values: comparedValues.describe('For In and NotIn.'),
}).check(rules(valuesFit));

/** A selector that Kubernetes reads, not we: as it was written, without defaults. */
export const plainSelector = fields({
  matchLabels: labelMap(32).optional().describe('Labels that must be there with these values.'),
  matchExpressions: z.array(requirement).max(32).optional().describe('What else must hold.'),
});
