import type { Pool } from '../../scheduler/compiled-fleet';
import { assignDevices } from '../../scheduler/devices/assign-devices';

import { footprintKeyOf, type PodFootprint, shareOfDevice } from '../../scheduler/packing/pod-footprint';

/** Equal pods of a replica on a pool. */
export interface ReplicaPods {
  readonly pool: string;
  readonly engine: string;
  readonly role: string;

  /** The index in `PHASES`. */
  readonly phase: number;
  readonly pods: number;

  /** Whether the pods exist only during a rollout. */
  readonly surge: boolean;
  readonly footprint: PodFootprint;

  /** The part of a node that each pod takes, from 0 to 1. Larger pods are arranged first. */
  readonly share: number;
}

/** The pods of a replica, with the indices of the deployment and the replica in their lists. */
export interface OwnedPods extends ReplicaPods {
  readonly deployment: number;
  readonly replica: number;

  /** The index in `REPLICA_MARKS` of what happens to the replica. */
  readonly mark: number;
}

/** A pod on a node, and the amount that it takes of each kind of device or resource. */
export interface ArrangedPod {
  readonly owner: OwnedPods;
  readonly takes: readonly number[];
}

interface Node {
  readonly free: number[];
  readonly arranged: ArrangedPod[];
}

/**
 * Arranges the pods of a pool on its nodes: each on the first node with room, larger pods first. The arrangement is an
 * illustration. The cluster decides, and the guarantee holds for any arrangement that it chooses. Returns the pods of
 * each node, and the number of pods without room here, though another arrangement has room for them.
 */
export function arrangePods(pool: Pool, pods: readonly OwnedPods[]) {
  const amounts = pool.node.counts;
  const nodes: Node[] = Array.from({ length: pool.nodes }, () => ({ free: [...amounts], arranged: [] }));
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
function placeOnFirstWithRoom(nodes: readonly Node[], pod: OwnedPods, pool: Pool, from: number): number {
  for (let at = from; at < nodes.length; at++) {
    const node = nodes[at];
    const takes = node && devicesTakenBy(pod.footprint, node, pool);
    if (!takes) continue;
    takes.forEach((count, kind) => {
      node.free[kind] = (node.free[kind] ?? 0) - count;
    });
    node.arranged.push({ owner: pod, takes });
    return at;
  }
  return nodes.length;
}

/** Returns the amounts that a pod takes of a node with its present pods, or undefined if the node has no room. */
function devicesTakenBy(footprint: PodFootprint, { free, arranged }: Node, pool: Pool): number[] | undefined {
  if (arranged.length > 0 && (footprint === 'node' || pool.packing === 'Exclusive')) return undefined;
  if (footprint === 'node') return [...pool.node.counts];
  const whole = footprint.filter(({ part, partition }) => (part ?? partition) === undefined);
  const taken = assignDevices(
    whole.map(({ count }) => count),
    free,
    whole.map(({ kinds }) => kinds),
  );
  const parts = free.map((_, kind) => sumParts(footprint, kind));
  if (!taken || parts.some((part, kind) => part > (free[kind] ?? 0) + ROUNDING)) return undefined;
  return parts.map((part, kind) => taken.reduce((sum, counts) => sum + (counts[kind] ?? 0), part));
}

/** The error of sums of parts of devices. */
const ROUNDING = 1e-6;

/** The parts that a pod takes of devices of a kind, added up as if devices had no bounds. */
function sumParts(footprint: Exclude<PodFootprint, 'node'>, kind: number): number {
  return footprint.reduce((sum, want) => {
    const isPart = (want.part ?? want.partition) !== undefined;
    return isPart && want.kinds.includes(kind) ? sum + Number((want.count * shareOfDevice(want)).toFixed(6)) : sum;
  }, 0);
}
