import type { Resource } from '../../../src/api/kinds';
import { formatPullRequestComment } from '../../../src/report/pull-request/comment';
import { aClass, aCluster } from '../../api/build';
import { diff, state } from '../../diff/build';
import { aModel } from '../../routing/build';

const model = (replicas: number): Resource => aModel('ml/q', { replicas });
const fleet = [aClass('h100'), aCluster('us', { pools: { h100: { nodeCount: 4 } } }), model(1)];
const UNSEEN = 'that `place()` renders; what the program changes after it is not compared';

test.each<[string, { after: Resource[]; isProgram?: boolean; want: string }]>([
  ['nothing that is compared changes', { after: fleet, want: `Changes nothing ${UNSEEN}.` }],
  ['nothing changes, and nothing else can', { after: fleet, isProgram: false, want: 'Changes nothing.' }],
  [
    'declarations change that nothing uses',
    {
      after: [...fleet, aClass('l4')],
      want: `Adds InferenceClass \`l4\`, but changes nothing ${UNSEEN}. Cost unchanged.`,
    },
  ],
  [
    'a replica is new',
    { after: [...fleet.slice(0, 2), model(2)], want: 'Adds 1 replica of `ml/q`. Cost unchanged: 1 idle GPU is used.' },
  ],
])('the first sentence on a fleet says that %s', (_, { after, isProgram = true, want }) => {
  const context = { name: 'fleet', verdicts: [], earlierWarnings: [], isProgram };
  const text = formatPullRequestComment(diff(fleet, after), state('here', after).decision.plan, context);
  expect(text.split('\n')[2]).toBe(want);
});
