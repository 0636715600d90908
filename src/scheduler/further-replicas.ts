import type { CompiledCluster, CompiledDeployment } from './compiled-fleet';
import type { Assignment } from './fit-replica';
import type { SchedulingState } from './scheduling-state';
import { TopologySpread } from './topology-spread';
import { type PricedPools, toPricedPools } from './unlocked-choice';

/** Further replicas of a deployment that have a place on a cluster. */
export interface FurtherReplicas extends PricedPools {
  readonly count: number;

  /** There may be room for more: the count ends here. */
  readonly atLeast?: true;
}

/** Counts the further replicas that have a place on a cluster, up to a number. Leaves the state as it was. */
export function countFurther(
  state: SchedulingState,
  deployment: CompiledDeployment,
  cluster: CompiledCluster,
  most: number,
): FurtherReplicas | undefined {
  const { ledger, assignments } = state;
  const spread = new TopologySpread(deployment, state.clustersOf(deployment));
  const added: Assignment[] = [];
  while (added.length < most && !spread.findLimit(cluster)) {
    const next = assignments.choose(deployment, cluster)?.assignment;
    if (!next) break;
    ledger.add(next.charges);
    assignments.invalidate(cluster.name);
    spread.add(cluster);
    added.push(next);
  }
  for (const { charges } of added) ledger.remove(charges);
  assignments.invalidate(cluster.name);
  const [first] = added;
  if (!first) return undefined;
  return { count: added.length, ...(added.length === most && { atLeast: true as const }), ...toPricedPools(first) };
}
