import type { Resource } from '../../../src/api/kinds';
import { formatPullRequestComment } from '../../../src/report/pull-request/comment';
import { aClass, aCluster, aDeployment, aMember, anEngine } from '../../api/build';
import { diff, state } from '../../diff/build';

const rolled = (id: string, replicas: number, tag: string): Resource => {
  const containers = [{ name: 'engine', image: `vllm/vllm-openai:${tag}`, args: ['--model=a'] }];
  return aDeployment(id, {
    replicas,
    engines: [anEngine('main', { members: [aMember({ gpus: 1, template: { spec: { containers } } })] })],
  });
};
const on = (names: readonly string[], tag: string): Resource[] => [
  aClass('h100'),
  ...names.map((name) => aCluster(name, { pools: { h100: { nodeCount: 6 } } })),
  ...Array.from({ length: 10 }, (_, at) => rolled(`ml/pair-${at}`, 2, tag)),
  ...Array.from({ length: 4 }, (_, at) => rolled(`ml/single-${at}`, 1, tag)),
];

function comment(...clusters: string[]): string {
  const [before, after] = [on(clusters, 'v0.11.0'), on(clusters, 'v0.12.0')];
  const context = { name: 'fleet', refused: [], verdicts: [], earlierWarnings: [] };
  return formatPullRequestComment(diff(before, after), state('here', after).decision.plan, context);
}

test('many deployments that get an image are counted by whether they serve meanwhile', () => {
  expect(comment('us')).toContain(
    '\nRolls 14 deployments to `v0.12.0`: 4 of one replica each go **down**, 10 keep serving. ',
  );
  expect(comment('eu', 'us')).toContain('10 keep serving if clusters follow each other. ');
});

test('a row of several deployments says how many of each serve, not of all together', () => {
  expect(comment('us')).toContain('| Pulumi, Argo CD: ≥ all but 1 of each<br>Flux, kubectl: 0 |');
});
