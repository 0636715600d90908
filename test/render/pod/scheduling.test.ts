import { tolerationsOf } from '../../../src/render/pod/scheduling';
import { aCluster, type Doc } from '../../api/build';

const GPU = { key: 'nvidia.com/gpu', effect: 'NoSchedule' };
const present = { ...GPU, operator: 'Equal', value: 'present' };
const any = { ...GPU, operator: 'Exists' };

describe('pods tolerate', () => {
  const cases: Record<string, { source: string; taints?: Doc[]; want: Doc[] }> = {
    'the taint of nodes with GPUs on GKE, whatever its value': { source: 'GKE', want: [any] },
    'and on other clouds': { source: 'EKS', want: [any] },
    'and on an existing cluster': { source: 'Existing', want: [any] },
    'the declared taints of the pool as well': {
      source: 'EKS',
      taints: [
        { key: 'dedicated', value: 'ml', effect: 'NoExecute' },
        { key: 'spot', effect: 'NoSchedule' },
      ],
      want: [
        { key: 'dedicated', operator: 'Equal', value: 'ml', effect: 'NoExecute' },
        { key: 'spot', operator: 'Exists', effect: 'NoSchedule' },
        any,
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
      want: [any],
    },
    'one taint once': { source: 'GKE', taints: [{ ...GPU, value: 'present' }], want: [present] },
    'the declared value where any was assumed': {
      source: 'Existing',
      taints: [{ ...GPU, value: 'present' }],
      want: [present],
    },
    'what a declared taint without a value covers already': { source: 'EKS', taints: [GPU], want: [any] },
    'the taint for GPUs though one of that key has another effect': {
      source: 'Existing',
      taints: [{ ...GPU, effect: 'NoExecute' }],
      want: [{ key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoExecute' }, any],
    },
  };
  test.each(Object.entries(cases))('%s', (_, { source, taints = [], want }) => {
    const cluster = aCluster('a', { source, pools: { h100: { taints } } });
    expect(tolerationsOf(cluster.spec.nodePools[0]!)).toEqual(want);
  });
});
