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
    '\nLeaves `ml/q` with 1 of 2 replicas of 2 GPUs instead of 4, next to 2 old ones until they are finalized. Cost',
  );
});
