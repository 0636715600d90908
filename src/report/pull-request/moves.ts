import { formatCount } from '../../base/figures';
import { pluralize } from '../../base/text';
import type { ReplicaChangeWithCauses } from '../../diff/deployment-diff';
import { movesToPool } from '../../diff/replica-causes';
import { type ReplicaLocation, stopsBeforeMove } from '../../plan/replica-moves';
import { isLoss } from '../../scheduler/lost-clusters';
import { poolsOf } from '../diff/change-sentences';
import { formatCode } from '../document/write-markdown';

/** Where a replica moves from and to: clusters, with their pools where the nodes are of other classes. */
export interface Move {
  readonly from: string;
  readonly to: string;

  /** The cluster or pool that loses its replicas, where only that is why it moves: a taint, or a pool that is gone. */
  readonly drains?: string;

  /** Why it moves: ``because `us/l4` has 1 node instead of 2``, or as its cluster has no room for both. */
  readonly why?: string;

  /** The size of the pool, where that is why it moves. */
  readonly resized?: PoolSize;

  /** Whether the cluster of the old replica is lost, so that it did not serve. */
  readonly lost?: true;

  /** Whether the old replica left the lock before the new one serves. */
  readonly finalized?: true;

  /** Whether the replica stops before its replacement serves. */
  readonly down: boolean;
}

/** Another number of nodes of a pool: at most, or of a pool of fixed size. */
export interface PoolSize {
  /** `us/l4`. */
  readonly pool: string;
  readonly before: number;
  readonly after: number;
}

/** Pools of spot nodes: `us/l4`. */
export type SpotPools = ReadonlySet<string>;

/** `us/l4`, `us/prefill+decode`. */
export function poolText(place: ReplicaLocation): string {
  return `${place.cluster}/${poolsOf(place)}`;
}

/** Where the replica of a change moves: nothing if it does not. */
export function toMove(change: ReplicaChangeWithCauses, spotPools: SpotPools): Move[] {
  const { action, cluster, pools, from, otherNodes, down, finalized } = change;
  const isShifted = movesToPool(change);
  if ((action !== 'move' && !isShifted) || !from) return [];
  const nameOf = (place: ReplicaLocation): string => (otherNodes || isShifted ? poolText(place) : place.cluster);
  const drains = drainedBy(change);
  const resized = findFewerNodes(change);
  const why = resized ? describeSize(resized) : (describeCrowded(change) ?? describeShape(change));
  const to = { cluster, pools, index: change.index };
  const isOnSpot = (place: ReplicaLocation): boolean =>
    Object.values(place.pools).some((pool) => spotPools.has(`${place.cluster}/${pool}`));
  return [
    {
      from: nameOf(from),
      to: `${nameOf(to)}${isOnSpot(to) && !isOnSpot(from) ? ' (spot)' : ''}`,
      ...(drains !== undefined && { drains }),
      ...(why !== undefined && { why }),
      ...(resized && { resized }),
      ...(isLoss(change.reason) && { lost: true }),
      ...(finalized && { finalized }),
      down: isShifted ? down === true : stopsBeforeMove(change),
    },
  ];
}

/** ``because `us` has no room for old and new replicas at the same time``. */
function describeCrowded({ from, crowdedOut }: ReplicaChangeWithCauses): string | undefined {
  if (!from || !crowdedOut) return undefined;
  return `because ${formatCode(from.cluster)} has no room for old and new replicas at the same time`;
}

/** `because engines need other devices or copies`: then the scheduler chooses a place again. */
function describeShape({ action, reason, from, cluster, otherNodes }: ReplicaChangeWithCauses): string | undefined {
  const isElsewhere = from?.cluster !== cluster || otherNodes;
  return action === 'move' && reason?.kind === 'shape' && isElsewhere
    ? 'because engines need other devices or copies'
    : undefined;
}

/** ``because `us/l4` has 1 node instead of 2``. */
function describeSize({ pool, before, after }: PoolSize): string {
  return `because ${formatCode(pool)} has ${pluralize(after, 'node')} instead of ${formatCount(before)}`;
}

/** The pool with fewer nodes, where nothing else is why a replica moves. */
function findFewerNodes({ from, causes }: ReplicaChangeWithCauses): PoolSize | undefined {
  const [cause, ...others] = causes;
  const { field = '', before, after } = cause?.field ?? {};
  const [, pool = ''] = /^spec\.nodePools\[([^\]]+)\]\.(?:max)?[nN]odeCount$/.exec(field) ?? [];
  if (!from || others.length > 0 || cause?.id !== `InferenceCluster ${from.cluster}`) return undefined;
  if (!Object.values(from.pools).includes(pool) || typeof before !== 'number' || typeof after !== 'number')
    return undefined;
  return after < before ? { pool: `${from.cluster}/${pool}`, before, after } : undefined;
}

/** The cluster with a new `NoExecute` taint, or the pool that is gone, from which a replica moves or would move. */
export function drainedBy({
  action,
  reason,
  from,
  cluster,
  nodes,
  causes,
}: ReplicaChangeWithCauses): string | undefined {
  const former = action === 'draining' || action === 'lost' ? cluster : from?.cluster;
  if (former === undefined || nodes !== undefined || !causes.some(({ id }) => id === `InferenceCluster ${former}`)) {
    return undefined;
  }
  if (reason?.kind === 'pool-gone') return `${former}/${reason.pool}`;
  return reason?.kind === 'rejected' && reason.rejection.reason.filter === 'taint' ? former : undefined;
}
