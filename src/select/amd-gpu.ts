import { amount, flag, integer, text, version } from './facts';

const DRIVER = 'gpu.amd.com';

/** Conditions on GPUs of AMD, by what their driver publishes. */
export const amdGpu = {
  type: text(DRIVER, 'type'),
  productName: text(DRIVER, 'productName'),
  numaNode: integer(DRIVER, 'numaNode'),
  driverVersion: version(DRIVER, 'driverVersion'),
  driverVersionFull: text(DRIVER, 'driverVersionFull'),
  deviceID: text(DRIVER, 'deviceID'),
  vendorID: text(DRIVER, 'vendorID'),
  partitionProfile: text(DRIVER, 'partitionProfile'),
  pcieRoot: text(DRIVER, 'pcieRoot'),
  isVF: flag(DRIVER, 'isVF'),
  family: text(DRIVER, 'family'),
  driverSrcVersion: text(DRIVER, 'driverSrcVersion'),
  memory: amount(DRIVER, 'memory'),
  computeUnits: amount(DRIVER, 'computeUnits'),
  simdUnits: amount(DRIVER, 'simdUnits'),
} as const;
