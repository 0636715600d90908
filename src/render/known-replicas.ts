import { deploymentsById } from '../deployments-by-id';
import type { Fleet } from '../fleet';
import { type Compiled, commonGround } from '../scheduler/common-ground';
import { linesOf } from '../scheduler/lines';
import { isSamePlacement } from '../scheduler/same-placement';
import type { Placement } from '../scheduler/types';
import { replicasByDeployment } from './grouped-replicas';
import type { ComputedReplica } from './replica';

/** Another state of a fleet, with its replicas in the order of their placements. */
export interface KnownReplicas extends Compiled {
  readonly schedule: { readonly placements: readonly Placement[] };
  readonly replicas: readonly ComputedReplica[];
}

/** Tells the replicas of a deployment by all its placements, or nothing where they are not known. */
export type Known = (own: readonly Placement[]) => readonly ComputedReplica[] | undefined;

/**
 * The replicas that are known: those of deployments that another state has in common with a fleet, where all of one
 * stand in both alike, on clusters that did not change.
 */
export function knownReplicas(fleet: Fleet, known: KnownReplicas): Known {
  const common = commonGround(fleet, known.fleet);
  const deployments = deploymentsById(fleet.deployments);
  const clusters: ReadonlySet<unknown> = new Set(fleet.clusters);
  const theirs = linesOf(known.schedule.placements);
  const replicasOf = replicasByDeployment(known.replicas);
  return (own) => {
    const id = own[0]?.deployment ?? '';
    const deployment = deployments.get(id);
    if (!deployment || !common.deployments.has(deployment)) return undefined;
    const lines = theirs.get(id) ?? [];
    const replicas = replicasOf.get(deployment) ?? [];
    const stays =
      own.length === replicas.length &&
      areSame(own, lines) &&
      (common.sites || replicas.every(({ cluster }) => clusters.has(cluster)));
    return stays ? replicas : undefined;
  };
}

function areSame(own: readonly Placement[], lines: readonly Placement[]): boolean {
  if (own === lines) return true;
  return own.length === lines.length && own.every((placement, p) => isSamePlacement(placement, lines[p]));
}
