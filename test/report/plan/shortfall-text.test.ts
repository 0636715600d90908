import type { Resource } from '../../../src/api/kinds';
import { formatShortfall, formatShortfallLine } from '../../../src/report/plan/shortfall-text';
import { ask, cache, cluster, deployment, device, engine, nodeClass, run } from '../../scheduler/build';
import { terminalLines } from '../../../src/report/document/write-terminal';

interface Case {
  resources: Resource[];
  /** The reasons against `ml/q`, trimmed. */
  want: string[];
}

const H100 = nodeClass('h100', device('gpu', { memory: '81559Mi' }));
const memory = (least: string): string =>
  `device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("${least}")) >= 0`;
const asking = (...requests: Record<string, unknown>[]): Resource =>
  deployment('ml/q', { engines: [engine('main', requests)] });

const GANG =
  'To run on several nodes, declare a gang: a Leader and Workers, each with devices of one node. Or request fewer devices';

const cases: Record<string, Case> = {
  'names the label that a cluster selector misses': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 1' }, { labels: { region: 'eu' } }),
      cluster('us', { a: 'h100 x 1' }),
      deployment('ml/q', { template: { clusterSelector: { matchLabels: { region: 'asia' } } } }),
    ],
    want: [
      "eu   selector   region=asia is not met: it is 'eu'",
      'us   selector   region=asia is not met: the cluster does not have the label',
    ],
  },
  'names the expression that a cluster selector misses': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 1' }, { labels: { region: 'eu' } }),
      deployment('ml/q', {
        template: {
          clusterSelector: { matchExpressions: [{ key: 'region', operator: 'NotIn', values: ['eu', 'uk'] }] },
        },
      }),
    ],
    want: ["eu   selector   region notin (eu, uk) is not met: it is 'eu'"],
  },
  'names the cache and what it lacks': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 1' }, { labels: { region: 'eu' } }),
      cluster('us', { a: 'h100 x 1' }, { storage: true }),
      cache('ml/weights', { region: 'eu' }),
      deployment('ml/q', { template: { modelCacheRef: { name: 'weights' } } }),
    ],
    want: [
      'cause: eu has room, but cache ml/weights needs a shared file system, which this cluster does not declare',
      'eu   cache   cache ml/weights needs a shared file system, which this cluster does not declare',
      'us   cache   cache ml/weights excludes this cluster with its clusterSelector',
      'cheapest: declare spec.storage.sharedFilesystem of cluster eu, if it has such storage',
    ],
  },
  'names the taint': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 1' }, { taints: [{ key: 'maintenance', value: 'true', effect: 'NoSchedule' }] }),
      deployment('ml/q'),
    ],
    want: [
      'eu   taint   the taint maintenance=true:NoSchedule is not tolerated',
      'cheapest: tolerate maintenance=true:NoSchedule on eu',
    ],
  },
  'names what else a cluster lacks': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 0' }, { taints: [{ key: 'team', value: 'x', effect: 'NoSchedule' }] }),
      cache('ml/weights', {}),
      deployment('ml/q', { template: { modelCacheRef: { name: 'weights' } } }),
    ],
    want: [
      'eu   cache   all 3 obstacles have to go: (1) cache ml/weights needs a shared file system, which this cluster does not declare; (2) the taint team=x:NoSchedule is not tolerated; (3) pool a: needs 8 gpu on one node; the pool has no nodes, so 1 more node',
    ],
  },
  'names nothing else of a cluster that is drained': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 0' }, { taints: [{ key: 'gone', effect: 'NoExecute' }] }),
      deployment('ml/q'),
    ],
    want: ['eu   taint   the taint gone:NoExecute is not tolerated'],
  },
  'names a cluster without pools': {
    resources: [cluster('eu', {}), deployment('ml/q')],
    want: ['eu   pools   the cluster declares no pool'],
  },
  'names the selector that rejects the nearest device, with the value of the device': {
    resources: [
      nodeClass('l4', device('gpu', { memory: '23034Mi', architecture: 'Ada Lovelace' })),
      cluster('eu', { l4: 'l4 x 1' }),
      asking(ask('gpu', 1, 'device.driver == "gpu.nvidia.com"', memory('40Gi'))),
    ],
    want: [
      'eu / l4   devices   gpu: memory 23034Mi is less than 40Gi (selector 2)',
      'cheapest: require 22Gi instead of 40Gi in selector 2 of gpu, on eu / l4',
    ],
  },
  'names the engine of several that has no room': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 0' }),
      deployment('ml/q', { engines: [engine('x', [ask('gpu', 8)]), engine('y', [ask('gpu', 4)])] }),
    ],
    want: [
      'eu / a   capacity   needs 8 gpu on one node (engine x); the pool has no nodes',
      'cheapest: 2 more nodes in eu / a (16 GPUs)',
    ],
  },
  'starts with the bound that keeps a replica off pools with room': {
    resources: [
      H100,
      nodeClass('l4', device('gpu', { memory: '23034Mi' })),
      cluster('asia', { a: 'h100 x 1' }, { paused: true }),
      cluster('eu', { l4: 'l4 x 1' }),
      cluster('us', { l4: 'l4 x 1' }),
      asking(ask('gpu', 1, memory('24Gi'))),
    ],
    want: [
      'cause: eu / l4, us / l4 have room, but gpu: memory 23034Mi is less than 24Gi (selector 1)',
      'asia      paused    the cluster is paused',
      'eu / l4   devices   gpu: memory 23034Mi is less than 24Gi (selector 1)',
      'us / l4   devices   gpu: memory 23034Mi is less than 24Gi (selector 1)',
      'probably meant: require 22Gi instead of 24Gi in selector 1 of gpu, on eu / l4, us / l4',
    ],
  },
  'says how many devices of a node match where that is too few, and names a gang': {
    resources: [
      H100,
      nodeClass('large', device('gpu', { count: 16 })),
      cluster('eu', { a: 'h100 x 1' }),
      asking(ask('gpu', 9)),
    ],
    want: ['eu / a   devices   gpu: needs 9 devices on a node, 8 match', GANG],
  },
  'names requests that cannot be met at once': {
    resources: [H100, cluster('eu', { a: 'h100 x 1' }), asking(ask('x', 5), ask('y', 5))],
    want: ['eu / a   devices   requests x, y match one by one, but not together'],
  },
  'names a selector that fails': {
    resources: [
      H100,
      nodeClass('elsewhere', device('gpu', { attributes: { tier: { string: 'x' } } })),
      cluster('eu', { a: 'h100 x 1' }),
      asking(ask('gpu', 1, 'device.attributes["gpu.nvidia.com"].tier == "x"')),
    ],
    want: ['eu / a   devices   gpu: the selector fails on device gpu: no such key: tier (selector 1)'],
  },
  'names where, which no number counts': {
    resources: [H100, cluster('eu', { a: 'h100 x 1' }), asking({ ...ask('gpu', 1), where: { memory: '>= 90Gi' } })],
    want: [
      'eu / a   devices   gpu: memory 81559Mi is less than 90Gi (where)',
      'cheapest: require 79Gi instead of 90Gi in where of gpu, on eu / a',
    ],
  },
  'numbers selectors without where': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 1' }),
      asking({ ...ask('gpu', 1, memory('90Gi')), where: { architecture: 'Hopper' } }),
    ],
    want: [
      'eu / a   devices   gpu: memory 81559Mi is less than 90Gi (selector 1)',
      'cheapest: require 79Gi instead of 90Gi in selector 1 of gpu, on eu / a',
    ],
  },
  'tells an engine that only synthetic devices would carry': {
    resources: [
      nodeClass('fabric', device('fabric', { synthetic: true })),
      cluster('eu', { a: 'fabric x 1' }),
      asking(ask('gpu', 1)),
    ],
    want: ['eu / a   devices   only synthetic devices match, so no pod would claim a device'],
  },
  'tells a member that would hold no device here though it would elsewhere': {
    resources: [
      nodeClass('fabric', device('gpu', { synthetic: true })),
      H100,
      cluster('eu', { a: 'fabric x 1', b: 'h100 x 0' }),
      asking(ask('gpu', 1)),
    ],
    want: [
      'eu / a   devices    the Standalone member would claim no device here, but would in pool b',
      'eu / b   capacity   needs 1 gpu on one node; the pool has no nodes',
      'cheapest: 1 more node in eu / b (8 GPUs)',
    ],
  },
  'gives the numbers of a full pool, and the nodes that are missing': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 4' }),
      deployment('ml/small', { replicas: 4, gpus: 1, spec: { priority: 1 } }),
      deployment('ml/q'),
    ],
    want: [
      'eu / a   capacity   needs 8 gpu on one node; 0 of 4 nodes can guarantee it; 4 of 32 devices are in use; 28 are free, but the cluster chooses the nodes of pods, and may leave too few on every node',
      'cheapest: 1 more node in eu / a (8 GPUs)',
      'or: set packing: BinPack on eu / a, once an administrator has configured the scheduler of eu to pack pods',
      'or, not tried: separate pools for small and large replicas (a second pool of the class of eu / a with 1 of its 4 nodes)',
    ],
  },
  'names no pool of its own for a pod that takes a part of a node': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 2' }),
      deployment('ml/small', { replicas: 2, gpus: 4, spec: { priority: 1 } }),
      deployment('ml/q', { gpus: 5 }),
    ],
    want: [
      'eu / a   capacity   needs 5 gpu on one node; 0 of 2 nodes can guarantee it; 8 of 16 devices are in use; 8 are free, but the cluster chooses the nodes of pods, and may leave too few on every node',
      'cheapest: 1 more node in eu / a (8 GPUs)',
      'or: set packing: BinPack on eu / a, once an administrator has configured the scheduler of eu to pack pods',
    ],
  },
  'counts the nodes of a gang that needs whole ones': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 3' }),
      deployment('ml/small', { replicas: 2, gpus: 2, spec: { priority: 1 } }),
      deployment('ml/q', { engines: [engine('main', [ask('gpu', 8)], { workers: 1 })] }),
    ],
    want: [
      'eu / a   capacity   needs 2 pods of 8 gpu; its 3 nodes can guarantee 1; 4 of 24 devices are in use; 20 are free, but the cluster chooses the nodes of pods, and may leave too few on every node',
      'cheapest: 1 more node in eu / a (8 GPUs)',
      'or: set packing: BinPack on eu / a, once an administrator has configured the scheduler of eu to pack pods',
      'or, not tried: separate pools for small and large replicas (a second pool of the class of eu / a with 2 of its 3 nodes)',
    ],
  },
  'counts the pods of a gang': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 2' }),
      deployment('ml/q', { engines: [engine('main', [ask('gpu', 8)], { workers: 3 })] }),
    ],
    want: [
      'eu / a   capacity   needs 4 pods of 8 gpu; its 2 nodes have 16 devices',
      'cheapest: 2 more nodes in eu / a (16 GPUs)',
    ],
  },
  'gives no further reason against a cluster with room that only a limit closes': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 2' }),
      deployment('ml/q', { replicas: 2, spec: { placement: { maxPerCluster: 1 } } }),
    ],
    want: [
      'eu   spread   at most 1 replica may be on one cluster (maxPerCluster)',
      'cheapest: raise placement.maxPerCluster of ml/q from 1 to 2 (the replica then goes to eu)',
    ],
  },
  'says when engines fit one by one but not all at once': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 1' }),
      deployment('ml/q', { engines: [engine('x', [ask('gpu', 8)]), engine('y', [ask('gpu', 8)])] }),
    ],
    want: ['eu   together   engines x, y fit one by one, but not together', 'cheapest: 1 more node in eu / a (8 GPUs)'],
  },
};

test.each(Object.entries(cases))('a shortfall %s', (_, { resources, want }) => {
  const short = run(resources).shortfalls.find(({ deployment }) => deployment === 'ml/q');
  const lines = short ? terminalLines([formatShortfall({ ...short, accepted: false })]) : [];
  expect(lines.slice(1).map((line) => line.trim().replace(/ +\(/, ' ('))).toEqual(want);
});

test('a fleet of many pools is summed up by reason', () => {
  const clusters = Array.from({ length: 60 }, (_, i) => cluster(`c${i}`, { a: i < 50 ? 'h100 x 0' : 'l4 x 1' }));
  const l4 = nodeClass('l4', device('gpu', { memory: '23034Mi' }));
  const [short] = run([H100, l4, ...clusters, asking(ask('gpu', 8, memory('40Gi')))]).shortfalls;
  expect(terminalLines([formatShortfall({ ...short!, accepted: false })]).map((line) => line.trim())).toEqual([
    '! 1 replica does not fit (0 of 60 clusters fit: 50 without room, 10 without matching devices)',
    '50x   capacity   needs 8 gpu on one node; the pool has no nodes   (c0 / a, c1 / a, c10 / a, 47 more)',
    '10x   devices   gpu: memory 23034Mi is less than 40Gi   (selector 1)   (c50 / a, c51 / a, c52 / a, 7 more)',
    'cheapest: 1 more node in c0 / a (8 GPUs)',
    'or: require 22Gi instead of 40Gi in selector 1 of gpu, on c50 / a, c51 / a, c52 / a, 7 more',
  ]);
});

test('a single line has how many clusters each filter rules out, and the three most frequent reasons', () => {
  const clusters = ['z', 'b', 'b', 'c', 'd', 'e'].map((zone, i) =>
    cluster(`c${i}`, { a: 'h100 x 1' }, { labels: { zone } }),
  );
  const engines = [engine('main', [ask('gpu', 8, memory('90Gi'))])];
  const template = { clusterSelector: { matchLabels: { zone: 'z' } } };
  const [short] = run([H100, ...clusters, deployment('ml/q', { engines, template })]).shortfalls;
  expect(formatShortfallLine(short!)).toBe(
    "0 of 6 clusters fit: 5 left out by clusterSelector, 1 without matching devices; c1, c2: zone=z is not met: it is 'b'; c0 / a: gpu: memory 81559Mi is less than 90Gi (selector 1); c3: zone=z is not met: it is 'c'; 2 further reasons",
  );
});

test('storage for another deployment is no cause, because its cluster does not take the replica', () => {
  const resources = [H100, cluster('eu', { a: 'h100 x 0' }), cluster('us', { a: 'h100 x 0' }), asking(ask('gpu', 1))];
  const short = { ...run(resources).shortfalls[0]!, accepted: false };
  const freeing = { kind: 'declare', cluster: 'us', storage: ['SharedFilesystem'], frees: 'ml/large' } as const;
  expect(terminalLines([formatShortfall({ ...short, remedies: [freeing] })]).map((line) => line.trim())).toEqual([
    '! 1 replica does not fit (0 of 2 clusters fit: 2 without room)',
    'eu / a   capacity   needs 1 gpu on one node; the pool has no nodes',
    'us / a   capacity   needs 1 gpu on one node; the pool has no nodes',
    'cheapest: declare spec.storage.sharedFilesystem of cluster us, if it has such storage (ml/large then has a place there, and leaves room for the replica)',
  ]);
});
