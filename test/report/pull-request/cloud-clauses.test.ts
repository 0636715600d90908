import { listPoolClauses } from '../../../src/report/pull-request/pool-clauses';
import type { FleetDiff } from '../../../src/diff/fleet-diff';
import { formatPullRequestComment } from '../../../src/report/pull-request/comment';
import type { CloudChange } from '../../../src/diff/cloud-changes';
import { outcomeOf } from '../../../src/report/plan/total-line';
import type { Resource } from '../../../src/api/kinds';
import { aCache, aClass, aCluster, anEngine, type Doc, MACHINES } from '../../api/build';
import { diff, state } from '../../diff/build';
import { aModel, aSite } from '../../routing/build';

const replaced = (kind: string, cluster: string): CloudChange => ({
  cluster,
  kind,
  name: 'shared',
  action: 'replace',
  fields: [{ field: 'parameters.labels', path: ['parameters', 'labels'], before: 'a', after: 'b' }],
  causes: [{ id: 'Fleet main', action: 'added', where: 'fleet.yaml:1:1' }],
});
const changed = (field: string): CloudChange => ({
  cluster: 'us',
  kind: 'NodePool',
  name: 'h100',
  action: 'change',
  fields: [{ field, path: [field], after: 'a' }],
  causes: [],
});

function headline(...cloud: CloudChange[]): string | undefined {
  const context = { name: 'fleet', refused: [], verdicts: [], earlierWarnings: [] };
  const { plan } = state('here', []).decision;
  return formatPullRequestComment({ ...diff([], []), cloud }, plan, context).split('\n')[2];
}

test('names what a cloud replaces besides clusters and pools, and for what', () => {
  expect(headline(replaced('Router', 'us'))).toContain(
    'Replaces the Router `shared` on `us` (its parameters.labels changes with `Fleet main`). ',
  );
});

test('says of StorageClasses with other labels that they are created again, and their volumes stay', () => {
  expect(headline(replaced('StorageClass', 'eu'), replaced('StorageClass', 'us'))).toContain(
    'Creates 2 StorageClasses again with other labels (volumes that exist stay). ',
  );
});

test('says of nodes that only other tags recreate why they are', () => {
  const rolled: CloudChange = {
    ...changed('launchTemplate.tagSpecifications[0].tags.fleet'),
    kind: 'NodeGroup',
    action: 'roll',
    machine: 'p5.4xlarge',
    causes: [{ id: 'Fleet main', action: 'added', where: 'fleet.yaml:1:1' }],
  };
  expect(headline(rolled)).toContain(
    'Recreates the nodes of the node pool `us/h100` one at a time (without a spare node), because their tags change with `Fleet main`',
  );
  expect(headline({ ...rolled, ...changed('machine'), action: 'roll', machine: 'a' })).not.toContain('because');
});

const SAME = { before: '8 x NVIDIA H100', after: '8 x NVIDIA H100' };

test.each([
  ['other GPUs', { instanceType: 'p5en.48xlarge' }, ' with p5en.48xlarge (8 x NVIDIA H200 instead of 8 x NVIDIA H100)'],
  ['GPUs that are not known', { instanceType: 'p5e.48xlarge', gpus: undefined }, ' with p5e.48xlarge'],
  ['the same GPUs', { instanceType: 'p5e.48xlarge', gpus: SAME }, ' with p5e.48xlarge (8 x NVIDIA H100 as before)'],
  ['the same GPUs of the same machine', { instanceType: undefined, gpus: SAME }, ''],
  ['other GPUs of the same machine', { instanceType: undefined }, ' with 8 x NVIDIA H200 instead of 8 x NVIDIA H100'],
])('names the machine and the products of nodes that are recreated with %s', (_, { instanceType, ...given }, want) => {
  const gpus = { before: '8 x NVIDIA H100', after: '8 x NVIDIA H200' };
  const field = instanceType === undefined ? 'userData' : 'launchTemplate.instanceType';
  const rolled = { ...changed(field), action: 'roll' as const, machine: 'a', gpus, ...given };
  const fields = rolled.fields.map((one) => ({ ...one, after: instanceType }));
  expect(headline({ ...rolled, fields } as CloudChange)).toContain(`one at a time (without a spare node)${want}. `);
});

test('says of resources of which only labels change that no node restarts', () => {
  expect(headline(changed('nodeConfig.resourceLabels.fleet'), changed('machine'))).toContain(
    'Relabels 1 cloud resource (restarts nothing)',
  );
});

const made = aClass('h100', { provisioning: MACHINES.GKE });
const gke = (pools: Doc): Resource[] => [made, aCluster('us', { source: 'GKE', pools: pools as never })];
const ONE = { className: 'h100', nodeCount: 1 };
const inZones = (...zones: string[]): Doc => ({ h100: { nodeCount: zones.length, zones } });
const model = (replicas: number): Resource => aModel('ml/q', { replicas, engines: [anEngine('main', { gpus: 8 })] });
const copied = (copies: number): Resource => aModel('ml/q', { engines: [anEngine('main', { gpus: 8, copies })] });
const cached = (revision: string, ...classes: string[]): Resource[] => [
  aClass('h100'),
  ...['ap', 'eu', 'us'].slice(-classes.length).map((name, i) => {
    return aSite(name, { storage: { sharedFilesystem: { storageClassName: classes[i] } } });
  }),
  aCache('ml/w', { sizeGiB: 20, huggingFace: { repo: 'a/b', revision: revision.repeat(40) } }),
  aModel('ml/q', { replicas: classes.length, cache: 'w' }),
];
const sites = (...names: string[]): Resource[] => [
  aClass('h100'),
  ...names.map((name, i) => aSite(name, { pools: { h100: { nodeCount: i + 1 } } })),
];

test.each<[string, Resource[], Resource[], string]>([
  [
    'that no replica uses a new pool',
    gke({ a: ONE }),
    gke({ a: ONE, b: ONE }),
    'Creates the node pool `us/b`, which no replica uses. ',
  ],
  [
    'nothing of the use of a new pool that a replica gets',
    [...gke({ a: ONE }), model(1)],
    [...gke({ a: ONE, b: ONE }), model(2)],
    'Adds 1 replica of `ml/q`, and creates the node pool `us/b`. ',
  ],
  [
    'in which zones a pool has its further nodes',
    gke(inZones('us-central1-a')),
    gke(inZones('us-central1-a', 'us-central1-b')),
    'to 2 nodes instead of 1, and adds us-central1-b to its zones. ',
  ],
  [
    'that several clusters stage a cache, each all of it',
    cached('a', 'nfs', 'nfs'),
    cached('b', 'nfs', 'nfs'),
    'tages the files of the cache `ml/w` again on `eu` and `us` (each in its volume of 20 GiB). ',
  ],
  [
    'on which clusters the smallest volume of a cache is larger',
    cached('a', 'nfs', 'zonal-rwx', 'nfs'),
    cached('b', 'nfs', 'zonal-rwx', 'nfs'),
    'again on `ap` and `us` (each in its volume of 20 GiB) and on `eu` (in its volume of 1,024 GiB). ',
  ],
  [
    'why a replica moves whose engines need more',
    [...sites('a'), copied(1)],
    [...sites('a', 'b'), copied(2)],
    'from a to b on 16 GPUs instead of 8, because engines need other devices or copies, ',
  ],
])('says %s', (_, before, after, want) => {
  const context = { name: 'fleet', verdicts: [], earlierWarnings: [] };
  const { plan } = state('here', after).decision;
  expect(formatPullRequestComment(diff(before, after), plan, context).split('\n')[2]).toContain(want);
});

test('a total has a replica as down whose nodes are deleted first, also where its pods change too', () => {
  const change = { action: 'roll', cluster: 'us', index: 0, pools: {}, wave: 1, causes: [] } as const;
  expect(outcomeOf({ ...change, nodes: 'replace' })).toBe('restart');
  expect(outcomeOf({ ...change, nodes: 'roll' })).toBe('roll');
});

test('a removed cluster stops the replicas for good that have no place without it', () => {
  const causes = [{ id: 'InferenceCluster eu', action: 'removed', fields: [], where: 'eu.yaml:1:1' }];
  const lost = { action: 'roll', nodes: 'replace', cluster: 'eu', index: 0, pools: { main: 'h100' }, causes };
  const deployments = [{ deployment: 'ml/q', changes: [lost], serving: { before: 1, after: 1 } }];
  const clausesOf = (hit: readonly unknown[]) =>
    listPoolClauses({ cloud: [], declarations: causes, deployments: hit } as unknown as FleetDiff).lost;
  const removed = 'no longer declares the cluster `eu` (nothing deletes it but you; until then it costs as before)';
  expect(clausesOf(deployments)).toEqual([
    { rank: 'down', text: `${removed}, which **stops the only replica of \`ml/q\` for good**` },
  ]);
  expect(clausesOf([])).toEqual([{ rank: 'gone', text: removed }]);
});

test.each([
  [
    'that a stack made is removed by it',
    { cloud: [{ cluster: 'eu' }] },
    'removes the cluster `eu` with its 1 cloud resource',
  ],
  ['under another name is removed', { renamed: 'InferenceCluster us' }, 'removes the cluster `eu`'],
  [
    'that exists stays until somebody deletes it',
    {},
    'no longer declares the cluster `eu` (nothing deletes it but you; until then it costs as before)',
  ],
])('a cluster %s', (_, { cloud = [], ...more }: { cloud?: unknown[]; renamed?: string }, want) => {
  const declarations = [{ id: 'InferenceCluster eu', action: 'removed', fields: [], where: 'eu.yaml:1:1', ...more }];
  const { lost } = listPoolClauses({ cloud, declarations, deployments: [] } as unknown as FleetDiff);
  expect(lost.map(({ text }) => text)).toEqual([want]);
});
