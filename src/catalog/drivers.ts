import type { DriverRow, FactRow } from './driver';

/** Facts whose names Kubernetes fixes for all drivers. */
const STANDARD = 'resource.kubernetes.io';

const PCIE_ROOT: FactRow = {
  name: 'pcieRoot',
  type: 'string',
  domain: STANDARD,
  optional: 'virtual machines may hide it',
  sample: 'pci0000:64',
};

const PCI_BUS_ID: FactRow = {
  name: 'pciBusID',
  type: 'string',
  domain: STANDARD,
  optional: 'not every device is on a PCI bus',
  identity: true,
  sample: '0000:65:00.0',
};

const PARTITION = 'only partitions have it';
const PASSTHROUGH = 'only devices for passthrough have it';
const FUTURE = 'driver 0.4 does not publish it';

/** The DRA driver of NVIDIA, as of 0.4 and what 0.5 adds. */
const NVIDIA: DriverRow = {
  name: 'gpu.nvidia.com',
  source:
    'kubernetes-sigs/dra-driver-nvidia-gpu 0.4.1, deviceinfo.go, and its page on ResourceSlice attributes',
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
    { name: 'multiprocessors', type: 'quantity', optional: PARTITION, sample: '14' },
    { name: 'copyEngines', type: 'quantity', optional: PARTITION, sample: '1' },
    { name: 'decoders', type: 'quantity', optional: PARTITION, sample: '1' },
    { name: 'encoders', type: 'quantity', optional: PARTITION, sample: '0' },
    { name: 'jpegEngines', type: 'quantity', optional: PARTITION, sample: '0' },
    { name: 'ofaEngines', type: 'quantity', optional: PARTITION, sample: '0' },
    { name: 'addressableMemory', type: 'quantity', optional: PASSTHROUGH, sample: '80Gi' },
  ],
};

/** The DRA driver of AMD. Types are those of the snapshot that was read; the driver is an alpha. */
const AMD: DriverRow = {
  name: 'gpu.amd.com',
  source: 'ROCm/k8s-gpu-dra-driver',
  asOf: '2025-10-31',
  secondHand: ['facts'],
  facts: [
    { name: 'type', type: 'string', sample: 'amdgpu' },
    { name: 'pciAddr', type: 'string', identity: true, sample: '0000:65:00.0' },
    { name: 'cardIndex', type: 'int', identity: true, sample: '1' },
    { name: 'renderIndex', type: 'int', identity: true, sample: '128' },
    { name: 'deviceID', type: 'string', sample: '0x74a1' },
    { name: 'family', type: 'string', sample: 'AI' },
    { name: 'productName', type: 'string', sample: 'AMD_Instinct_MI300X_OAM' },
    { name: 'driverVersion', type: 'version', sample: '6.12.12' },
    { name: 'driverSrcVersion', type: 'string', sample: '4D3C2B1A' },
    { name: 'partitionProfile', type: 'string', sample: 'spx_nps1' },
    { name: 'memory', type: 'quantity', sample: '196592Mi' },
    { name: 'computeUnits', type: 'quantity', sample: '304' },
    { name: 'simdUnits', type: 'quantity', sample: '1216' },
  ],
};

const IN_USE = 'only an interface with one has it';

/** DRANET: network interfaces, those of EFA and of GKE's RDMA networks too. */
const DRANET: DriverRow = {
  name: 'dra.net',
  source: 'kubernetes-sigs/dranet 1.4.0',
  asOf: '2026-11-01',
  secondHand: ['facts'],
  facts: [
    { name: 'ifName', type: 'string', optional: IN_USE, sample: 'eth1' },
    { name: 'pciAddress', type: 'string', optional: IN_USE, identity: true, sample: '0000:c8:00.0' },
    { name: 'mac', type: 'string', optional: IN_USE, identity: true, sample: '02:42:ac:11:00:02' },
    { name: 'pciVendor', type: 'string', optional: IN_USE, sample: 'Mellanox Technologies' },
    {
      name: 'pciDevice',
      type: 'string',
      optional: IN_USE,
      sample: 'Elastic Fabric Adapter (EFA)',
    },
    { name: 'numaNode', type: 'int', optional: IN_USE, sample: '0' },
    { name: 'mtu', type: 'int', optional: IN_USE, sample: '8896' },
    { name: 'type', type: 'string', optional: IN_USE, sample: 'device' },
    { name: 'ipv4', type: 'string', optional: IN_USE, identity: true, sample: '10.0.0.2/32' },
    { name: 'rdma', type: 'bool', optional: IN_USE, sample: 'true' },
    { name: 'rdmaDevice', type: 'string', optional: IN_USE, sample: 'mlx5_0' },
    { name: 'sriov', type: 'bool', optional: IN_USE, sample: 'false' },
    PCIE_ROOT,
  ],
};

/** The driver of the synthetic device that stands for the node itself. No pod claims it. */
export const NODE_DRIVER = 'node.fleetwright.dev';

const UNSTATED = 'not every instance type states it';

const NODE: DriverRow = {
  name: NODE_DRIVER,
  source: 'the instance types of this catalogue',
  asOf: '2026-11-01',
  facts: [
    {
      name: 'instanceType',
      type: 'string',
      optional: 'a macro stands for several',
      sample: 'aws/p5.48xlarge',
    },
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

/** Drivers whose devices the catalogue knows. */
export const DRIVERS: readonly DriverRow[] = [NVIDIA, AMD, DRANET, NODE];
