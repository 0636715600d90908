import type { CompiledCluster, Pool, ReplicaDemand } from './compiled-fleet';
import { rejectNew } from './filters';
import { fitEngine, fitReplica } from './fit-replica';
import type { Reason } from './reason';
import type { OwnRemedy } from './remedy';
import type { SchedulingState } from './scheduling-state';

/** A rejection, with the cluster and the pool that it is about. */
export interface RejectedPlace {
  readonly cluster: CompiledCluster;
  readonly pool: Pool | undefined;
  readonly reason: Reason;
}

/** A remedy that may help, and what decides which of its kind comes first. */
export interface RemedyProposal {
  readonly remedy: OwnRemedy;
  /**
   * Lower figures come first, by the first that differs: fewer nodes, then the cheaper ones; for a bound, the pool with
   * the cheaper GPUs, then the one that changes by a smaller share.
   */
  readonly order: readonly number[];
  /** Tries the remedy. */
  readonly helps: () => boolean;
}

/** Whether a cluster has a place for a replica of a changed demand. */
export function fitsOn(cluster: CompiledCluster, demand: ReplicaDemand, { matcher, ledger }: SchedulingState): boolean {
  if (rejectNew(demand, cluster)) return false;
  const suits = demand.engines.every((engine) =>
    cluster.pools.some((pool) => !('misfit' in fitEngine(engine, pool, cluster, matcher))),
  );
  return suits && fitReplica(demand, cluster, matcher, ledger) !== undefined;
}
