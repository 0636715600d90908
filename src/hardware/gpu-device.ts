import type { Gpu } from '../api/catalogue-file';
import type { Device } from '../api/device';

/** The name of the GPUs in a class that is made from the catalogue. */
export const GPU_DEVICE = 'gpu';

const NVIDIA = 'gpu.nvidia.com';

/** What the device plugin beside each driver counts GPUs as, for clusters without DRA. */
const EXTENDED_RESOURCES: Readonly<Record<string, string | undefined>> = {
  [NVIDIA]: 'nvidia.com/gpu',
  'gpu.amd.com': 'amd.com/gpu',
};

/** GPUs of a node as their driver publishes them. What depends on the node, as the driver's version, is not stated. */
export function gpuDevice(gpu: Gpu, count: number): Device {
  const driver = gpu.driver ?? NVIDIA;
  const extendedResource = EXTENDED_RESOURCES[driver];
  const { productName, brand, architecture, cudaComputeCapability } = gpu;
  return {
    name: GPU_DEVICE,
    claim: 'DRA',
    driver,
    deviceClassName: gpu.deviceClassName ?? driver,
    ...(extendedResource !== undefined && { extendedResource }),
    count,
    attributes: {
      ...(driver === NVIDIA && { type: { string: 'gpu' } }),
      productName: { string: productName },
      ...(brand !== undefined && { brand: { string: brand } }),
      ...(architecture !== undefined && { architecture: { string: architecture } }),
      ...(cudaComputeCapability !== undefined && {
        cudaComputeCapability: { version: cudaComputeCapability },
      }),
      ...gpu.attributes,
    },
    capacity: { memory: { value: gpu.memory } },
  };
}
