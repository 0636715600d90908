import { compareText } from '../order';
import type { Placement } from './types';

type Identity = Pick<Placement, 'deployment' | 'cluster' | 'index'>;

/** Sorts placements by deployment, cluster, and index as a number. */
export function byIdentity(a: Identity, b: Identity): number {
  return compareText(a.deployment, b.deployment) || compareText(a.cluster, b.cluster) || a.index - b.index;
}
