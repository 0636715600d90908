import type { Lock } from './lock';
import type { Model } from './model';
import type { Schedule } from './types';

/**
 * The lock that a schedule leads to. A shortfall is recorded where it was accepted before at that size or more,
 * or where `acceptUnplaced` accepts it now; where the deployment allows it, there is nothing to accept.
 */
export function nextLock(
  { workloads }: Model,
  { placements, shortfalls }: Schedule,
  previous: Lock,
  { acceptUnplaced = false, settle = false }: { acceptUnplaced?: boolean; settle?: boolean } = {},
): Lock {
  const partial = new Set(workloads.filter(({ allowPartial }) => allowPartial).map(({ id }) => id));
  const accepted = shortfalls.filter(
    ({ deployment, missing }) =>
      !partial.has(deployment) && (acceptUnplaced || missing <= (previous.unplaced.get(deployment) ?? 0)),
  );
  // A replica that leaves without a replacement is the last that serves: settling never drops it.
  const short = new Set(shortfalls.map(({ deployment }) => deployment));
  return {
    placements: settle
      ? placements.filter(({ leaving, deployment }) => !leaving || short.has(deployment))
      : placements,
    unplaced: new Map(accepted.map(({ deployment, missing }) => [deployment, missing])),
  };
}
