import type { Resource } from '../../../src/api/kinds';
import { formatPullRequestComment } from '../../../src/report/pull-request/comment';
import { aClass, aCluster, aMember } from '../../api/build';
import { diff, state } from '../../diff/build';
import { aModel } from '../../routing/build';

const on = (name: string, nodeCount: number) => aCluster(name, { pools: { h100: { nodeCount } } });
const withEnv = (id: string, replicas: number, ...values: string[]): Resource => {
  const env = values.map((value) => ({ name: 'A', value }));
  const container = { name: 'engine', image: 'vllm/vllm-openai:v0.11.0', args: ['--model=Qwen/Qwen3-8B'], env };
  return aModel(id, {
    replicas,
    engines: [{ name: 'main', members: [aMember({ template: { spec: { containers: [container] } } })] }],
  });
};

const cases: Record<string, { before: Resource[]; after: Resource[]; want: string }> = {
  'says once what several deployments restart for': {
    before: [aClass('h100'), on('us', 2), withEnv('ml/p', 1, 'a'), withEnv('ml/q', 2, 'a')],
    after: [aClass('h100'), on('us', 2), withEnv('ml/p', 1, 'b'), withEnv('ml/q', 2, 'b')],
    want: 'estarts 1 replica of `ml/p` with **downtime of about 2 to 14 minutes** and 2 replicas of `ml/q` one replica at a time (A a → b). ',
  },
  'says which field changes where its value has no room': {
    before: [aClass('h100'), on('us', 2), withEnv('ml/q', 1)],
    after: [aClass('h100'), on('us', 2), withEnv('ml/q', 1, 'b')],
    want: 'with **downtime of about 2 to 14 minutes** (env\\[A\\] added). ',
  },
};

test.each(Object.entries(cases))('the first sentence %s', (_, { before, after, want }) => {
  const context = { name: 'fleet', refused: [], verdicts: [], earlierWarnings: [] };
  expect(formatPullRequestComment(diff(before, after), state('here', after).decision.plan, context)).toContain(want);
});
