import type { ClassDevice } from '../api/device';
import type { InferenceClass } from '../api/inference-class';
import type { Gpu } from '../catalog/row-types';
import { parseQuantity } from '../cel/values/quantity';
import { TPU_DRIVER } from '../catalog/tpus';
import { type GpuWithFigures, recognizeGpu, sizeKnownGpu } from './find-gpu';

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

/** A device of a class, and the GPU that it is. */
export interface SizedDevice {
  readonly device: ClassDevice;
  readonly gpu: GpuWithFigures;

  /** Whether pods take all such devices of a node. */
  readonly wholeNodes?: true;
}

/** The devices of a class that sizing knows: those that publish memory, or TPUs of the catalog. */
export function sizedDeviceOf(declared: InferenceClass, gpus: readonly Gpu[]): SizedDevice | undefined {
  const device = gpuDeviceOf(declared);
  if (device) return { device, gpu: gpuOfDevice(device, gpus) };
  const tpu = declared.spec.devices.find(({ driver }) => driver === TPU_DRIVER);
  const known = tpu && gpus.find((gpu) => gpu.driver === TPU_DRIVER && isSameAccelerator(gpu, tpu));
  return tpu && known && { device: tpu, gpu: sizeKnownGpu(known), wholeNodes: true };
}

/** The attribute of TPUs that every version of the driver and GKE itself have. */
function isSameAccelerator(gpu: Gpu, { attributes }: ClassDevice): boolean {
  const [known, stated] = [
    gpu.attributes?.['accelerator'],
    attributes['accelerator'] ?? attributes[`${TPU_DRIVER}/accelerator`],
  ];
  return known !== undefined && JSON.stringify(known) === JSON.stringify(stated);
}

/** The memory that a device publishes, under the domain of its driver or without one. */
export function memoryOf({ capacity }: ClassDevice): string | undefined {
  return Object.entries(capacity).find(([name]) => name.split('/').at(-1) === 'memory')?.[1].value;
}
