import { acceleratorsOfNodes } from './compile/shapes';
import type { CompiledCluster, CompiledDeployment, ReplicaDemand } from './compiled-fleet';
import { rejectNew } from './filters';
import { fitReplica } from './fit-replica';
import type { Ledger } from './ledger';
import { fitsPacked, listShortPools } from './missing-nodes';
import { variantsOf } from './placement';
import { previousRevisionsOf } from './preemption';
import type { Remedy } from './remedy';
import type { SchedulingState } from './scheduling-state';
import { TopologySpread } from './topology-spread';

type InPlaceRemedy = Extract<Remedy, { kind: 'nodes' | 'packing' }>;

/** A cluster without one replica of earlier engines, which a new replica may replace in place. */
interface Vacated {
  readonly cluster: CompiledCluster;
  readonly ledger: Ledger;
  readonly demand: ReplicaDemand;
}

/**
 * Finds the fewest nodes, and the packing, with which a replica fits in the place of one that runs earlier engines. It
 * stops before the new one serves. Each was tried.
 *
 * @param others what helps without that. The same change is not found again
 */
export function findInPlaceRemedies(
  deployment: CompiledDeployment,
  state: SchedulingState,
  others: readonly Remedy[],
): InPlaceRemedy[] {
  const spread = new TopologySpread(deployment, state.clustersOf(deployment));
  const vacated = previousRevisionsOf(state, deployment).flatMap(({ placement, assignment }) => {
    const cluster = state.clusters.get(placement.cluster);
    if (!cluster || spread.findLimit(cluster)) return [];
    const ledger = state.ledger.without(assignment.charges);
    return variantsOf(deployment)
      .filter(({ demand }) => !rejectNew(demand, cluster))
      .map(({ demand }): Vacated => ({ cluster, ledger, demand }));
  });
  const nodes = vacated.flatMap((place) => listNodes(place, state)).sort((a, b) => a.nodes - b.nodes);
  const packing = vacated.flatMap((place) => listPackings(place, state));
  const isNew = (found: InPlaceRemedy): boolean => !others.some((other) => isSameChange(found, other));
  return [...nodes.slice(0, 1), ...packing.slice(0, 1)].filter(isNew);
}

function isSameChange(found: InPlaceRemedy, other: Remedy): boolean {
  if (other.kind !== found.kind || other.cluster !== found.cluster || other.pool !== found.pool) return false;
  return other.kind !== 'nodes' || found.kind !== 'nodes' || (!other.newPool && other.nodes <= found.nodes);
}

function listNodes({ cluster, ledger, demand }: Vacated, { matcher }: SchedulingState) {
  return listShortPools({ demand, cluster, matcher, ledger }).flatMap(({ pool, nodes }) => {
    const lost = ledger.lost(pool);
    if (pool.sliceHosts !== undefined) return [];
    if (!fitReplica(demand, cluster, matcher, ledger.enlarged(pool, nodes))) return [];
    return [
      {
        kind: 'nodes' as const,
        cluster: cluster.name,
        pool: pool.name,
        nodes,
        ...acceleratorsOfNodes(pool.node, nodes),
        inPlace: 'restart' as const,
        ...(lost >= nodes && { unavailable: lost }),
      },
    ];
  });
}

function listPackings(place: Vacated, { matcher }: SchedulingState): InPlaceRemedy[] {
  const { cluster } = place;
  return cluster.pools
    .filter((pool) => fitsPacked({ ...place, matcher }, pool))
    .map(({ name }) => ({ kind: 'packing', cluster: cluster.name, pool: name, inPlace: 'restart' }));
}
