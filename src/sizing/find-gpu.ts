import { GPU_FIGURES, type GpuFigures } from '../catalog/gpu-figures';
import type { SizedGpu } from './overhead';

/** A GPU with the figures that bounds of speed need, where they are known. */
export type GpuWithFigures = SizedGpu & Pick<GpuFigures, 'bandwidthTBs' | 'tflops'>;

/** Finds a GPU by a name as people write it: case and separators do not matter, `NVIDIA` neither. */
export function findGpuFigures(name: string): GpuFigures | undefined {
  const wanted = plain(name);
  return GPU_FIGURES.find((row) => [row.name, ...(row.aliases ?? [])].some((known) => plain(known) === wanted));
}

/** The names of all GPUs with figures. */
export function gpuFigureNames(): string[] {
  return GPU_FIGURES.map(({ name }) => name);
}

function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/^(nvidia|amd)/, '')
    .replace(/[^a-z0-9]/g, '');
}

/** What CUDA reports less than the driver publishes, in GiB, where no log states it: between 0.45 and 0.85. */
const HIDDEN_GIB = 0.6;

/** A GPU of the catalogue, or a device that publishes its memory, with its figures where they are known. */
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

const AMD_DRIVER = 'gpu.amd.com';
