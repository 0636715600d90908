import { compareText } from '../order';
import type { Placement } from './types';

/** Sorts placements by deployment, cluster, and index as a number. */
export function byIdentity(a: Placement, b: Placement): number {
  return compareText(a.deployment, b.deployment) || compareText(a.cluster, b.cluster) || a.index - b.index;
}
