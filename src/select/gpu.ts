import type { Architecture } from '../catalog/architectures';
import { amount, flag, integer, supports, text, version } from './facts';

const DRIVER = 'gpu.nvidia.com';

/**
 * Conditions on GPUs of NVIDIA, by what their driver publishes. Memory is what it publishes: 79Gi for an H100 of 80 GB.
 *
 * @example
 * const h100 = and(gpu.architecture.is('Hopper'), gpu.memory.atLeast('79Gi'), gpu.supports('FP8'));
 */
export const gpu = {
  type: text<'gpu' | 'mig' | 'vfio'>(DRIVER, 'type'),
  productName: text(DRIVER, 'productName'),
  brand: text(DRIVER, 'brand'),
  architecture: text<Architecture>(DRIVER, 'architecture'),
  cudaComputeCapability: version(DRIVER, 'cudaComputeCapability'),
  driverVersion: version(DRIVER, 'driverVersion'),
  cudaDriverVersion: version(DRIVER, 'cudaDriverVersion'),
  addressingMode: text<'None' | 'HMM' | 'ATS'>(DRIVER, 'addressingMode'),
  pcieRoot: text(DRIVER, 'pcieRoot'),
  numaNode: integer(DRIVER, 'numaNode'),
  gpuModuleID: integer(DRIVER, 'gpuModuleID'),
  profile: text(DRIVER, 'profile'),
  deviceID: text(DRIVER, 'deviceID'),
  vendorID: text(DRIVER, 'vendorID'),
  numa: integer(DRIVER, 'numa'),
  iommuFDEnabled: flag(DRIVER, 'iommuFDEnabled'),
  memory: amount(DRIVER, 'memory'),
  multiprocessors: amount(DRIVER, 'multiprocessors'),
  copyEngines: amount(DRIVER, 'copyEngines'),
  decoders: amount(DRIVER, 'decoders'),
  encoders: amount(DRIVER, 'encoders'),
  jpegEngines: amount(DRIVER, 'jpegEngines'),
  ofaEngines: amount(DRIVER, 'ofaEngines'),
  addressableMemory: amount(DRIVER, 'addressableMemory'),
  /** It multiplies numbers of this format on its tensor cores. */
  supports,
} as const;
