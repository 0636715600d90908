import type { Pool } from '../../scheduler/compiled-fleet';
import { assignDevices } from '../../scheduler/devices/assign-devices';
import { footprintKeyOf, type PodFootprint } from '../../scheduler/packing/pod-footprint';

export interface PodsToArrange<T> {
  readonly footprint: PodFootprint;
  readonly owner: T;
  readonly pods: number;

  /** The part of a node that each pod takes, from 0 to 1. Larger pods are arranged first. */
  readonly share: number;
}

/** A pod on a node, and the amount that it takes of each kind of device or resource. */
export interface ArrangedPod<T> {
  readonly owner: T;
  readonly takes: readonly number[];
}

interface PodArrangement<T> {
  /** The pods of each node, in order of nodes. Nodes at the end may be empty. */
  readonly nodes: readonly (readonly ArrangedPod<T>[])[];

  /** The number of pods that this arrangement has no room for, though another arrangement does. */
  readonly undrawn: number;
}

interface Node<T> {
  readonly free: number[];
  readonly arranged: ArrangedPod<T>[];
}

/**
 * Arranges the pods of a pool on its nodes: each on the first node with room, larger pods first. The arrangement is an
 * illustration. The cluster decides, and the promise holds for any arrangement that it chooses.
 */
export function arrangePods<T>(pool: Pool, pods: readonly PodsToArrange<T>[]): PodArrangement<T> {
  const amounts = pool.node.counts;
  const nodes: Node<T>[] = Array.from({ length: pool.nodes }, () => ({ free: [...amounts], arranged: [] }));
  const from = new Map<string, number>();
  let undrawn = 0;
  for (const group of pods.toSorted((a, b) => b.share - a.share)) {
    const key = footprintKeyOf(group.footprint);
    for (let pod = 0; pod < group.pods; pod++) {
      // A node without room for one such pod has no room for the next, because nodes only fill up.
      const node = placeOnFirstWithRoom(nodes, group, pool, from.get(key) ?? 0);
      from.set(key, node);
      if (node === nodes.length) undrawn++;
    }
  }
  return { nodes: nodes.map(({ arranged }) => arranged), undrawn };
}

/** Adds a pod to the first node with room. Returns the index of that node, or the number of nodes if none has room. */
function placeOnFirstWithRoom<T>(nodes: readonly Node<T>[], pod: PodsToArrange<T>, pool: Pool, from: number): number {
  for (let at = from; at < nodes.length; at++) {
    const node = nodes[at];
    const takes = node && devicesTakenBy(pod.footprint, node, pool);
    if (!takes) continue;
    takes.forEach((count, kind) => {
      node.free[kind] = (node.free[kind] ?? 0) - count;
    });
    node.arranged.push({ owner: pod.owner, takes });
    return at;
  }
  return nodes.length;
}

/** Returns the amounts that a pod takes of a node with its present pods, or undefined if the node has no room. */
function devicesTakenBy<T>(footprint: PodFootprint, { free, arranged }: Node<T>, pool: Pool): number[] | undefined {
  if (arranged.length > 0 && (footprint === 'node' || pool.packing === 'Exclusive')) return undefined;
  if (footprint === 'node') return [...pool.node.counts];
  const taken = assignDevices(
    footprint.map(({ count }) => count),
    free,
    footprint.map(({ kinds }) => kinds),
  );
  return taken && free.map((_, kind) => taken.reduce((sum, counts) => sum + (counts[kind] ?? 0), 0));
}
