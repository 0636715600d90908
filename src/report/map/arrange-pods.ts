import type { Pool } from '../../scheduler/compiled-fleet';
import { assignDevices } from '../../scheduler/devices/assign-devices';
import { footprintKeyOf, type PodFootprint } from '../../scheduler/packing/pod-footprint';

/** Pods that need the same, each for somebody. */
export interface PodsToArrange<T> {
  readonly footprint: PodFootprint;
  readonly owner: T;
  readonly pods: number;

  /** The part of a node that each takes, from 0 to 1: larger ones are arranged first. */
  readonly share: number;
}

/** A pod on a node, and what it takes there of each kind. */
export interface ArrangedPod<T> {
  readonly owner: T;
  readonly takes: readonly number[];
}

/** Pods on nodes: those of the first node, then those of the second. Nodes at the end may be empty. */
export interface PodArrangement<T> {
  readonly nodes: readonly (readonly ArrangedPod<T>[])[];

  /** Pods that this arrangement leaves out, though another one has room for them. */
  readonly undrawn: number;
}

interface Node<T> {
  readonly free: number[];
  readonly seated: ArrangedPod<T>[];
}

/**
 * One way in which the pods of a pool may stand on its nodes: each on the first node with room, larger pods first. It
 * is an illustration. The cluster decides, and what is promised holds for whatever it chooses.
 */
export function arrangePods<T>(pool: Pool, pods: readonly PodsToArrange<T>[]): PodArrangement<T> {
  const amounts = pool.node.counts;
  const nodes: Node<T>[] = Array.from({ length: pool.nodes }, () => ({ free: [...amounts], seated: [] }));
  const from = new Map<string, number>();
  let undrawn = 0;
  for (const some of pods.toSorted((a, b) => b.share - a.share)) {
    const key = footprintKeyOf(some.footprint);
    for (let pod = 0; pod < some.pods; pod++) {
      // What had no room for such a pod has none for the next: nodes only fill.
      const place = findFirstWithRoom(nodes, some, pool, from.get(key) ?? 0);
      from.set(key, place);
      if (place === nodes.length) undrawn++;
    }
  }
  return { nodes: nodes.map(({ seated }) => seated), undrawn };
}

/** Seats a pod, and tells where; the number of nodes if there is no room. */
function findFirstWithRoom<T>(
  nodes: readonly Node<T>[],
  pod: PodsToArrange<T>,
  pool: Pool,
  from: number,
): number {
  for (let at = from; at < nodes.length; at++) {
    const node = nodes[at];
    const takes = node && devicesTakenBy(pod.footprint, node, pool);
    if (!takes) continue;
    takes.forEach((count, kind) => {
      node.free[kind] = (node.free[kind] ?? 0) - count;
    });
    node.seated.push({ owner: pod.owner, takes });
    return at;
  }
  return nodes.length;
}

/** What a pod takes of a node beside what is there, or nothing if it has no room. */
function devicesTakenBy<T>(
  footprint: PodFootprint,
  { free, seated }: Node<T>,
  pool: Pool,
): number[] | undefined {
  if (seated.length > 0 && (footprint === 'node' || pool.packing === 'Exclusive')) return undefined;
  if (footprint === 'node') return [...pool.node.counts];
  const taken = assignDevices(
    footprint.map(({ count }) => count),
    free,
    footprint.map(({ kinds }) => kinds),
  );
  return taken && free.map((_, kind) => taken.reduce((sum, counts) => sum + (counts[kind] ?? 0), 0));
}
