import type { Fleet } from '../fleet';
import { groupBy } from '../order';
import { type Compiled, commonGround } from '../scheduler/common-ground';
import { isSamePlacement } from '../scheduler/lock';
import type { Placement } from '../scheduler/types';
import type { ComputedReplica } from './replica';

/** Another state of a fleet, with its replicas in the order of their placements. */
export interface KnownReplicas extends Compiled {
  readonly schedule: { readonly placements: readonly Placement[] };
  readonly replicas: readonly ComputedReplica[];
}

/**
 * The replicas that are known: those of deployments that another state has in common with a fleet, where all of one
 * stand in both alike, on clusters that did not change.
 */
export function knownReplicas(
  fleet: Fleet,
  placements: readonly Placement[],
  known: KnownReplicas,
): ReadonlyMap<Placement, ComputedReplica> {
  const { deployments } = commonGround(fleet, known.fleet);
  const clusters: ReadonlySet<unknown> = new Set(fleet.clusters);
  const theirs = groupBy(known.schedule.placements.entries(), ([, { deployment }]) => deployment);
  const found = new Map<Placement, ComputedReplica>();
  for (const [id, own] of groupBy(placements, ({ deployment }) => deployment)) {
    const lines = theirs.get(id) ?? [];
    const replicas = lines.map(([i]) => known.replicas[i]);
    const stays =
      own.length === lines.length &&
      own.every((placement, p) => isSamePlacement(placement, lines[p]?.[1])) &&
      replicas.every((one) => one && deployments.has(one.deployment) && clusters.has(one.cluster));
    if (!stays) continue;
    for (const [p, replica] of replicas.entries()) {
      const placement = own[p];
      if (placement && replica) found.set(placement, replica);
    }
  }
  return found;
}
