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
  const held = groupBy(staying, ({ deployment }) => deployment);
  // Includes replicas that start to leave: without a replacement they still serve.
  const left = groupBy(after, ({ deployment }) => deployment);
  const removed = [...held].reduce(
    (sum, [id, { length }]) => sum + Math.max(0, length - (left.get(id)?.length ?? 0)),
    0,
  );
  const remaining = new Set([...left.keys()].map(namespaceOf));
  const lost = [...held.keys()].map(namespaceOf).filter((namespace) => !remaining.has(namespace));
  if (removed * 2 <= staying.length && lost.length === 0) return undefined;
  return { removed, held: staying.length, namespaces: sortUnique(lost) };
}

function namespaceOf(deployment: string): string {
  return deployment.slice(0, deployment.indexOf('/'));
}
