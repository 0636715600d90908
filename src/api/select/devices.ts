import { NODE_DRIVER } from '../../catalog/drivers';
import type { Architecture } from '../../catalog/gpu-architectures';
import {
  createFlagFact,
  createIntegerFact,
  createQuantityFact,
  createTextFact,
  createVersionFact,
  supports,
} from './attribute-conditions';

const NVIDIA_GPU_DRIVER = 'gpu.nvidia.com';

/**
 * Conditions on NVIDIA GPUs, by the attributes that their driver publishes. Memory is the published value: 79Gi for an
 * H100 with 80 GB.
 *
 * @example
 * const h100 = and(gpu.architecture.is('Hopper'), gpu.memory.atLeast('79Gi'), gpu.supports('FP8'));
 */
export const gpu = {
  type: createTextFact<'gpu' | 'mig' | 'vfio'>(NVIDIA_GPU_DRIVER, 'type'),
  productName: createTextFact(NVIDIA_GPU_DRIVER, 'productName'),
  brand: createTextFact(NVIDIA_GPU_DRIVER, 'brand'),
  architecture: createTextFact<Architecture>(NVIDIA_GPU_DRIVER, 'architecture'),
  cudaComputeCapability: createVersionFact(NVIDIA_GPU_DRIVER, 'cudaComputeCapability'),
  driverVersion: createVersionFact(NVIDIA_GPU_DRIVER, 'driverVersion'),
  cudaDriverVersion: createVersionFact(NVIDIA_GPU_DRIVER, 'cudaDriverVersion'),
  addressingMode: createTextFact<'None' | 'HMM' | 'ATS'>(NVIDIA_GPU_DRIVER, 'addressingMode'),
  pcieRoot: createTextFact(NVIDIA_GPU_DRIVER, 'pcieRoot'),
  numaNode: createIntegerFact(NVIDIA_GPU_DRIVER, 'numaNode'),
  gpuModuleID: createIntegerFact(NVIDIA_GPU_DRIVER, 'gpuModuleID'),
  profile: createTextFact(NVIDIA_GPU_DRIVER, 'profile'),
  deviceID: createTextFact(NVIDIA_GPU_DRIVER, 'deviceID'),
  vendorID: createTextFact(NVIDIA_GPU_DRIVER, 'vendorID'),
  numa: createIntegerFact(NVIDIA_GPU_DRIVER, 'numa'),
  iommuFDEnabled: createFlagFact(NVIDIA_GPU_DRIVER, 'iommuFDEnabled'),
  memory: createQuantityFact(NVIDIA_GPU_DRIVER, 'memory'),
  shares: createQuantityFact(NVIDIA_GPU_DRIVER, 'shares'),
  multiprocessors: createQuantityFact(NVIDIA_GPU_DRIVER, 'multiprocessors'),
  copyEngines: createQuantityFact(NVIDIA_GPU_DRIVER, 'copyEngines'),
  decoders: createQuantityFact(NVIDIA_GPU_DRIVER, 'decoders'),
  encoders: createQuantityFact(NVIDIA_GPU_DRIVER, 'encoders'),
  jpegEngines: createQuantityFact(NVIDIA_GPU_DRIVER, 'jpegEngines'),
  ofaEngines: createQuantityFact(NVIDIA_GPU_DRIVER, 'ofaEngines'),
  addressableMemory: createQuantityFact(NVIDIA_GPU_DRIVER, 'addressableMemory'),
  /** The tensor cores support this number format. */
  supports,
} as const;

const AMD_GPU_DRIVER = 'gpu.amd.com';

/**
 * Conditions on AMD GPUs, by the attributes that their driver publishes.
 *
 * @example
 * const mi300x = and(amdGpu.family.is('AI'), amdGpu.memory.atLeast('192Gi'));
 */
export const amdGpu = {
  type: createTextFact(AMD_GPU_DRIVER, 'type'),
  productName: createTextFact(AMD_GPU_DRIVER, 'productName'),
  numaNode: createIntegerFact(AMD_GPU_DRIVER, 'numaNode'),
  driverVersion: createVersionFact(AMD_GPU_DRIVER, 'driverVersion'),
  driverVersionFull: createTextFact(AMD_GPU_DRIVER, 'driverVersionFull'),
  deviceID: createTextFact(AMD_GPU_DRIVER, 'deviceID'),
  vendorID: createTextFact(AMD_GPU_DRIVER, 'vendorID'),
  partitionProfile: createTextFact(AMD_GPU_DRIVER, 'partitionProfile'),
  pcieRoot: createTextFact(AMD_GPU_DRIVER, 'pcieRoot'),
  isVF: createFlagFact(AMD_GPU_DRIVER, 'isVF'),
  family: createTextFact(AMD_GPU_DRIVER, 'family'),
  driverSrcVersion: createTextFact(AMD_GPU_DRIVER, 'driverSrcVersion'),
  computePartition: createTextFact(AMD_GPU_DRIVER, 'computePartition'),
  memoryPartition: createTextFact(AMD_GPU_DRIVER, 'memoryPartition'),
  memory: createQuantityFact(AMD_GPU_DRIVER, 'memory'),
  computeUnits: createQuantityFact(AMD_GPU_DRIVER, 'computeUnits'),
  simdUnits: createQuantityFact(AMD_GPU_DRIVER, 'simdUnits'),
  partitions: createQuantityFact(AMD_GPU_DRIVER, 'partitions'),
} as const;

const NIC_DRIVER = 'dra.net';

/**
 * Conditions on network devices, by the attributes that DRANET publishes.
 *
 * @example
 * const rdma = and(nic.rdma.isTrue(), nic.virtual.isFalse());
 */
export const nic = {
  rdma: createFlagFact(NIC_DRIVER, 'rdma'),
  rdmaDevice: createTextFact(NIC_DRIVER, 'rdmaDevice'),
  ifName: createTextFact(NIC_DRIVER, 'ifName'),
  mtu: createIntegerFact(NIC_DRIVER, 'mtu'),
  encapsulation: createTextFact(NIC_DRIVER, 'encapsulation'),
  alias: createTextFact(NIC_DRIVER, 'alias'),
  state: createTextFact(NIC_DRIVER, 'state'),
  type: createTextFact(NIC_DRIVER, 'type'),
  ebpf: createFlagFact(NIC_DRIVER, 'ebpf'),
  sriov: createFlagFact(NIC_DRIVER, 'sriov'),
  virtual: createFlagFact(NIC_DRIVER, 'virtual'),
  tcFilterNames: createTextFact(NIC_DRIVER, 'tcFilterNames'),
  tcxProgramNames: createTextFact(NIC_DRIVER, 'tcxProgramNames'),
  sriovVfs: createIntegerFact(NIC_DRIVER, 'sriovVfs'),
  isSriovVf: createFlagFact(NIC_DRIVER, 'isSriovVf'),
  pciVendor: createTextFact(NIC_DRIVER, 'pciVendor'),
  pciDevice: createTextFact(NIC_DRIVER, 'pciDevice'),
  pciSubsystem: createTextFact(NIC_DRIVER, 'pciSubsystem'),
  numaNode: createIntegerFact(NIC_DRIVER, 'numaNode'),
  pcieRoot: createTextFact(NIC_DRIVER, 'pcieRoot'),
} as const;

/**
 * Conditions on the node, by the attributes that catalog classes state. The device is synthetic: a request for it
 * restricts the nodes of a pod, and claims nothing.
 *
 * @example
 * const nvlink = and(node.interconnect.is('NVSwitch'), node.memory.atLeast('1Ti'));
 */
export const node = {
  instanceType: createTextFact(NODE_DRIVER, 'instanceType'),
  interconnect: createTextFact<'PCIe' | 'NVLink' | 'NVSwitch' | 'NVL72'>(NODE_DRIVER, 'interconnect'),
  fabric: createTextFact<'EFA' | 'TCPX' | 'TCPXO' | 'RoCE' | 'InfiniBand' | 'Ethernet'>(NODE_DRIVER, 'fabric'),
  cpuArchitecture: createTextFact<'amd64' | 'arm64'>(NODE_DRIVER, 'cpuArchitecture'),
  cpu: createQuantityFact(NODE_DRIVER, 'cpu'),
  memory: createQuantityFact(NODE_DRIVER, 'memory'),
  nicBandwidth: createQuantityFact(NODE_DRIVER, 'nicBandwidth'),
  nics: createQuantityFact(NODE_DRIVER, 'nics'),
  interconnectBandwidth: createQuantityFact(NODE_DRIVER, 'interconnectBandwidth'),
  localDisk: createQuantityFact(NODE_DRIVER, 'localDisk'),
} as const;
