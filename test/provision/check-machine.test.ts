import { type Doc, gpus } from '../api/build';
import { aFleet, anyGpus, faultsOf, ofMemory, type Refused } from './build';

/** A GPU of a model. */
function a(productName: string, architecture: string): Doc {
  return {
    ...anyGpus(1),
    attributes: { productName: { string: productName }, architecture: { string: architecture } },
  };
}

const NEURON = { ...anyGpus(1), name: 'neuron', driver: 'neuron.aws.com', deviceClassName: 'neuron.aws.com' };
const TRN1 = { instanceType: 'trn1.2xlarge', accelerator: { type: 'trainium', count: 1 } };

const rows: Record<string, Refused> = {
  'an instance type has the devices of the class': {
    on: 'EKS',
    class: { devices: [anyGpus(2)] },
    want: [
      "InferenceClass gpu spec.devices: the class declares 2 GPUs for each node, and 'g6.xlarge' has 1. Correct the device or the instance type.",
    ],
  },
  'an instance type that no one knows may have any': {
    on: 'EKS',
    machine: { instanceType: 'p9.48xlarge' },
    class: { devices: [gpus(2)] },
    want: [],
  },
  'an instance type has the model of the class': {
    on: 'EKS',
    class: { devices: [a('NVIDIA H100 80GB HBM3', 'Hopper')] },
    want: [
      "InferenceClass gpu spec.devices.0.attributes.productName: the class has the GPU 'NVIDIA H100 80GB HBM3', and 'g6.xlarge' has 'NVIDIA L4'. Correct the device or the instance type.",
    ],
  },
  'a model that says whose it is, too': {
    on: 'GKE',
    class: {
      devices: [{ ...anyGpus(1), attributes: { 'gpu.nvidia.com/productName': { string: 'Tesla T4' } } }],
    },
    want: [
      "InferenceClass gpu spec.devices.0.attributes.gpu.nvidia.com/productName: the class has the GPU 'Tesla T4', and 'g2-standard-8' has 'NVIDIA L4'. Correct the device or the instance type.",
    ],
  },
  'a class that does not name its model is known by its architecture': {
    on: 'GKE',
    class: { devices: [{ ...gpus(1), capacity: {} }] },
    want: [
      "InferenceClass gpu spec.devices.0.attributes.architecture: the class has GPUs of the architecture 'Hopper', and 'g2-standard-8' has 'Ada Lovelace'. Correct the device or the instance type.",
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
        { ...ofMemory('80Gi'), name: 'simulated', claim: 'Synthetic' },
        { ...ofMemory('80Gi'), name: 'other', driver: 'gpu.example.com' },
      ],
    },
    want: [],
  },
  'a class is reported once, however many pools have nodes of it': {
    on: 'EKS',
    pools: { l4: {}, more: {} },
    class: { devices: [anyGpus(2)] },
    want: [
      "InferenceClass gpu spec.devices: the class declares 2 GPUs for each node, and 'g6.xlarge' has 1. Correct the device or the instance type.",
    ],
  },
  'an instance type has GPUs with the memory of the class': {
    on: 'EKS',
    class: { devices: [ofMemory('80Gi')] },
    want: [
      "InferenceClass gpu spec.devices.0.capacity.memory: the class has GPUs of 80Gi, and 'g6.xlarge' has GPUs of 23034Mi. Correct the device or the instance type.",
    ],
  },
  'no less of it, and also where it says whose it is': {
    on: 'GKE',
    class: {
      devices: [{ ...anyGpus(1), capacity: { 'gpu.nvidia.com/memory': { value: '16Gi' }, other: { value: '1' } } }],
    },
    want: [
      "InferenceClass gpu spec.devices.0.capacity.gpu.nvidia.com/memory: the class has GPUs of 16Gi, and 'g2-standard-8' has GPUs of 23034Mi. Correct the device or the instance type.",
    ],
  },
  'the memory that the box says is near enough': {
    on: 'GKE',
    class: { devices: [ofMemory('24Gi')] },
    want: [],
  },
  'also where it is read as powers of ten': {
    on: 'GKE',
    class: { devices: [ofMemory('24G')] },
    want: [],
  },
  'GKE has a name for the GPUs of each machine': {
    on: 'GKE',
    machine: { accelerator: { type: 'nvidia-tesla-t4', count: 1 } },
    want: [
      "InferenceClass gpu spec.provisioning.gke.accelerator.type: the class requests 'nvidia-tesla-t4', and the GPUs of 'g2-standard-8' are 'nvidia-l4' on GKE. Correct the accelerator or the instance type.",
    ],
  },
  'a product of the same GPUs has a longer name': {
    on: 'GKE',
    machine: { accelerator: { type: 'nvidia-l4-vws', count: 1 } },
    want: [],
  },
  'AWS has no name for GPUs, and a number': {
    on: 'EKS',
    machine: { accelerator: { type: 'l4', count: 8 } },
    want: [
      "InferenceClass gpu spec.provisioning.eks.accelerator.count: the class requests 8 GPUs for each node, and 'g6.xlarge' has 1. Correct the accelerator or the instance type.",
    ],
  },
  'a machine that no one knows may have any number of GPUs, by any name': {
    on: 'GKE',
    machine: { machineType: 'g9-standard-8', accelerator: { type: 'l9', count: 3 } },
    want: [],
  },
  'an image is for the processor of the machine': {
    on: 'EKS',
    machine: { amiType: 'AL2023_ARM_64_NVIDIA' },
    want: [
      "InferenceClass gpu spec.provisioning.eks.amiType: the image AL2023_ARM_64_NVIDIA is for arm64, and 'g6.xlarge' has amd64. Remove it: the default follows from the instance type.",
    ],
  },
  'that of a machine with Arm as well': {
    on: 'EKS',
    machine: {
      instanceType: 'p6e-gb200.36xlarge',
      amiType: 'AL2023_x86_64_NVIDIA',
      accelerator: { type: 'gb200', count: 4 },
    },
    want: [
      "InferenceClass gpu spec.provisioning.eks.amiType: the image AL2023_x86_64_NVIDIA is for amd64, and 'p6e-gb200.36xlarge' has arm64. Remove it: the default follows from the instance type.",
    ],
  },
  'an image for its processor is right': {
    on: 'EKS',
    machine: { amiType: 'AL2023_x86_64_NVIDIA' },
    want: [],
  },
  'what a class says for another cloud is not asked of its machine on this one': {
    on: 'EKS',
    class: {
      provisioning: {
        provider: 'EKS',
        eks: { instanceType: 'g6.xlarge', accelerator: { type: 'nvidia-l4', count: 1 } },
        gke: { machineType: 'g2-standard-24', accelerator: { type: 'nvidia-l4', count: 2 } },
      },
    },
    want: [],
  },
  'a machine of GKE has as many GPUs as it has': {
    on: 'GKE',
    machine: { accelerator: { type: 'nvidia-l4', count: 2 } },
    want: [
      "InferenceClass gpu spec.provisioning.gke.accelerator.count: the class requests 2 GPUs for each node, and 'g2-standard-8' has 1. Correct the accelerator or the instance type.",
    ],
  },
  'GPUs of another vendor are in other machines': {
    on: 'GKE',
    class: { devices: [{ ...anyGpus(8), driver: 'gpu.amd.com', deviceClassName: 'gpu.amd.com' }] },
    want: [
      "InferenceClass gpu spec.devices.0.driver: the class has devices of the driver gpu.amd.com, and 'g2-standard-8' has devices of gpu.nvidia.com. Correct the device or the instance type.",
    ],
  },
  'a machine with Neuron devices has no more than it has': {
    on: 'EKS',
    machine: TRN1,
    class: { devices: [{ ...NEURON, count: 2 }] },
    want: [
      "InferenceClass gpu spec.devices: the class declares 2 devices for each node, and 'trn1.2xlarge' has 1. Correct the device or the instance type.",
    ],
  },
  'GPUs are not in machines with Neuron devices': {
    on: 'EKS',
    machine: TRN1,
    want: [
      "InferenceClass gpu spec.devices.0.driver: the class has devices of the driver gpu.nvidia.com, and 'trn1.2xlarge' has devices of neuron.aws.com. Correct the device or the instance type.",
    ],
  },
  'nor are Neuron devices in machines with GPUs': {
    on: 'EKS',
    class: { devices: [NEURON] },
    want: [
      "InferenceClass gpu spec.devices.0.driver: the class has devices of the driver neuron.aws.com, and 'g6.xlarge' has devices of gpu.nvidia.com. Correct the device or the instance type.",
    ],
  },
  'an image for GPUs has no driver for Neuron devices': {
    on: 'EKS',
    machine: { ...TRN1, amiType: 'AL2023_x86_64_NVIDIA' },
    class: { devices: [NEURON] },
    want: [
      'InferenceClass gpu spec.provisioning.eks.amiType: the image AL2023_x86_64_NVIDIA has no driver for Neuron devices, which the class has. Remove it: the default follows from the devices.',
    ],
  },
  'an image for Neuron devices has no driver for GPUs': {
    on: 'EKS',
    machine: { amiType: 'AL2023_x86_64_NEURON' },
    want: [
      'InferenceClass gpu spec.provisioning.eks.amiType: the image AL2023_x86_64_NEURON has no driver for GPUs, which the class has. Remove it: the default follows from the devices.',
    ],
  },
  'the image for Neuron devices may be named': {
    on: 'EKS',
    machine: { ...TRN1, amiType: 'AL2023_x86_64_NEURON' },
    class: { devices: [NEURON] },
    want: [],
  },
};

test.each(Object.entries(rows))('%s', (_name, { on, want, ...declared }) => {
  expect(faultsOf(aFleet(on, declared).fleet)).toEqual(want);
});
