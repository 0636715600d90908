import { compareText } from '../order';
import type { Placement } from './types';

type Identity = Pick<Placement, 'deployment' | 'cluster' | 'index'>;

/** Sorts placements by deployment, cluster, and index as a number. */
export function byIdentity(a: Identity, b: Identity): number {
  return compareText(a.deployment, b.deployment) || compareText(a.cluster, b.cluster) || a.index - b.index;
}

/** Some items by the identity of each: the list itself where it is sorted already, as what was scheduled is. */
export function inOrder<T>(items: readonly T[], identity: (item: T) => Identity): readonly T[] {
  const sorted = (b: T, i: number): boolean => {
    const a = items[i - 1];
    return a === undefined || byIdentity(identity(a), identity(b)) <= 0;
  };
  return items.every(sorted) ? items : [...items].sort((a, b) => byIdentity(identity(a), identity(b)));
}
