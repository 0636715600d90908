import type { CompiledCluster, CompiledDeployment, Pool } from '../compiled-fleet';
import type { Assignment } from '../fit-replica';
import type { Ledger } from '../ledger';
import type { AssignedReplica } from '../retained-replicas';

/** A place for a replica: a cluster, a layout of its deployment, and a pool for each engine. */
export interface CandidatePlacement {
  readonly cluster: CompiledCluster;
  readonly shape: string;
  readonly assignment: Assignment;
}

/** A replica that gets a place: a missing one, or one that makes room for others. */
export interface Relocation {
  readonly deployment: CompiledDeployment;
  /** Absent for a replica that is missing. */
  readonly from?: AssignedReplica;
  readonly to: CandidatePlacement;
}

/** Whether the pools of a place have room for a replica. */
export function hasRoomAt(
  { assignment: { pools, charges } }: Pick<CandidatePlacement, 'assignment'>,
  ledger: Ledger,
): boolean {
  const [pool, ...others] = pools;
  return pool && others.length === 0 ? ledger.hasRoom(pool, charges) : ledger.fits(charges);
}

/** A text that is equal for equal places. */
export function siteKeyOf({ cluster, shape, assignment }: CandidatePlacement): string {
  return formatPlace(cluster.name, shape, assignment.pools);
}

/** The place of a placed replica, as a text. */
export function homeKeyOf({ placement, assignment }: AssignedReplica): string {
  return formatPlace(placement.cluster, placement.shape, assignment.pools);
}

function formatPlace(cluster: string, shape: string, pools: readonly Pool[]): string {
  let text = `${cluster} ${shape}`;
  for (const { name } of pools) text += `/${name}`;
  return text;
}
