import type { CompiledCluster, CompiledDeployment } from '../compiled-fleet';
import type { AssignmentCache } from '../feasible-clusters';
import type { Assignment } from '../fit-replica';
import type { Ledger } from '../ledger';
import type { AssignedReplica } from '../retained-replicas';
import type { SchedulingState } from '../scheduling-state';
import { SCORING_POLICIES } from '../scoring';
import type { TopologySpread } from '../topology-spread';
import type { Relaxation } from './relaxation';

/** A place for a replica: a cluster, and a pool for each engine. */
export interface Site {
  readonly cluster: CompiledCluster;
  readonly assignment: Assignment;
}

/** A replica that gets a place: a missing one, or one that makes room for others. */
export interface Relocation {
  readonly deployment: CompiledDeployment;
  /** Absent for a replica that is missing. */
  readonly from?: AssignedReplica;
  readonly to: Site;
}

/**
 * The places of a deployment that have room when every movable replica is away, in the order of its policy.
 *
 * @param assignments a cache that nothing else uses, because the ledger may hold what is only tried
 */
export function listSites(
  { freeRoom }: SchedulingState,
  relaxation: Relaxation,
  spread: TopologySpread,
  assignments: AssignmentCache,
): Site[] {
  const { demand, placement } = spread.deployment;
  const { score, ties } = SCORING_POLICIES[placement.policy];
  const ranked = relaxation.choicesOf(demand).map(({ cluster, assignments: choices }) => ({
    cluster,
    choices,
    rank: [
      spread.countInDomain(cluster),
      score(cluster, spread, assignments),
      ties === 'room' ? -freeRoom.of(demand, cluster) : 0,
    ],
  }));
  ranked.sort((a, b) => compareRanks(a.rank, b.rank));
  return ranked.flatMap(({ cluster, choices }) => choices.map((assignment) => ({ cluster, assignment })));
}

/** Compares figures in turn. An unknown price is infinite, and two of these are equal. */
function compareRanks(a: readonly number[], b: readonly number[]): number {
  const i = a.findIndex((value, at) => value !== b[at]);
  return i < 0 ? 0 : (a[i] ?? 0) < (b[i] ?? 0) ? -1 : 1;
}

/** Whether the pools of a place have room for a replica. */
export function hasRoomAt({ assignment: { pools, charges } }: Site, ledger: Ledger): boolean {
  const [pool, ...others] = pools;
  return pool && others.length === 0 ? ledger.hasRoom(pool, charges) : ledger.fits(charges);
}

/** A text that is equal for equal places. */
export function siteKeyOf({ cluster, assignment: { pools } }: Site): string {
  return [cluster.name, ...pools.map(({ name }) => name)].join('/');
}

/** The place of a placed replica, as a text. */
export function homeKeyOf({ placement, assignment: { pools } }: AssignedReplica): string {
  return [placement.cluster, ...pools.map(({ name }) => name)].join('/');
}
