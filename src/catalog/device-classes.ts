import { NEURON_DRIVER, NEURON_RESOURCE } from './neuron';
import type { SourcedRow } from './row-types';
import { TPU_RESOURCE } from './tpus';

interface DeviceClassRow extends SourcedRow {
  readonly name: string;
  readonly driver: string;

  /** The required value of the attribute `type`, if the class requires one. */
  readonly type?: string;
}

/** The key of the taint on nodes with GPUs. */
export const GPU_TAINT_KEY = 'nvidia.com/gpu';

const NVIDIA = { driver: 'gpu.nvidia.com', source: 'dra-driver-nvidia-gpu 0.4.1, Helm chart', asOf: '2026-11-01' };

const INTEL = { source: 'intel/intel-resource-drivers-for-kubernetes at 1da939f, Helm charts', asOf: '2026-11-23' };

/** The DeviceClasses of drivers in the catalog. Users can define others. */
export const DEVICE_CLASSES: readonly DeviceClassRow[] = [
  { ...NVIDIA, name: 'gpu.nvidia.com', type: 'gpu' },
  { ...NVIDIA, name: 'mig.nvidia.com', type: 'mig' },
  { ...NVIDIA, name: 'vfio.gpu.nvidia.com', type: 'vfio' },
  {
    name: 'gpu.amd.com',
    driver: 'gpu.amd.com',
    source: 'ROCm/k8s-gpu-dra-driver',
    asOf: '2025-10-31',
    secondHand: ['name'],
  },
  { ...INTEL, name: 'gpu.intel.com', driver: 'gpu.intel.com' },
  { ...INTEL, name: 'gaudi.intel.com', driver: 'gaudi.intel.com' },
  {
    name: 'tpu.google.com',
    driver: 'tpu.google.com',
    source: 'kubernetes-sigs/dra-driver-google-tpu at f5a9d8c, Helm chart',
    asOf: '2026-11-23',
  },
  {
    name: 'neuron.aws.com',
    driver: 'neuron.aws.com',
    source: 'Amazon EKS user guide, Manage Neuron devices',
    asOf: '2026-11-24',
  },
  { name: 'efa.networking.k8s.aws', driver: 'dra.net', source: 'aws/eks-charts aws-dranet 1.0.0', asOf: '2026-11-01' },
  {
    name: 'roce.networking.k8s.aws',
    driver: 'dra.networking.k8s.aws',
    source: 'ai-dynamo/dynamo and NVIDIA/aicr: claims of RoCE cards on GB300 instances',
    asOf: '2026-11-24',
    secondHand: ['driver'],
  },
  { name: 'mrdma.google.com', driver: 'dra.net', source: 'GKE managed DRANET', asOf: '2026-11-01' },
  { name: 'netdev.google.com', driver: 'dra.net', source: 'GKE managed DRANET', asOf: '2026-11-01' },
];

const NETWORK_DRIVERS: ReadonlySet<string> = new Set(['dra.net', 'dra.networking.k8s.aws']);

/** Extended resources of network cards, for clusters without DRA. */
const NETWORK_RESOURCES: ReadonlySet<string> = new Set(['vpc.amazonaws.com/efa']);

/** Whether devices of a DeviceClass, or of an extended resource, are network cards and no accelerators. */
export function isNetworkClass(name: string): boolean {
  const driver = DEVICE_CLASSES.find((row) => row.name === name)?.driver;
  return NETWORK_RESOURCES.has(name) || (driver !== undefined && NETWORK_DRIVERS.has(driver));
}

/** What vendors call accelerators other than GPUs. */
export type AcceleratorName = 'TPU chip' | 'Neuron device';

/** By the DeviceClass or the extended resource under which pods request them. */
const NAMES_OF_ACCELERATORS: ReadonlyMap<string, AcceleratorName> = new Map([
  ['tpu.google.com', 'TPU chip'],
  [TPU_RESOURCE, 'TPU chip'],
  [NEURON_DRIVER, 'Neuron device'],
  [NEURON_RESOURCE, 'Neuron device'],
]);

/** What devices of a DeviceClass, or of an extended resource, are called. Undefined: GPUs. */
export function nameAccelerators(claimedAs: string): AcceleratorName | undefined {
  return NAMES_OF_ACCELERATORS.get(claimedAs);
}
