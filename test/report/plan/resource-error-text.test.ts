import { type Diagnostic, errorAt } from '../../../src/base/diagnostic';
import { formatFaultVerdict, listCauses } from '../../../src/report/plan/resource-error-text';

const Q = {
  ...errorAt('unknown-reference', 'a.yaml:3:1', "there is no ModelCache 'w'", 'Add it'),
  subject: 'ModelDeployment a/q',
};
const consequence = (id: string): Diagnostic => ({
  ...errorAt('set-aside', 'b.yaml:1:1', `it may depend on ${id}, which has errors`, 'Correct those errors first'),
  subject: 'ModelService a/chat',
});

describe('the errors to correct', () => {
  const cases: Record<string, { problems: Diagnostic[]; want: Diagnostic[] }> = {
    'are without what a listed error causes': { problems: [Q, consequence('ModelDeployment a/q')], want: [Q] },
    'name what depends on an error that is not listed': {
      problems: [Q, consequence('ModelCache a/w')],
      want: [Q, consequence('ModelCache a/w')],
    },
  };
  test.each(Object.entries(cases))('%s', (_, { problems, want }) => {
    expect(listCauses(problems)).toEqual(want);
  });
});

test('a verdict counts causes, and names all that stays as it is', () => {
  expect(formatFaultVerdict([Q, consequence('ModelDeployment a/q')])).toEqual([
    'Refused: 1 error; ModelDeployment a/q, ModelService a/chat stay as they are until corrected.',
  ]);
});
