import type { Demand, Workload } from './model';
import type { Placement } from './types';

/** What a replica asks for, be it of the engines as declared or of earlier ones; nothing where these are not known. */
export function demandOf(
  { shape, demand, former }: Workload,
  placement: Pick<Placement, 'shape'>,
): Demand | undefined {
  return placement.shape === shape ? demand : former.get(placement.shape);
}
