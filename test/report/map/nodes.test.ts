import type { Resource } from '../../../src/api/kinds';
import { ask, cluster, deployment, device, engine, fleetOf, nodeClass, nodeClassWith } from '../../scheduler/build';
import { drawn, mapOf } from './drawn';

const H100 = nodeClass('h100');
const scaled = (nodes: object) => cluster('us', { a: 'h100 x 1' }, { pool: { ...nodes } });
const pods = (gpus: number, copies: number) => ({
  engines: [engine('main', [ask('gpu', gpus)], { copies })],
});

const cases: Record<string, { resources: Resource[]; want: string[] }> = {
  'nodes that hold the same are one group, with the replicas of each': {
    resources: [H100, cluster('us', { a: 'h100 x 5' }), deployment('ml/q', { replicas: 3 })],
    want: ['us/a: 3x ml/q/0+1+2 8; 2x'],
  },
  'pods of several deployments that take the same are distinguished': {
    resources: [H100, cluster('us', { a: 'h100 x 3' }), deployment('ml/p'), deployment('ml/q', { replicas: 2 })],
    want: ['us/a: 1x ml/p/0 8; 2x ml/q/0+1 8'],
  },
  'pods of several deployments share a node': {
    resources: [
      H100,
      cluster('us', { a: 'h100 x 1' }),
      deployment('ml/p', { gpus: 2 }),
      deployment('ml/q', { gpus: 4 }),
    ],
    want: ['us/a: 1x ml/p/0 2 | ml/q/0 4'],
  },
  'larger pods come first, so that all have a place': {
    resources: [
      H100,
      cluster('us', { a: 'h100 x 2 BinPack' }),
      deployment('ml/p', { gpus: 2, replicas: 2 }),
      deployment('ml/q', { gpus: 6, replicas: 2 }),
    ],
    want: ['us/a: 2x ml/p/0+1 2 | ml/q/0+1 6'],
  },
  'a node is for one pod where the pool says so': {
    resources: [H100, cluster('us', { a: 'h100 x 3 Exclusive' }), deployment('ml/q', { gpus: 2, replicas: 2 })],
    want: ['us/a: 2x ml/q/0+1 2; 1x'],
  },
  'empty nodes on which a cluster may put placed pods are shared': {
    resources: [
      H100,
      cluster('us', { a: 'h100 x 6' }),
      deployment('ml/p', { gpus: 1, replicas: 3 }),
      deployment('ml/q', { gpus: 8 }),
    ],
    want: ['us/a: 1x ml/q/0 8; 1x ml/p/0 1 | ml/p/1 1 | ml/p/2 1; 2x shared; 2x'],
  },
  'of small pods that would fit on one node, each may be on a node of its own': {
    resources: [H100, cluster('us', { a: 'h100 x 4' }), deployment('ml/q', { gpus: 1, replicas: 3 })],
    want: ['us/a: 1x ml/q/0 1 | ml/q/1 1 | ml/q/2 1; 2x shared; 1x'],
  },
  'where the scheduler packs pods, small ones leave nodes free': {
    resources: [H100, cluster('us', { a: 'h100 x 4 BinPack' }), deployment('ml/q', { gpus: 1, replicas: 3 })],
    want: ['us/a: 1x ml/q/0 1 | ml/q/1 1 | ml/q/2 1; 3x'],
  },
  'what is kept for rollouts is distinguished': {
    resources: [
      H100,
      cluster('us', { a: 'h100 x 3' }),
      deployment('ml/q', { ...pods(8, 1), spec: { rollout: { surge: 1 } } }),
    ],
    want: ['us/a: 1x ml/q/0 8; 1x ml/q/0 8 surge; 1x'],
  },
  'nodes that an autoscaler may add come after those that it keeps or that replicas need': {
    resources: [H100, scaled({ minNodeCount: 1, maxNodeCount: 4 }), deployment('ml/q', { replicas: 2 })],
    want: ['us/a: 2x ml/q/0+1 8; 2x autoscaled'],
  },
  'nodes that do not run are not shared, whatever pods they could hold': {
    resources: [H100, scaled({ minNodeCount: 1, maxNodeCount: 3 }), deployment('ml/q', { gpus: 1, replicas: 2 })],
    want: ['us/a: 1x ml/q/0 1 | ml/q/1 1; 2x autoscaled'],
  },
  'without a minimum an autoscaled pool has no node that always runs': {
    resources: [H100, scaled({ maxNodeCount: 2 })],
    want: ['us/a: 2x autoscaled'],
  },
  'a gang is on as many nodes as it has pods': {
    resources: [
      H100,
      cluster('us', { a: 'h100 x 3' }),
      deployment('ml/q', { engines: [engine('main', [ask('gpu', 8)], { workers: 2 })] }),
    ],
    want: ['us/a: 1x ml/q/0 8; 2x ml/q/0+0 8'],
  },
  'a pod that may take any of two kinds takes what is left': {
    resources: [
      nodeClass('mixed', device('a', { count: 4 }), device('b', { count: 4, architecture: 'Ampere' })),
      cluster('us', { a: 'mixed x 1 Exclusive' }),
      deployment('ml/q', { gpus: 6 }),
    ],
    want: ['us/a: 1x ml/q/0 4,2'],
  },
  'resources count after devices, and a pod without a request has its share': {
    resources: [
      nodeClassWith('h100', { allocatable: { cpu: '100' } }),
      cluster('us', { a: 'h100 x 1' }),
      deployment('ml/q', { gpus: 4 }),
    ],
    want: ['us/a: 1x ml/q/0 4,45000'],
  },
  'pools without nodes, and clusters without pools': {
    resources: [H100, cluster('eu', {}), cluster('us', { a: 'h100 x 0' })],
    want: ['us/a: '],
  },
};

test.each(Object.entries(cases))('nodes: %s', (_, { resources, want }) => {
  expect(drawn(mapOf(fleetOf(...resources)))).toEqual(want);
});

test('nodes that a snapshot shows as lost come last, and keep what is on them', () => {
  const resources = [H100, cluster('us', { a: 'h100 x 3' }), deployment('ml/q', { replicas: 2 })];
  const fleet = { ...fleetOf(...resources), lost: [{ cluster: 'us', pool: 'a', nodes: 1 }] };
  expect(drawn(mapOf(fleet))).toEqual(['us/a: 2x ml/q/0+1 8; 1x lost']);
});

test('a pool reports what is taken and what it has', () => {
  const map = mapOf(
    fleetOf(
      H100,
      cluster('us', { a: 'h100 x 6' }, { pool: { reserved: { devices: { gpu: 2 }, cpu: '4' } } }),
      deployment('ml/p', { gpus: 1, replicas: 3 }),
      deployment('ml/q', { gpus: 6 }),
    ),
  );
  const [pool] = map.clusters[0]!.pools;
  const facts = map.pools[pool!.facts]!;
  expect(pool).toMatchObject({ taken: 9 });
  expect(facts).toMatchObject({ nodes: 6, always: 6, devices: 36 });
  expect([facts.reserved, facts.packing, facts.className, facts.price].map((ref) => map.texts[ref!])).toEqual([
    '2 gpu, 4 of cpu',
    'Spread',
    'h100',
    'unknown',
  ]);
});
