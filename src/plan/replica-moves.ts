import { isLoss } from '../scheduler/lost-clusters';
import { haveSamePools, type Placement } from '../scheduler/placement';
import type { EvictionReason } from '../scheduler/schedule-result';

/** Where a replica is. */
export type ReplicaLocation = Pick<Placement, 'cluster' | 'index' | 'pools'>;

/** A change of the serving port of pods. */
export interface PortSwitch {
  readonly before: number;
  readonly after: number;

  /**
   * What no longer lets requests reach the old port. `picker`: the endpoint picker of the deployment, for all its replicas on
   * a cluster at once. `policy`: the NetworkPolicy of a replica, when its turn comes.
   */
  readonly by: 'picker' | 'policy';

  /** Whether the replica would serve throughout if the port stayed. Absent: its pods stop before new ones serve. */
  readonly servesOtherwise?: true;
}

/**
 * The change of one replica by a plan, by a scenario, or between two states.
 *
 * @typeParam From the form of an earlier replica
 */
export interface ReplicaChange<From extends ReplicaLocation = ReplicaLocation> {
  /**
   * `move`: the replica replaces another one of its deployment. `roll`: its pods are replaced in place. `draining`: it
   * serves until `lock --finalize`, and no replica replaces it: its deployment has enough, or has no place for more.
   * `lost`: its cluster is lost, so that it does not serve, and it keeps its place because it has no other.
   */
  readonly action: 'keep' | 'place' | 'move' | 'roll' | 'draining' | 'lost' | 'remove';
  readonly cluster: string;
  readonly index: number;

  /** The pool of each engine. For a removed replica, the pools before the change. */
  readonly pools: Placement['pools'];

  /** The replica that it replaces: for a move, and for a roll with another shape or on other pools. */
  readonly from?: From;

  /** Whether the replaced replica serves until `lock --finalize`. Otherwise there is downtime. Only for a move. */
  readonly surgeFirst?: boolean;

  /**
   * The replaced replica would serve until its replacement does, but left the lock with `lock --finalize` before the
   * change is applied, so that there is downtime. Only between two states.
   */
  readonly finalized?: true;

  /**
   * The old replica, which would serve until its replacement does, restarts with the change: the lock keeps another revision
   * of it than the earlier state has. Only between two states.
   */
  readonly oldRestarts?: true;

  /** Its replacement has no place, so `lock --finalize` keeps it until one fits. Only for a draining replica. */
  readonly unreplaced?: true;

  /** The replica was draining, and leaves with `lock --finalize`: its deployment keeps as many replicas as it had. */
  readonly drained?: true;

  /**
   * The replica moves to another cluster, because draining replicas keep the room that it would have on its own until
   * they are finalized. Only between two states.
   */
  readonly crowdedOut?: true;

  /** The rollout wave of the replica within its deployment. */
  readonly wave?: number;

  /** Whether the replica stops serving during a roll, because one of its engines has one copy and no surge. */
  readonly down?: boolean;

  /** A change of its serving port that takes requests from its old pods. Absent: none does. Only between two states. */
  readonly portSwitch?: PortSwitch;

  /**
   * The most copies of an engine that a roll replaces one after the other. Absent: one, or a surge starts new ones first.
   * Only between two states.
   */
  readonly copiesInTurn?: number;

  /**
   * Whether a roll takes down a replica that would serve with the copies that the change adds, if these ran before it.
   * Absent: it does not. Only between two states.
   */
  readonly servesWithNewCopies?: true;

  /**
   * How the CPU and memory that its pods request change, where nothing else of its pods does. Only for a roll between
   * two states.
   */
  readonly requests?: 'more' | 'less' | 'other';

  /**
   * What happens to the nodes on which the replica serves until the change. `replace`: its node pool is deleted before
   * the new one exists. `roll`: its nodes are recreated one at a time. Only between two states.
   */
  readonly nodes?: 'replace' | 'roll';

  /** Whether it may keep its node, because the cloud chooses which nodes of its pool it deletes. Only with `nodes`. */
  readonly mayStay?: true;

  /**
   * What becomes of it if the nodes that go are drained before the change, as the warning `fewer-nodes` says: it serves
   * throughout, or it restarts, one replica of its deployment at a time on each cluster. Absent: draining does not help.
   * Only with `mayStay`.
   */
  readonly ifDrained?: 'serves' | 'restarts';

  /** Whether the new nodes do not have what the replica asks for: it stops for good. Only with `nodes`. */
  readonly misplaced?: true;

  /** Why the replica, or the one that it replaces, does not stay. Absent if only the lock is known. */
  readonly reason?: EvictionReason;
}

const DECLARED_REMOVALS: ReadonlySet<EvictionReason['kind']> = new Set(['deployment-gone', 'scaled-down']);

/** Whether a replica is removed although its deployment still declares it: it has no place any more. */
export function isEvicted({ action, reason }: Pick<ReplicaChange, 'action' | 'reason'>): boolean {
  return action === 'remove' && reason !== undefined && !DECLARED_REMOVALS.has(reason.kind);
}

/** Whether a replica stops serving before the one that replaces it elsewhere serves. One of a lost cluster did not serve. */
export function stopsBeforeMove({ action, surgeFirst, reason }: ReplicaChange): boolean {
  return action === 'move' && surgeFirst !== true && !isLoss(reason);
}

/** A replica that does not stay, with the reason if it is known. */
export interface EvictedReplica {
  readonly placement: Placement;
  readonly reason: EvictionReason | undefined;
}

/**
 * Lists the change of each replica of one deployment, by action, then in the order of the placements. A replica that
 * goes and a new one form a move. `from` of a removed replica is the replica itself.
 *
 * @param evictions the replicas that do not stay as they are, by cluster and index
 */
export function replicaChangesOf(
  previous: readonly Placement[],
  next: readonly Placement[],
  evictions: readonly EvictedReplica[],
): ReplicaChange<Placement>[] {
  const before = indexByIdentity(previous);
  const staying = next.filter(({ draining }) => !draining);
  const after = indexByIdentity(staying);
  const present = indexByIdentity(next);
  const added = staying.filter((placement) => !hasSamePlacement(before, placement));
  const isLost = ({ placement }: EvictedReplica): boolean => present.get(locationKeyOf(placement))?.lost === true;
  const evicted = evictions.filter((one) => !hasSamePlacement(after, one.placement) && !isLost(one));
  const moves = pairMoves(evicted, added, before);
  const movedFrom = new Set([...moves.values()].map(({ placement }) => locationKeyOf(placement)));
  const reasons = new Map(evictions.map(({ placement, reason }) => [locationKeyOf(placement), reason]));
  return [
    ...staying.filter((one) => hasSamePlacement(before, one)).map((one) => changeOf('keep', one)),
    ...added.filter((one) => !moves.has(one)).map((one) => changeOf('place', one)),
    ...[...moves].map(([to, { placement: from, reason }]) => {
      const surgeFirst = present.get(locationKeyOf(from))?.draining === true;
      return { ...changeOf('move', to), from, ...reasonField(reason), surgeFirst };
    }),
    ...evicted
      .filter(({ placement }) => !movedFrom.has(locationKeyOf(placement)) && !present.has(locationKeyOf(placement)))
      .map(({ placement, reason }) => ({ ...changeOf('remove', placement), from: placement, ...reasonField(reason) })),
    ...next
      .filter((one) => one.draining && !movedFrom.has(locationKeyOf(one)))
      .map((one) => ({
        ...changeOf(one.lost ? 'lost' : 'draining', one),
        ...reasonField(reasons.get(locationKeyOf(one))),
      })),
  ];
}

/** Whether no replica of a deployment changes, which is true of most deployments. */
export function areUnchanged(previous: readonly Placement[], next: readonly Placement[]): boolean {
  return previous.length === next.length && next.every((one, i) => one === previous[i] && !one.draining);
}

function changeOf(action: ReplicaChange['action'], { cluster, index, pools }: Placement): ReplicaChange<never> {
  return { action, cluster, index, pools };
}

function reasonField(reason: EvictionReason | undefined): Pick<ReplicaChange, 'reason'> {
  return reason ? { reason } : {};
}

/**
 * Pairs replicas that go with new ones: first those that keep cluster and index, then the others in order. A replica
 * that was already draining pairs only with one of the same cluster and index, because it has been replaced before; one
 * of a lost cluster has not. A
 * replica that is scaled down pairs with none.
 *
 * @returns the replaced replica of each new one
 */
function pairMoves(
  evicted: readonly EvictedReplica[],
  added: readonly Placement[],
  before: ByIdentity,
): ReadonlyMap<Placement, EvictedReplica> {
  const replaceable = evicted.filter(({ reason }) => reason?.kind !== 'scaled-down');
  const newByIdentity = indexByIdentity(added);
  const moves = new Map<Placement, EvictedReplica>();
  const elsewhere: EvictedReplica[] = [];
  for (const one of replaceable) {
    const to = newByIdentity.get(locationKeyOf(one.placement));
    if (to) moves.set(to, one);
    else if (!wasReplaced(before.get(locationKeyOf(one.placement)))) elsewhere.push(one);
  }
  const unpaired = added.filter((placement) => !moves.has(placement));
  for (const [i, to] of unpaired.entries()) {
    const one = elsewhere[i];
    if (one) moves.set(to, one);
  }
  return moves;
}

function wasReplaced(placement: Placement | undefined): boolean {
  return placement?.draining === true && !placement.lost;
}

/** Returns the cluster and index of a replica as a key that is unique within its deployment. */
export function locationKeyOf({ cluster, index }: Pick<Placement, 'cluster' | 'index'>): string {
  return `${cluster}/${index}`;
}

type ByIdentity = ReadonlyMap<string, Placement>;

function indexByIdentity(placements: readonly Placement[]): ByIdentity {
  return new Map(placements.map((placement) => [locationKeyOf(placement), placement]));
}

/** Whether placements contain an equal placement, regardless of `draining`. */
function hasSamePlacement(placements: ByIdentity, placement: Placement): boolean {
  const other = placements.get(locationKeyOf(placement));
  if (other?.shape !== placement.shape || other.backend !== placement.backend) return false;
  return haveSamePools(other.pools, placement.pools);
}
