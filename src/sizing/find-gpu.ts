import type { GpuFigures } from '../catalog/gpu-figures';
import { findGpuFigures } from '../catalog/gpu-names';
import type { Gpu } from '../catalog/row-types';
import { parseQuantity } from '../cel/values/quantity';
import type { SizedGpu } from './overhead';
import { GIB } from './weights';

/** A GPU with the figures that bounds of speed need, where they are known. */
export type GpuWithFigures = SizedGpu & Pick<GpuFigures, 'bandwidthTBs' | 'tflops'>;

/** What CUDA reports less than the driver publishes, in GiB, where no log states it: between 0.45 and 0.85. */
const HIDDEN_GIB = 0.6;

/** A GPU of the catalog, or a device that publishes its memory, with its figures where they are known. */
export function sizeGpu(gpu: {
  readonly name: string;
  readonly driver: string;
  readonly memoryGiB: number;
}): GpuWithFigures {
  const figures = findGpuFigures(gpu.name);
  if (figures) return { ...figures, name: gpu.name };
  const platform = gpu.driver === AMD_DRIVER ? 'rocm' : 'cuda';
  return { name: gpu.name, memoryGiB: gpu.memoryGiB - HIDDEN_GIB, platform };
}

/** A GPU of the catalog. */
export function sizeKnownGpu({ name, driver = 'gpu.nvidia.com', memory, nominal = '0' }: Gpu): GpuWithFigures {
  return sizeGpu({ name, driver, memoryGiB: parseQuantity(memory ?? nominal).asApproximateFloat() / GIB });
}

/** A device as it is published. */
export interface PublishedGpu {
  readonly name: string;
  readonly driver: string;
  readonly memoryBytes: number;

  /** The values of its attributes. */
  readonly texts: ReadonlySet<string>;
}

/** How much memory of one product differs. A partition of a GPU has much less. */
const SAME_MEMORY = 0.05;

/**
 * The GPU of a device: that of the catalog with the same product, else the only one, apart from its variants, that
 * publishes exactly as much memory, else one of its name and memory. The catalog has no partitions.
 */
export function recognizeGpu(device: PublishedGpu, gpus: readonly Gpu[]): RecognizedGpu {
  const { name, driver, memoryBytes, texts } = device;
  const known = findProduct(memoryBytes, texts, gpus);
  const gpu = sizeGpu({ name: known?.name ?? name, driver, memoryGiB: memoryBytes / GIB });
  return { ...gpu, exact: known !== undefined && findGpuFigures(known.name) !== undefined };
}

/** A GPU, and whether what CUDA reports of it is known rather than estimated. */
export type RecognizedGpu = GpuWithFigures & { readonly exact: boolean };

function findProduct(bytes: number, texts: ReadonlySet<string>, gpus: readonly Gpu[]): Gpu | undefined {
  const sized = gpus.flatMap((gpu) => {
    return gpu.memory === undefined ? [] : [{ gpu, own: parseQuantity(gpu.memory).asApproximateFloat() }];
  });
  const product = sized.find(({ gpu }) => gpu.productName !== undefined && texts.has(gpu.productName));
  if (product) return Math.abs(product.own - bytes) <= product.own * SAME_MEMORY ? product.gpu : undefined;
  const [first, ...others] = sized.filter(({ own }) => own === bytes).map(({ gpu }) => gpu);
  const variants = others.every(({ name }) => name.startsWith(`${first?.name}-`));
  return variants ? first : undefined;
}

/** The driver that publishes the GPUs of AMD. */
export const AMD_DRIVER = 'gpu.amd.com';
