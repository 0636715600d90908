import { NEURON_DRIVER } from './neuron';
import type { SourcedRow } from './row-types';
import { TPU_DRIVER } from './tpus';

/** The type of a value that a driver publishes. A quantity is a capacity. All other types are attributes. */
export type AttributeType = 'string' | 'version' | 'int' | 'bool' | 'quantity';

/** An attribute or capacity that a driver publishes. */
export interface AttributeRow {
  readonly name: string;
  readonly type: AttributeType;

  /** The domain, if it is not the domain of the driver. */
  readonly domain?: string;

  /** The reason why some devices omit it, as a clause. Absent if every device has it. */
  readonly optional?: string;

  /** Whether it identifies one physical device, so that a selector on it fails when the device is replaced. */
  readonly identity?: true;

  /** A value as the driver writes it, for messages. */
  readonly sample: string;
}

/** A DRA driver, and the attributes and capacity of its devices. */
export interface DriverRow extends SourcedRow {
  readonly name: string;
  readonly facts: readonly AttributeRow[];
}

/** The domain of attributes whose names Kubernetes defines for all drivers. */
const STANDARD = 'resource.kubernetes.io';

const PCIE_ROOT: AttributeRow = {
  name: 'pcieRoot',
  type: 'string',
  domain: STANDARD,
  optional: 'virtual machines may hide it',
  sample: 'pci0000:64',
};

const PCI_BUS_ID: AttributeRow = {
  name: 'pciBusID',
  type: 'string',
  domain: STANDARD,
  optional: 'not every device is on a PCI bus',
  identity: true,
  sample: '0000:65:00.0',
};

const PARTITION = 'only partitions have it';
const PASSTHROUGH = 'only devices for passthrough have it';
const SHARED = 'only the option --consumable-shares of driver 0.5 publishes it';
const FUTURE = 'driver 0.4 does not publish it';

/** The NVIDIA DRA driver 0.4, with the additions of 0.5. */
const NVIDIA: DriverRow = {
  name: 'gpu.nvidia.com',
  source: 'kubernetes-sigs/dra-driver-nvidia-gpu 0.4.1, deviceinfo.go, and its page on ResourceSlice attributes',
  asOf: '2026-11-01',
  facts: [
    { name: 'type', type: 'string', sample: 'gpu' },
    { name: 'uuid', type: 'string', identity: true, sample: 'GPU-2fa8...' },
    { name: 'productName', type: 'string', sample: 'NVIDIA H200' },
    { name: 'brand', type: 'string', sample: 'Nvidia' },
    { name: 'architecture', type: 'string', sample: 'Hopper' },
    { name: 'cudaComputeCapability', type: 'version', sample: '9.0.0' },
    { name: 'driverVersion', type: 'version', sample: '580.126.20' },
    { name: 'cudaDriverVersion', type: 'version', sample: '13.0.0' },
    { name: 'addressingMode', type: 'string', optional: 'older drivers do not tell it', sample: 'HMM' },
    PCIE_ROOT,
    PCI_BUS_ID,
    { name: 'numaNode', type: 'int', domain: STANDARD, optional: FUTURE, sample: '0' },
    { name: 'gpuModuleID', type: 'int', optional: FUTURE, sample: '1' },
    { name: 'parentUUID', type: 'string', optional: PARTITION, identity: true, sample: 'GPU-2fa8...' },
    { name: 'profile', type: 'string', optional: PARTITION, sample: '1g.5gb' },
    { name: 'deviceID', type: 'string', optional: PASSTHROUGH, sample: '0x20b0' },
    { name: 'vendorID', type: 'string', optional: PASSTHROUGH, sample: '0x10de' },
    { name: 'numa', type: 'int', optional: PASSTHROUGH, sample: '0' },
    { name: 'iommuFDEnabled', type: 'bool', optional: PASSTHROUGH, sample: 'true' },
    { name: 'memory', type: 'quantity', sample: '81559Mi' },
    { name: 'shares', type: 'quantity', optional: SHARED, sample: '10' },
    { name: 'multiprocessors', type: 'quantity', optional: PARTITION, sample: '14' },
    { name: 'copyEngines', type: 'quantity', optional: PARTITION, sample: '1' },
    { name: 'decoders', type: 'quantity', optional: PARTITION, sample: '1' },
    { name: 'encoders', type: 'quantity', optional: PARTITION, sample: '0' },
    { name: 'jpegEngines', type: 'quantity', optional: PARTITION, sample: '0' },
    { name: 'ofaEngines', type: 'quantity', optional: PARTITION, sample: '0' },
    { name: 'addressableMemory', type: 'quantity', optional: PASSTHROUGH, sample: '80Gi' },
  ],
};

const NOT_ALWAYS = 'the driver does not always tell it';
const EARLIER = 'only earlier versions of the driver have it';
const EARLIER_PARTITION = 'only partitions of earlier versions of the driver have it';
const AUTO_PARTITION = 'only the feature gate AutoPartition of the driver publishes it';

/** The AMD DRA driver: its current attributes, and the attributes of earlier versions. */
const AMD: DriverRow = {
  name: 'gpu.amd.com',
  source: 'ROCm/k8s-gpu-dra-driver, cmd/gpu-kubeletplugin/deviceinfo.go',
  asOf: '2026-11-21',
  facts: [
    { name: 'type', type: 'string', sample: 'amdgpu' },
    { name: 'productName', type: 'string', sample: 'AMD_Instinct_MI300X_OAM' },
    { name: 'numaNode', type: 'int', sample: '0' },
    { name: 'driverVersion', type: 'version', optional: NOT_ALWAYS, sample: '6.12.12' },
    { name: 'driverVersionFull', type: 'string', optional: NOT_ALWAYS, sample: '6.12.12-generic' },
    { name: 'deviceID', type: 'string', optional: NOT_ALWAYS, sample: '0x74a1' },
    { name: 'partitionProfile', type: 'string', optional: NOT_ALWAYS, sample: 'spx_nps1' },
    PCIE_ROOT,
    PCI_BUS_ID,
    { name: 'vendorID', type: 'string', optional: PASSTHROUGH, sample: '0x1002' },
    { name: 'iommuGroup', type: 'string', optional: PASSTHROUGH, identity: true, sample: '42' },
    { name: 'isVF', type: 'bool', optional: PASSTHROUGH, sample: 'true' },
    { name: 'pciAddr', type: 'string', optional: PASSTHROUGH, identity: true, sample: '0000:65:00.0' },
    { name: 'cardIndex', type: 'int', optional: EARLIER, identity: true, sample: '1' },
    { name: 'renderIndex', type: 'int', optional: EARLIER, identity: true, sample: '128' },
    { name: 'family', type: 'string', optional: EARLIER, sample: 'AI' },
    { name: 'driverSrcVersion', type: 'string', optional: EARLIER, sample: '4D3C2B1A' },
    { name: 'parentPciAddr', type: 'string', optional: EARLIER_PARTITION, identity: true, sample: '0000:65:00.0' },
    { name: 'parentDeviceID', type: 'string', optional: EARLIER_PARTITION, identity: true, sample: '9949' },
    { name: 'computePartition', type: 'string', optional: AUTO_PARTITION, sample: 'cpx' },
    { name: 'memoryPartition', type: 'string', optional: AUTO_PARTITION, sample: 'nps4' },
    { name: 'gpuIndex', type: 'int', optional: AUTO_PARTITION, identity: true, sample: '0' },
    { name: 'memory', type: 'quantity', sample: '196592Mi' },
    { name: 'computeUnits', type: 'quantity', sample: '304' },
    { name: 'simdUnits', type: 'quantity', sample: '1216' },
    { name: 'partitions', type: 'quantity', optional: AUTO_PARTITION, sample: '8' },
  ],
};

const INTERFACE = 'a device without a network interface has none';
const ON_PCI = 'a virtual interface is on no PCI bus';
const ADDRESSED = 'not every interface has one';
const FILTERED = 'only interfaces with such programs have it';
const VIRTUAL_FUNCTIONS = 'only interfaces with virtual functions have it';

/**
 * The groups of connected Neuron devices on AWS, and the EFA cards next to them. The values differ by node, so they are
 * for `matchAttribute` only.
 */
function groupsOfConnected(optional: string): AttributeRow[] {
  return [1, 4, 8, 16].map((size) => ({
    name: `devicegroup${size}_id`,
    type: 'string',
    domain: 'resource.aws.com',
    optional,
    identity: true,
    sample: size === 1 ? '0000:10:19.0' : '178a9e264a26793e',
  }));
}

/** DRANET: network devices, including EFA and the RDMA networks of GKE. */
const DRANET: DriverRow = {
  name: 'dra.net',
  source: 'kubernetes-sigs/dranet, pkg/inventory/db.go',
  asOf: '2026-11-21',
  facts: [
    { name: 'rdma', type: 'bool', sample: 'true' },
    {
      name: 'rdmaDevice',
      type: 'string',
      optional: 'only RDMA devices without an interface have it',
      sample: 'mlx5_0',
    },
    { name: 'ifName', type: 'string', optional: INTERFACE, sample: 'eth1' },
    { name: 'mac', type: 'string', optional: INTERFACE, identity: true, sample: '02:42:ac:11:00:02' },
    { name: 'mtu', type: 'int', optional: INTERFACE, sample: '8896' },
    { name: 'encapsulation', type: 'string', optional: INTERFACE, sample: 'ether' },
    { name: 'alias', type: 'string', optional: INTERFACE, sample: 'rail-0' },
    { name: 'state', type: 'string', optional: INTERFACE, sample: 'up' },
    { name: 'type', type: 'string', optional: INTERFACE, sample: 'device' },
    { name: 'ebpf', type: 'bool', optional: INTERFACE, sample: 'false' },
    { name: 'sriov', type: 'bool', optional: INTERFACE, sample: 'false' },
    { name: 'virtual', type: 'bool', optional: INTERFACE, sample: 'false' },
    { name: 'ipv4', type: 'string', optional: ADDRESSED, identity: true, sample: '10.0.0.2/32' },
    { name: 'ipv6', type: 'string', optional: ADDRESSED, identity: true, sample: 'fd00::2/128' },
    { name: 'tcFilterNames', type: 'string', optional: FILTERED, sample: 'cil_from_netdev' },
    { name: 'tcxProgramNames', type: 'string', optional: FILTERED, sample: 'cil_from_netdev' },
    { name: 'sriovVfs', type: 'int', optional: VIRTUAL_FUNCTIONS, sample: '8' },
    { name: 'isSriovVf', type: 'bool', optional: VIRTUAL_FUNCTIONS, sample: 'true' },
    { name: 'pciAddress', type: 'string', optional: ON_PCI, identity: true, sample: '0000:c8:00.0' },
    { name: 'pciVendor', type: 'string', optional: ON_PCI, sample: 'Mellanox Technologies' },
    { name: 'pciDevice', type: 'string', optional: ON_PCI, sample: 'Elastic Fabric Adapter (EFA)' },
    { name: 'pciSubsystem', type: 'string', optional: ON_PCI, sample: '0051' },
    { name: 'numaNode', type: 'int', optional: ON_PCI, sample: '0' },
    PCIE_ROOT,
    ...groupsOfConnected('only EFA cards on instances with Neuron devices have it'),
  ],
};

/**
 * The network driver of AWS for EFA, RoCE and ENA, next to DRANET. No public source shows its attributes, except the one
 * by which NVSentinel counts cards.
 */
const AWS_NETWORK: DriverRow = {
  name: 'dra.networking.k8s.aws',
  source: 'NVIDIA/NVSentinel, labeler: expressions that count cards of ResourceSlices',
  asOf: '2026-11-24',
  facts: [
    {
      name: 'deviceType',
      type: 'string',
      domain: 'dra.vpc.amazonaws.com',
      optional: 'no source shows it for every device',
      sample: 'roce',
    },
  ],
};

const EARLY_PCI_ROOT: AttributeRow = {
  name: 'pciRoot',
  type: 'string',
  optional: 'version 1.0 of the driver removes it',
  sample: '64',
};

/** The Intel GPU driver. */
const INTEL_GPU: DriverRow = {
  name: 'gpu.intel.com',
  source: 'intel/intel-resource-drivers-for-kubernetes at 1da939f, cmd/kubelet-gpu-plugin/node_state.go',
  asOf: '2026-11-23',
  facts: [
    { name: 'model', type: 'string', sample: 'Max 1550' },
    { name: 'family', type: 'string', sample: 'Max Series' },
    { name: 'driver', type: 'string', sample: 'xe' },
    { name: 'sriov', type: 'bool', sample: 'true' },
    { name: 'type', type: 'string', sample: 'gpu' },
    { name: 'pciId', type: 'string', sample: '0x0bd5' },
    { name: 'pciAddress', type: 'string', identity: true, sample: '0000:65:00.0' },
    { name: 'health', type: 'string', sample: 'Healthy' },
    EARLY_PCI_ROOT,
    PCIE_ROOT,
    PCI_BUS_ID,
    { name: 'memory', type: 'quantity', sample: '128Gi' },
    { name: 'millicores', type: 'quantity', sample: '1k' },
  ],
};

/** The Intel Gaudi driver. It does not publish the memory. */
const GAUDI: DriverRow = {
  name: 'gaudi.intel.com',
  source: 'intel/intel-resource-drivers-for-kubernetes at 1da939f, cmd/kubelet-gaudi-plugin/node_state.go',
  asOf: '2026-11-23',
  facts: [
    { name: 'model', type: 'string', sample: 'Gaudi3' },
    { name: 'serial', type: 'string', identity: true, sample: 'AN01234567' },
    { name: 'healthy', type: 'bool', sample: 'true' },
    EARLY_PCI_ROOT,
    PCIE_ROOT,
  ],
};

/** The Google TPU driver. It publishes no capacity. */
const TPU: DriverRow = {
  name: TPU_DRIVER,
  source: 'kubernetes-sigs/dra-driver-google-tpu at f5a9d8c, cmd/tpu-dra-kubeletplugin/manager.go',
  asOf: '2026-11-23',
  facts: [
    { name: 'index', type: 'int', identity: true, sample: '0' },
    { name: 'uuid', type: 'string', identity: true, sample: 'tpu-2fa8...' },
    { name: 'tpuGen', type: 'string', sample: 'v6e' },
    { name: 'brand', type: 'string', sample: 'Google' },
    { name: 'accelerator', type: 'string', sample: 'tpu-v6e-slice' },
    { name: 'chipCount', type: 'int', sample: '4' },
    { name: 'topology', type: 'string', optional: 'a node of a multi-host slice may not know it', sample: '2x2' },
  ],
};

const IN_GRID = 'only Trainium instances with several devices, outside of UltraServers, have it';
const IN_LARGE_GRID = 'only Trainium instances with 8 devices or more, outside of UltraServers, have it';
const IN_TOPOLOGY = 'not every instance has a place in the topology of EC2';

/** The AWS Neuron driver. No source shows a capacity. */
const NEURON: DriverRow = {
  name: NEURON_DRIVER,
  source: 'aws-neuron/aws-neuron-sdk 2.29, Neuron DRA Driver Attributes Reference',
  asOf: '2026-11-24',
  facts: [
    { name: 'deviceId', type: 'int', identity: true, sample: '0' },
    { name: 'instanceType', type: 'string', sample: 'trn2.48xlarge' },
    { name: 'neuronDriverVersion', type: 'string', sample: '2.24.7.0' },
    { name: 'draDriverVersion', type: 'version', sample: '1.2.0' },
    { name: 'resourceType', type: 'string', sample: 'neuron_device' },
    ...[1, 2, 3].map((layer): AttributeRow => {
      const name = `networkNodeLayer${layer}`;
      return { name, type: 'string', optional: IN_TOPOLOGY, identity: true, sample: 'nn-0123456789abcdef0' };
    }),
    { name: 'topology_x', type: 'int', optional: IN_GRID, identity: true, sample: '0' },
    { name: 'topology_y', type: 'int', optional: IN_GRID, identity: true, sample: '3' },
    { name: 'topology4_id', type: 'int', optional: IN_GRID, identity: true, sample: '0' },
    { name: 'topology8_id', type: 'int', optional: IN_LARGE_GRID, identity: true, sample: '0' },
    {
      name: 'capacityBlockId',
      type: 'string',
      optional: 'only instances of UltraServers have it',
      sample: 'cr-0123456789abcdef0',
    },
    ...groupsOfConnected('only instances with EFA have it'),
  ],
};

/** The driver of the synthetic device that represents the node. Pods do not claim it. */
export const NODE_DRIVER = 'node.fleetwright.dev';

const UNSTATED = 'not every instance type states it';

const NODE: DriverRow = {
  name: NODE_DRIVER,
  source: 'the instance types of this catalog',
  asOf: '2026-11-01',
  facts: [
    { name: 'instanceType', type: 'string', optional: 'a macro stands for several', sample: 'aws/p5.48xlarge' },
    { name: 'interconnect', type: 'string', optional: UNSTATED, sample: 'NVSwitch' },
    { name: 'fabric', type: 'string', optional: UNSTATED, sample: 'EFA' },
    { name: 'cpuArchitecture', type: 'string', sample: 'amd64' },
    { name: 'cpu', type: 'quantity', sample: '192' },
    { name: 'memory', type: 'quantity', sample: '2048Gi' },
    { name: 'nicBandwidth', type: 'quantity', optional: UNSTATED, sample: '3200G' },
    { name: 'nics', type: 'quantity', optional: UNSTATED, sample: '32' },
    { name: 'interconnectBandwidth', type: 'quantity', optional: UNSTATED, sample: '900G' },
    { name: 'localDisk', type: 'quantity', optional: UNSTATED, sample: '28Ti' },
  ],
};

/** The drivers whose devices the catalog describes. */
export const DRIVERS: readonly DriverRow[] = [NVIDIA, AMD, INTEL_GPU, GAUDI, TPU, NEURON, DRANET, AWS_NETWORK, NODE];
