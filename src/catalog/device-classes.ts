import type { SourcedRow } from './row-types';

/** A DeviceClass that a driver installs. */
interface DeviceClassRow extends SourcedRow {
  readonly name: string;
  readonly driver: string;

  /** The required value of the attribute `type`, if the class requires one. */
  readonly type?: string;

  /** The extended resource for pods without claims, if the class maps one. */
  readonly extendedResource?: string;
}

/** The key of the taint on nodes with GPUs. */
export const GPU_TAINT_KEY = 'nvidia.com/gpu';

const NVIDIA = {
  driver: 'gpu.nvidia.com',
  source: 'dra-driver-nvidia-gpu 0.4.1, Helm chart',
  asOf: '2026-11-01',
};

/** The DeviceClasses of drivers in the catalogue. Users can define others. */
export const DEVICE_CLASSES: readonly DeviceClassRow[] = [
  { ...NVIDIA, name: 'gpu.nvidia.com', type: 'gpu', extendedResource: 'nvidia.com/gpu' },
  { ...NVIDIA, name: 'mig.nvidia.com', type: 'mig' },
  { ...NVIDIA, name: 'vfio.gpu.nvidia.com', type: 'vfio' },
  {
    name: 'gpu.amd.com',
    driver: 'gpu.amd.com',
    source: 'ROCm/k8s-gpu-dra-driver',
    asOf: '2025-10-31',
    secondHand: ['name'],
  },
  {
    name: 'efa.networking.k8s.aws',
    driver: 'dra.net',
    source: 'aws/eks-charts aws-dranet 1.0.0',
    asOf: '2026-11-01',
  },
  { name: 'mrdma.google.com', driver: 'dra.net', source: 'GKE managed DRANET', asOf: '2026-11-01' },
  { name: 'netdev.google.com', driver: 'dra.net', source: 'GKE managed DRANET', asOf: '2026-11-01' },
];

/** A network device, and how pods claim it. */
interface NetworkDeviceRow extends SourcedRow {
  /** Its name in instance types. */
  readonly name: 'efa' | 'gvnic' | 'roce' | 'infiniband';

  /** The fabric of the device, as node attributes state it. */
  readonly fabric: 'EFA' | 'TCPX' | 'TCPXO' | 'RoCE' | 'InfiniBand' | 'Ethernet';

  /** The DRA driver that publishes it. */
  readonly driver: string;

  /** The DeviceClass through which pods claim it. Absent if no supported driver installs one. */
  readonly deviceClassName?: string;
}

/** The network devices of GPU machines. DRANET publishes all of them. */
export const NETWORK_DEVICES: readonly NetworkDeviceRow[] = [
  {
    name: 'efa',
    fabric: 'EFA',
    driver: 'dra.net',
    deviceClassName: 'efa.networking.k8s.aws',
    source: 'aws/eks-charts aws-dranet 1.0.0; EKS user guide, device-management-efa',
    asOf: '2026-11-01',
  },
  {
    name: 'roce',
    fabric: 'RoCE',
    driver: 'dra.net',
    deviceClassName: 'mrdma.google.com',
    source: 'GKE managed DRANET',
    asOf: '2026-11-01',
  },
  {
    name: 'gvnic',
    fabric: 'Ethernet',
    driver: 'dra.net',
    deviceClassName: 'netdev.google.com',
    source: 'GKE managed DRANET',
    asOf: '2026-11-01',
  },
  {
    name: 'infiniband',
    fabric: 'InfiniBand',
    driver: 'dra.net',
    source: 'kubernetes-sigs/dranet 1.4.0',
    asOf: '2026-11-01',
  },
];
