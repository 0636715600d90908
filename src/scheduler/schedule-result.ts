import type { BackendType } from '../catalog/backends';
import type { ReplicaDemand } from './compiled-fleet';
import type { Placement } from './placement';
import type { Rejection } from './reason';
import type { Remedy } from './remedy';

/** The result of scheduling, sorted by deployment, cluster and index. */
export interface Schedule {
  readonly placements: readonly Placement[];
  /** Deployments that have fewer replicas placed than they ask for. */
  readonly shortfalls: readonly Shortfall[];
  /** Previous placements that are no longer valid, or are draining, each with its reason. */
  readonly evictions: readonly Eviction[];
  /**
   * Where the places of new replicas come from that the policy of their deployment did not choose, by `placementKeyOf`.
   * Absent if there are none. @internal
   */
  readonly origins?: ReadonlyMap<string, PlacementOrigin>;

  /** Replicas of the lock that keep their place, next to which there is no room for their surge. Absent if there are none. */
  readonly withoutSurge?: readonly SurgeWithoutRoom[];

  /** The demands that fill clusters in the order of their names, whatever room these have. Absent if there are none. @internal */
  readonly filledInOrder?: ReadonlySet<ReplicaDemand>;
}

/**
 * What chose a place instead of a policy: a search arranged new replicas so that more of them have one, a replica
 * returns to the cluster that it was evicted from, or it takes the room of replicas with earlier engines.
 */
export type PlacementOrigin = 'arranged' | 'returned' | 'preempting';

/** A replica that stays where it is, without the room that its deployment reserves for rollouts. */
export interface SurgeWithoutRoom {
  readonly deployment: string;
  readonly cluster: string;
  readonly index: number;

  /** The nodes that each pool lacks. */
  readonly pools: readonly { readonly pool: string; readonly nodes: number }[];
}

/** Replicas of one deployment that have no place, with the reason against every cluster or pool. */
export interface Shortfall {
  readonly deployment: string;
  readonly missing: number;
  /** The search for another arrangement of the new replicas ended at its limit of steps: there may be a place. */
  readonly limited?: true;
  /**
   * The search for moves of locked replicas ended at its limit of steps: moves that help may exist, or fewer. Absent also
   * where too few devices are free for all that is missing, whatever moves.
   */
  readonly limitedMoves?: true;
  /** What was tried to move: replicas of the deployment, or of all. `limited`: that search ended at its limit, too. */
  readonly moved?: { readonly deployment?: string; readonly limited?: true };
  /** The replicas that get a place when those that a rebalance replaces are gone. */
  readonly waiting?: number;
  /** The first reason against each cluster, or against each pool where the cluster itself qualifies. */
  readonly rejections: readonly Rejection[];
  /** The smallest change of each kind that gives one more replica a place. Each one was tried. */
  readonly remedies: readonly Remedy[];
  /** Further changes of the same kinds, which are larger. Each one was tried. */
  readonly alternatives?: readonly Remedy[];
}

/** A previous placement and why it does not stay. */
export interface Eviction {
  readonly placement: Placement;
  readonly reason: EvictionReason;
}

/** Why a previous placement does not stay. */
export type EvictionReason =
  | { readonly kind: 'deployment-gone' }
  /** `lost`: a scenario supposes that the cluster fails. */
  | { readonly kind: 'cluster-gone'; readonly lost?: true }
  | { readonly kind: 'pool-gone'; readonly pool: string }
  /** `misfit`: the cluster has no pool for the changed engines. */
  | { readonly kind: 'shape'; readonly downtime?: DowntimeReason; readonly misfit?: Rejection }
  | { readonly kind: 'scaled-down' }
  /** The cluster has other software that turns objects into pods. */
  | {
      readonly kind: 'backend';
      readonly from: BackendType;
      readonly to: BackendType;
      readonly downtime?: DowntimeReason;
    }
  /** `fleetwright lock --rebalance` moves it, so that these deployments get a place. */
  | { readonly kind: 'makes-room'; readonly for: readonly string[] }
  | { readonly kind: 'rejected'; readonly rejection: Rejection };

/**
 * Why a replica of earlier engines stops before its replacement serves: its engines are unknown, or the cluster has no
 * room for both. Absent if it serves until then.
 */
export type DowntimeReason = 'unknown' | 'no-room';
