import type { Resource } from '../../../src/api/kinds';
import { aClass, aCluster, aDeployment, aMember, gpus, request } from '../../api/build';
import { comment } from './unplaced-comment';

const atLeast = (memory: string): string =>
  `device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("${memory}")) >= 0`;

const resources = (count: number, memory: string): Resource[] => {
  const members = [aMember({ devices: [request('gpu', count, atLeast(memory))] })];
  return [
    aClass('h100'),
    aClass('small', { devices: [gpus(8, { memory: '46068Mi' })] }),
    ...['dc', 'eu'].map((name) => aCluster(name, { pools: { small: { nodeCount: 1 } } })),
    aCluster('us', { pools: { h100: { nodeCount: 1 } } }),
    aDeployment('ml/other', {
      engines: [{ name: 'main', members: [aMember({ devices: [request('gpu', 6, atLeast('70Gi'))] })] }],
    }),
    aDeployment('ml/q', { replicas: 2, engines: [{ name: 'main', members }] }),
  ];
};

test('a shortfall says what a replica takes where no single edit does, and counts all old ones that serve', () => {
  expect(comment(resources(4, '40Gi'), resources(2, '70Gi'))).toContain(
    '\nLeaves `ml/q` with 1 of 2 replicas of 2 GPUs instead of 4, next to 1 old one until it is finalized and 1 old one until its replacement fits. Cost',
  );
});

/** Four replicas on two clusters, of which one gets a taint and the other has room for one more. */
const drained = (taints: readonly { key: string; effect: 'NoExecute' }[] = []): Resource[] => [
  aClass('h100', { price: { perHour: 10 } }),
  aCluster('eu', { pools: { h100: { nodeCount: 3 } } }),
  aCluster('us', { pools: { h100: { nodeCount: 2 } }, taints }),
  aDeployment('ml/q', { replicas: 4, engines: [{ name: 'main', members: [aMember({ gpus: 8 })] }] }),
];

const ROWS: Record<string, string> = {
  'the first sentences say what moves, what stays, what that takes, and that the cluster is not empty':
    'Drains `us`: moves 1 replica of `ml/q` to eu. Keeps the old replica of `ml/q` (8 GPUs, $7,300 a month), because it fits nowhere else: `us` is not empty until it does. Cost',
  'the GPUs of those to finalize are apart from those of the others':
    '| 4 → 3 placed, of 4 declared; 2 old ones still serve, 1 until finalized and 1 until its replacement fits | 32 → 24 (+8 draining until finalized, +8 until replacements fit) |',
  'the cost is that with the old one that stays':
    ' | $29,200 | $36,500 until finalized, then $29,200 | +$7,300 until finalized, then $0 |',
  'the total counts them apart':
    'Total: 1 moved, 1 kept until a replacement fits, 2 unchanged, 1 does not fit; 1 old replica serves until',
  'the list of replicas says until when each serves': 'us/1   draining until its replacement fits, the taint upgrade',
};

test.each(Object.entries(ROWS))('of a cluster that cannot be emptied, %s', (_, want) => {
  expect(comment(drained(), drained([{ key: 'upgrade', effect: 'NoExecute' }]))).toContain(want);
});

/** Deployments on one cluster that nothing can leave. */
const several = (taints: readonly { key: string; effect: 'NoExecute' }[] = []): Resource[] => [
  aClass('h100'),
  aCluster('us', { pools: { h100: { nodeCount: 3 } }, taints }),
  ...Object.entries({ a: 1, b: 2 }).map(([name, replicas]) =>
    aDeployment(`ml/${name}`, { replicas, engines: [{ name: 'main', members: [aMember({ gpus: 8 })] }] }),
  ),
];

test('old replicas of several deployments are counted for each', () => {
  expect(comment(several(), several([{ key: 'upgrade', effect: 'NoExecute' }]))).toContain(
    'Drains `us`, but keeps 1 old replica of `ml/a` and 2 of `ml/b`, because they fit nowhere else',
  );
});
