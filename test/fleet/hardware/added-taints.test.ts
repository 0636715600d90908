import { assemble } from '../../../src/fleet/fleet';
import { tolerationsOf } from '../../../src/render/pod/scheduling';
import { aCluster, type Doc, parsed } from '../../api/build';

const SPOT = { key: 'kubernetes.azure.com/scalesetpriority', value: 'spot', effect: 'NoSchedule' };

const NEURON = { key: 'aws.amazon.com/neuron', value: 'present', effect: 'NoSchedule' };

interface Row {
  readonly source: 'AKS' | 'EKS';
  readonly class: Doc;
  readonly pool?: Doc;
  readonly want: readonly object[];
}

const rows: Record<string, Row> = {
  'a spot pool on AKS has the taint that AKS gives to its nodes': {
    source: 'AKS',
    class: { from: 'azure/Standard_NC40ads_H100_v5', provisioning: { aks: { spot: true } } },
    want: [SPOT],
  },
  'a spot pool on AKS that declares the taint has it once': {
    source: 'AKS',
    class: { from: 'azure/Standard_NC40ads_H100_v5', provisioning: { aks: { spot: true } } },
    pool: { taints: [SPOT] },
    want: [SPOT],
  },
  'a pool on AKS on demand has no taint of spot nodes': {
    source: 'AKS',
    class: { from: 'azure/Standard_NC40ads_H100_v5' },
    want: [],
  },
  'a pool with Neuron devices on EKS has the taint that its chart tolerates': {
    source: 'EKS',
    class: { from: 'aws/trn2.48xlarge' },
    want: [NEURON],
  },
  'a pool with Neuron devices that declares the taint keeps its value': {
    source: 'EKS',
    class: { from: 'aws/trn2.48xlarge' },
    pool: { taints: [{ ...NEURON, value: 'true' }] },
    want: [{ ...NEURON, value: 'true' }],
  },
  'a spot pool on EKS has no taint of AKS': {
    source: 'EKS',
    class: { from: 'aws/g6.xlarge', provisioning: { eks: { spot: true } } },
    want: [],
  },
};

test.each(Object.entries(rows))('%s', (_, { source, class: spec, pool, want }) => {
  const cluster = aCluster('eu', { source, pools: { gpu: { ...pool } } });
  const [found] = assemble([parsed('InferenceClass', 'gpu', spec), cluster]).clusters;
  const [pooled] = found?.spec.nodePools ?? [];
  expect(pooled?.taints).toEqual(want);
  const others = pooled && tolerationsOf(pooled).filter(({ key }) => key !== 'nvidia.com/gpu');
  expect(others).toHaveLength(want.length);
});
