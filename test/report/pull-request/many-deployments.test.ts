import type { Resource } from '../../../src/api/kinds';
import { formatPullRequestComment } from '../../../src/report/pull-request/comment';
import { aClass, aCluster, aDeployment, aMember, anEngine, MACHINES } from '../../api/build';
import { diff, state } from '../../diff/build';
import { aDoor, aModel, aSite, aSplit, to } from '../../routing/build';

const rolled = (id: string, replicas: number, tag: string, ...args: string[]): Resource => {
  const containers = [{ name: 'engine', image: `vllm/vllm-openai:${tag}`, args: ['--model=a', ...args] }];
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
  return commentOn(on(clusters, 'v0.11.0'), on(clusters, 'v0.12.0'));
}

function commentOn(before: Resource[], after: Resource[]): string {
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

const served = (more: number): Resource[] => [
  aClass('h100'),
  aCluster('us', { pools: { h100: { nodeCount: 6 } } }),
  ...Array.from({ length: 13 }, (_, at) => rolled(`ml/m${10 + at}`, 1, 'v0.11.0', `--max-model-len=${more + at}`)),
];

test('deployments with other values of the same fields share a row, and the sentence on them', () => {
  const text = commentOn(served(8000), served(9000));
  expect(text).toContain(
    '\nRestarts 1 replica each of 13 deployments with **downtime of up to 60 minutes** (such as max-model-len 8000 → 9000). ',
  );
  expect(text).toContain(
    '| 13 deployments: `ml/m10` … | 13 | 13 | 13 restarted, each with downtime, up to 60 min: such ',
  );
});

test('services whose shares change alike have the rows of the first', () => {
  const base = [aClass('h100'), aSite('us', { pools: { h100: { nodeCount: 9 } } }), aDoor(['us'])];
  const models = Array.from({ length: 13 }, (_, at) => `m${10 + at}`);
  const split = (weight: number): Resource[] =>
    models.flatMap((name) => [
      ...['old', 'new'].map((track) => aModel(`ml/${name}-${track}`, { replicaLabels: { [name]: track } })),
      aSplit(`ml/${name}`, [to({ [name]: 'old' }, { weight: 9 }), to({ [name]: 'new' }, { weight })]),
    ]);
  const text = commentOn([...base, ...split(1)], [...base, ...split(3)]);
  const table = text.slice(text.indexOf('| service |'), text.indexOf('Total:'));
  expect(table.split('\n').filter((line) => line.startsWith('| `'))).toEqual([
    '| `ml/m10` and 12 more like it | `ml/m10-new` on `us` (1 replica) | 10.0 % | 25.0 % |',
    '| `ml/m10` | `ml/m10-old` on `us` (1 replica) | 90.0 % | 75.0 % |',
  ]);
});

const shifted = (count: number, weight: number): Resource[] => [
  aClass('h100'),
  aSite('us', { pools: { h100: { nodeCount: 4 } } }),
  aDoor(['us']),
  ...['old', 'new'].map((track) => aModel(`ml/${track}`, { replicaLabels: { track } })),
  ...Array.from({ length: count }, (_, at) =>
    aSplit(`ml/s${at}`, [to({ track: 'old' }, { weight: 9 }), to({ track: 'new' }, { weight })]),
  ),
];

test.each([
  [2, 'the services `ml/s0` and `ml/s1`'],
  [4, '4 services'],
])('%d services whose requests go elsewhere alike share a clause', (count, services) => {
  const sentence = `\nSends 25 % instead of 10 % of the requests for ${services} to \`ml/new\`. `;
  expect(commentOn(shifted(count, 1), shifted(count, 3))).toContain(sentence);
});

const sized = (counts: readonly number[]): Resource[] => [
  aClass('h100', { provisioning: MACHINES.EKS }),
  ...counts.map((nodeCount, at) =>
    aSite(`c${at}`, { source: 'EKS', pools: { h100: { nodeCount, zones: ['us-east-1a'] } } }),
  ),
];

test.each<[does: string, after: number[], want: string]>([
  ['two pools', [5, 5], '\nResizes the node pools `c0/h100` and `c1/h100` to 5 nodes instead of 4. '],
  ['many pools', [5, 5, 5], '\nResizes 3 node pools to 5 nodes instead of 4. '],
  [
    'pools of other sizes apart',
    [5, 6],
    '\nResizes the node pool `c0/h100` to 5 nodes instead of 4, and resizes the node pool `c1/h100` to 6 nodes instead of 4. ',
  ],
])('pools that are resized alike share a clause: %s', (_, after, want) => {
  expect(commentOn(sized(after.map(() => 4)), sized(after))).toContain(want);
});
