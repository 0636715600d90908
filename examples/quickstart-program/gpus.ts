import type { DeviceProps } from 'fleetwright/constructs';

/** What the driver of NVIDIA publishes of a GPU. Memory is what it says, not what the box says. */
const GPUS = {
  l4: { productName: 'NVIDIA L4', architecture: 'Ada Lovelace', capability: '8.9.0', memory: '23034Mi' },
  l40s: { productName: 'NVIDIA L40S', architecture: 'Ada Lovelace', capability: '8.9.0', memory: '46068Mi' },
  h200: { productName: 'NVIDIA H200', architecture: 'Hopper', capability: '9.0.0', memory: '143771Mi' },
};

/** The GPUs of a node. */
export function gpus(model: keyof typeof GPUS, count: number): DeviceProps[] {
  const { productName, architecture, capability, memory } = GPUS[model];
  return [
    {
      name: 'gpu',
      driver: 'gpu.nvidia.com',
      deviceClassName: 'gpu.nvidia.com',
      count,
      attributes: {
        type: { string: 'gpu' },
        productName: { string: productName },
        architecture: { string: architecture },
        cudaComputeCapability: { version: capability },
      },
      capacity: { memory: { value: memory } },
    },
  ];
}
