import type { Gpu } from '../api/catalogue-file';
import type { Device } from '../api/device';

/** The name of the GPUs in a class that is made from the catalogue. */
export const GPU_DEVICE = 'gpu';

const NVIDIA = 'gpu.nvidia.com';

/** GPUs of a node as their driver publishes them. What depends on the node, as the driver's version, is not stated. */
export function gpuDevice(gpu: Gpu, count: number): Device {
  const driver = gpu.driver ?? NVIDIA;
  const { productName, brand, architecture, cudaComputeCapability } = gpu;
  return {
    name: GPU_DEVICE,
    claim: 'DRA',
    driver,
    deviceClassName: gpu.deviceClassName ?? driver,
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
