import { groupBy, sortUnique } from '../../base/order';
import type { Placement } from '../placement';

/** A loss of replicas that is more often a mistake, such as a file that is missing or cut off, than intended. */
export interface LargeRemoval {
  /** The replicas that deployments lose. One that moves is not lost. */
  readonly removed: number;

  /** The replicas in the lock before, without those that are draining. */
  readonly held: number;

  /** The namespaces that lose all of their replicas, sorted. */
  readonly namespaces: readonly string[];
}

/** Locks with fewer replicas are trials, of which half is soon gone. */
const FEWEST_HELD = 3;

/**
 * Finds whether a change of a lock removes more than half of its replicas, or all replicas of a namespace. Locks of
 * one or two replicas may lose them.
 */
export function findLargeRemoval(before: readonly Placement[], after: readonly Placement[]): LargeRemoval | undefined {
  const staying = before.filter(({ draining }) => !draining);
  if (staying.length < FEWEST_HELD) return undefined;
  const removed = [...countRemoved(before, after).values()].reduce((sum, count) => sum + count, 0);
  const remaining = new Set(after.map(({ deployment }) => namespaceOf(deployment)));
  const held = sortUnique(staying.map(({ deployment }) => namespaceOf(deployment)));
  const lost = held.filter((namespace) => !remaining.has(namespace));
  if (removed * 2 <= staying.length && lost.length === 0) return undefined;
  return { removed, held: staying.length, namespaces: lost };
}

/** Counts the replicas that deployments lose, without those that were draining before. Those that lose none are left out. */
export function countRemoved(before: readonly Placement[], after: readonly Placement[]): Map<string, number> {
  const held = groupBy(
    before.filter(({ draining }) => !draining),
    ({ deployment }) => deployment,
  );
  // Includes replicas that start to leave: without a replacement they still serve.
  const left = groupBy(after, ({ deployment }) => deployment);
  const counts = [...held].map(([id, { length }]) => [id, length - (left.get(id)?.length ?? 0)] as const);
  return new Map(counts.filter(([, count]) => count > 0));
}

function namespaceOf(deployment: string): string {
  return deployment.slice(0, deployment.indexOf('/'));
}
