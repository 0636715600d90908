import { GPU_FIGURES, type GpuFigures } from './gpu-figures';

/** Finds a GPU by a name as people write it: case and separators do not matter, `NVIDIA` neither. */
export function findGpuFigures(name: string): GpuFigures | undefined {
  return FIGURES.get(plain(name));
}

/** The names of all GPUs with figures. */
export function listGpuFigureNames(): string[] {
  return GPU_FIGURES.map(({ name }) => name);
}

function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/^(nvidia|amd)/, '')
    .replace(/[^a-z0-9]/g, '');
}

const FIGURES: ReadonlyMap<string, GpuFigures> = new Map(
  GPU_FIGURES.flatMap((row) => [row.name, ...(row.aliases ?? [])].map((name) => [plain(name), row] as const)),
);

/** A text that is equal for all names of a GPU. */
export function gpuKeyOf(name: string): string {
  return plain(findGpuFigures(name)?.name ?? name);
}
