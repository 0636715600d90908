import { type Doc, gpus } from '../api/build';
import { aFleet, anyGpus, faultsOf, type Refused } from './build';

/** A GPU of a model. */
function a(productName: string, architecture: string): Doc {
  return {
    ...gpus(1),
    attributes: { productName: { string: productName }, architecture: { string: architecture } },
  };
}

const rows: Record<string, Refused> = {
  'an instance type is in the zones that a catalogue says': {
    on: 'EKS',
    zonesOfType: ['us-east-1a', 'us-east-1c', 'us-west-2a'],
    pools: { l4: { zones: ['us-east-1a', 'us-east-1b'] } },
    want: [
      'InferenceCluster us spec.nodePools.0.zones.1: us-east-1b has no g6.xlarge, as far as the catalogue knows. Use one of us-east-1a, us-east-1c.',
    ],
  },
  'and may be in none of a region': {
    on: 'GKE',
    zonesOfType: ['europe-west4-a'],
    want: [
      'InferenceCluster us spec.nodePools.0.zones.0: us-central1-a has no g2-standard-8, as far as the catalogue knows. Use another region or instance type.',
    ],
  },
  'an instance type has the devices of the class': {
    on: 'EKS',
    class: { devices: [anyGpus(2)] },
    want: [
      "InferenceCluster us spec.nodePools.0.className: InferenceClass 'gpu' has 2 GPUs of a node, and 'g6.xlarge' has 1. Correct its devices or its instance type.",
    ],
  },
  'an instance type that nobody knows may have any': {
    on: 'EKS',
    machine: { instanceType: 'p9.48xlarge' },
    class: { devices: [gpus(2)] },
    want: [],
  },
  'an instance type has the model of the class': {
    on: 'EKS',
    class: { devices: [a('NVIDIA H100 80GB HBM3', 'Hopper')] },
    want: [
      "InferenceCluster us spec.nodePools.0.className: InferenceClass 'gpu' has the GPU 'NVIDIA H100 80GB HBM3', and 'g6.xlarge' has 'NVIDIA L4'. Correct its devices or its instance type.",
    ],
  },
  'a model that says whose it is, too': {
    on: 'GKE',
    class: {
      devices: [{ ...anyGpus(1), attributes: { 'gpu.nvidia.com/productName': { string: 'Tesla T4' } } }],
    },
    want: [
      "InferenceCluster us spec.nodePools.0.className: InferenceClass 'gpu' has the GPU 'Tesla T4', and 'g2-standard-8' has 'NVIDIA L4'. Correct its devices or its instance type.",
    ],
  },
  'a class that does not name its model is known by its architecture': {
    on: 'GKE',
    class: { devices: [gpus(1)] },
    want: [
      "InferenceCluster us spec.nodePools.0.className: InferenceClass 'gpu' has GPUs of the architecture 'Hopper', and 'g2-standard-8' has 'Ada Lovelace'. Correct its devices or its instance type.",
    ],
  },
  'the model of the machine is right': {
    on: 'GKE',
    class: { devices: [a('NVIDIA L4', 'Ada Lovelace')] },
    want: [],
  },
  'a name that no GPU has may be what another driver calls it': {
    on: 'GKE',
    class: { devices: [a('L4', 'Ada')] },
    want: [],
  },
  'what others publish under these names is of no GPU': {
    on: 'GKE',
    class: {
      devices: [
        anyGpus(1),
        { ...a('Tesla T4', 'Turing'), name: 'simulated', claim: 'Synthetic' },
        { ...a('Tesla T4', 'Turing'), name: 'other', driver: 'gpu.example.com' },
      ],
    },
    want: [],
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
  'a machine of GKE has as many GPUs as it has': {
    on: 'GKE',
    machine: { accelerator: { type: 'nvidia-l4', count: 2 } },
    want: [
      "InferenceCluster us spec.nodePools.0.className: InferenceClass 'gpu' asks for 2 GPUs of a node, and 'g2-standard-8' has 1. Correct its accelerator or its machine type.",
    ],
  },
  'nobody makes partitions of GPUs': {
    on: 'GKE',
    class: { devices: [{ ...gpus(1), attributes: { type: { string: 'mig' } } }] },
    want: [
      "InferenceCluster us spec.nodePools.0.className: InferenceClass 'gpu' has partitions of GPUs, and nodes of GKE are made with whole ones. Declare whole GPUs, or partition them on a cluster that exists.",
    ],
  },
  'without claims, GPUs need the device plugin of GKE': {
    on: 'GKE',
    cluster: { dra: false },
    machine: { driver: 'SelfManaged' },
    want: [
      "InferenceCluster us spec.nodePools.0.className: the cluster has 'dra: false', and the driver of InferenceClass 'gpu' comes without the device plugin that counts its GPUs. Use a class with 'driver: GKEManaged'.",
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
