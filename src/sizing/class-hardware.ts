import type { ClassDevice } from '../api/device';
import type { InferenceClass } from '../api/inference-class';
import type { Gpu } from '../catalog/row-types';
import { parseQuantity } from '../cel/values/quantity';
import { type GpuWithFigures, recognizeGpu } from './find-gpu';

/** The devices of a class that engines compute on: those that publish memory. Undefined if it has none. */
export function gpuDeviceOf({ spec }: InferenceClass): ClassDevice | undefined {
  return spec.devices.find((one) => one.claim === 'DRA' && memoryOf(one) !== undefined);
}

/** The GPU that a device is. */
export function gpuOfDevice(device: ClassDevice, gpus: readonly Gpu[]): GpuWithFigures {
  const { attributes, driver = 'gpu.nvidia.com', name } = device;
  const texts = new Set(Object.values(attributes).flatMap((one) => ('string' in one ? [one.string] : [])));
  const memoryBytes = parseQuantity(memoryOf(device) ?? '0').asApproximateFloat();
  const { exact: _, ...gpu } = recognizeGpu({ name, driver, memoryBytes, texts }, gpus);
  return gpu;
}

/** The memory that a device publishes, under the domain of its driver or without one. */
export function memoryOf({ capacity }: ClassDevice): string | undefined {
  return Object.entries(capacity).find(([name]) => name.split('/').at(-1) === 'memory')?.[1].value;
}
