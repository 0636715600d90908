import type { Placement } from './types';

/** Whether two placements say the same, and so have the same line in a lock. */
export function isSamePlacement(a: Placement, b: Placement | undefined): boolean {
  if (a === b) return true;
  return (
    a.deployment === b?.deployment &&
    a.cluster === b.cluster &&
    a.index === b.index &&
    a.shape === b.shape &&
    a.leaving === b.leaving &&
    samePools(a.pools, b.pools)
  );
}

/** Whether replicas have their engines on pools of the same names. */
export function samePools(a: Placement['pools'], b: Placement['pools']): boolean {
  if (a === b) return true;
  const engines = Object.keys(a);
  return engines.length === Object.keys(b).length && engines.every((engine) => a[engine] === b[engine]);
}
