import { tolerationsOf } from '../../src/render/tolerations';
import { aCluster, type Doc } from '../api/build';

const GPU = { key: 'nvidia.com/gpu', effect: 'NoSchedule' };
const present = { ...GPU, operator: 'Equal', value: 'present' };
const yes = { ...GPU, operator: 'Equal', value: 'true' };
const any = { ...GPU, operator: 'Exists' };

describe('pods tolerate', () => {
  const cases: Record<string, { source: string; taints?: Doc[]; want: Doc[] }> = {
    'the taint that GKE puts on pools with GPUs': { source: 'GKE', want: [present] },
    'the taint of pools on EKS': { source: 'EKS', want: [yes] },
    'the taint of pools on AKS': { source: 'AKS', want: [yes] },
    'the taint of pools on Nebius': { source: 'Nebius', want: [yes] },
    'the taint of pools on Vultr': { source: 'Vultr', want: [yes] },
    'any value of it on an existing cluster': { source: 'Existing', want: [any] },
    'the declared taints of the pool besides': {
      source: 'EKS',
      taints: [
        { key: 'dedicated', value: 'ml', effect: 'NoExecute' },
        { key: 'spot', effect: 'NoSchedule' },
      ],
      want: [
        { key: 'dedicated', operator: 'Equal', value: 'ml', effect: 'NoExecute' },
        { key: 'spot', operator: 'Exists', effect: 'NoSchedule' },
        yes,
      ],
    },
    'the declared taints of an existing pool, and still that of GPUs': {
      source: 'Existing',
      taints: [{ key: 'dedicated', value: 'ml', effect: 'NoSchedule' }],
      want: [{ key: 'dedicated', operator: 'Equal', value: 'ml', effect: 'NoSchedule' }, any],
    },
    'no taint that only prefers': {
      source: 'GKE',
      taints: [{ key: 'spot', effect: 'PreferNoSchedule' }],
      want: [present],
    },
    'one taint once': { source: 'GKE', taints: [{ ...GPU, value: 'present' }], want: [present] },
    'the declared value where any was assumed': {
      source: 'Existing',
      taints: [{ ...GPU, value: 'present' }],
      want: [present],
    },
    'what a declared taint without a value covers already': { source: 'EKS', taints: [GPU], want: [any] },
    'both values where the declared one is another': {
      source: 'EKS',
      taints: [{ ...GPU, value: 'present' }],
      want: [present, yes],
    },
    'the taint for GPUs though one of that key has another effect': {
      source: 'Existing',
      taints: [{ ...GPU, effect: 'NoExecute' }],
      want: [{ key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoExecute' }, any],
    },
  };
  test.each(Object.entries(cases))('%s', (_, { source, taints = [], want }) => {
    const cluster = aCluster('a', { source, pools: { h100: { taints } } });
    expect(tolerationsOf(cluster, cluster.spec.nodePools[0]!)).toEqual(want);
  });
});
