import { gpus } from '../api/build';
import { aFleet, anyGpus, faultsOf, ofMemory, type Refused } from './build';

const rows: Record<string, Refused> = {
  'an instance type is in the zones that a catalog says': {
    on: 'EKS',
    zonesOfType: ['us-east-1a', 'us-east-1c', 'us-west-2a'],
    pools: { l4: { zones: ['us-east-1a', 'us-east-1b'] } },
    want: [
      'InferenceCluster us spec.nodePools.0.zones.1: us-east-1b does not have g6.xlarge, according to the catalog. Use one of us-east-1a, us-east-1c.',
    ],
  },
  'and in a region without the instance type at all': {
    on: 'GKE',
    zonesOfType: ['europe-west4-a'],
    want: [
      'InferenceCluster us spec.nodePools.0.zones.0: us-central1-a does not have g2-standard-8, according to the catalog. Use another region or instance type.',
    ],
  },
  'network cards for GPU traffic are in some machines of GKE only': {
    on: 'GKE',
    machine: { fabric: 'DRANET' },
    want: [
      "InferenceCluster us spec.nodePools.0.className: InferenceClass 'gpu' has 'fabric: DRANET', and 'g2-standard-8' has no network cards for GPU traffic. Use A3, A4 or A4X machines, or remove it.",
    ],
  },
  'A4X machines have them': {
    on: 'GKE',
    machine: {
      fabric: 'DRANET',
      machineType: 'a4x-highgpu-4g',
      accelerator: { type: 'nvidia-gb200', count: 4 },
    },
    want: [],
  },
  'EFA is in large types of EKS only': {
    on: 'EKS',
    pools: { l4: { fabric: { type: 'EFA' } } },
    want: [
      "InferenceCluster us spec.nodePools.0.fabric.type: 'g6.xlarge' has no EFA. Remove it, or use a larger type.",
    ],
  },
  'such a type has it': {
    on: 'EKS',
    machine: { instanceType: 'g6.8xlarge' },
    pools: { l4: { fabric: { type: 'EFA' } } },
    want: [],
  },
  'no one makes partitions of GPUs': {
    on: 'GKE',
    class: { devices: [{ ...gpus(1), attributes: { type: { string: 'mig' } } }] },
    want: [
      "InferenceCluster us spec.nodePools.0.className: InferenceClass 'gpu' has partitions of GPUs, and new nodes on GKE have whole GPUs. Declare whole GPUs, or use an existing cluster with partitioned GPUs.",
    ],
  },
  'also where their class says what they are': {
    on: 'GKE',
    class: { devices: [{ ...anyGpus(7), deviceClassName: 'mig.nvidia.com' }] },
    want: [
      "InferenceCluster us spec.nodePools.0.className: InferenceClass 'gpu' has partitions of GPUs, and new nodes on GKE have whole GPUs. Declare whole GPUs, or use an existing cluster with partitioned GPUs.",
    ],
  },
  'or their profile, or a type that says whose it is': {
    on: 'GKE',
    class: {
      devices: [
        { ...ofMemory('10Gi'), attributes: { profile: { string: '1g.10gb' } } },
        { ...anyGpus(7), name: 'b', attributes: { 'gpu.nvidia.com/type': { string: 'mig' } } },
      ],
    },
    want: [
      "InferenceCluster us spec.nodePools.0.className: InferenceClass 'gpu' has partitions of GPUs, and new nodes on GKE have whole GPUs. Declare whole GPUs, or use an existing cluster with partitioned GPUs.",
    ],
  },
  'without claims, GPUs need the device plugin of GKE': {
    on: 'GKE',
    cluster: { dra: false },
    machine: { driver: 'SelfManaged' },
    want: [
      "InferenceCluster us spec.nodePools.0.className: the cluster has 'dra: false', and the driver of InferenceClass 'gpu' does not include a device plugin for its GPUs. Use a class with 'driver: GKEManaged'.",
    ],
  },
  'without claims, a class that does not say who installs the driver gets that of GKE': {
    on: 'GKE',
    cluster: { dra: false },
    want: [],
  },
};

test.each(Object.entries(rows))('%s', (_name, { on, want, ...declared }) => {
  expect(faultsOf(aFleet(on, declared).fleet)).toEqual(want);
});
