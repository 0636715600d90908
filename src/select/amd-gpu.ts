import { amount, text, version } from './facts';

const DRIVER = 'gpu.amd.com';

/** Conditions on GPUs of AMD, by what their driver publishes. */
export const amdGpu = {
  type: text(DRIVER, 'type'),
  deviceID: text(DRIVER, 'deviceID'),
  family: text(DRIVER, 'family'),
  productName: text(DRIVER, 'productName'),
  driverVersion: version(DRIVER, 'driverVersion'),
  driverSrcVersion: text(DRIVER, 'driverSrcVersion'),
  partitionProfile: text(DRIVER, 'partitionProfile'),
  memory: amount(DRIVER, 'memory'),
  computeUnits: amount(DRIVER, 'computeUnits'),
  simdUnits: amount(DRIVER, 'simdUnits'),
} as const;
