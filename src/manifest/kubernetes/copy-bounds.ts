import { isMap } from '../../base/json';
import type { Labels } from './labels-and-annotations';

/** The annotation of a workload with the bounds of its copies, if an autoscaler sets their number: `1-4`. */
const COPY_BOUNDS = 'fleetwright.dev/copies';

interface CopyBounds {
  readonly min: number;
  readonly max: number;
}

export function annotateCopyBounds({ min, max }: CopyBounds): Labels {
  return { [COPY_BOUNDS]: `${min}-${max}` };
}

/** The bounds of the copies of a workload, rendered or running. Undefined for a fixed number. */
export function readCopyBounds({ metadata }: { readonly metadata: object }): CopyBounds | undefined {
  const annotations = 'annotations' in metadata && isMap(metadata.annotations) ? metadata.annotations : {};
  const [, min, max] = /^(\d+)-(\d+)$/.exec(String(annotations[COPY_BOUNDS])) ?? [];
  return min === undefined || max === undefined ? undefined : { min: Number(min), max: Number(max) };
}
