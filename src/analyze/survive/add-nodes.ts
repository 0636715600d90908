import { poolKeyOf } from '../../cost/pool-prices';
import type {
  CompiledCluster,
  CompiledDeployment,
  Pool,
  ReplicaDemand,
} from '../../scheduler/compiled-fleet';
import { AssignmentCache, FeasibleClusters } from '../../scheduler/feasible-clusters';
import { rejectNew } from '../../scheduler/filters';
import { fitEngine } from '../../scheduler/fit-replica';
import type { Charge } from '../../scheduler/ledger';
import { addReplica } from '../../scheduler/place-replicas';
import type { SchedulingState } from '../../scheduler/scheduling-state';
import { TopologySpread } from '../../scheduler/topology-spread';

/** Nodes that a replica lacks on a cluster, by pool. */
interface MissingNodes {
  readonly site: CompiledCluster;
  readonly nodes: readonly (readonly [Pool, number])[];
  readonly total: number;
}

/** Of the clusters that need the fewest nodes at first, so many are looked at again for every further replica. */
const MAX_COMPARED_CLUSTERS = 8;

/**
 * Adds nodes until a deployment has so many more replicas, one after the other, each where it lacks the fewest: a
 * heuristic, as one cluster may serve several that others need apart.
 *
 * @param extra what was added, by `poolKey`; it grows
 */
export function addNodes(
  state: SchedulingState,
  workload: CompiledDeployment,
  replicas: number,
  extra: Map<string, number>,
): void {
  const rooms = {
    feasible: new FeasibleClusters(state.model.clusters),
    assignments: new AssignmentCache(state.matcher, state.ledger),
  };
  const spread = new TopologySpread(workload, state.clustersOf(workload));
  const compared = rankByMissingNodes(state, workload, state.model.clusters, spread).slice(
    0,
    MAX_COMPARED_CLUSTERS,
  );
  for (let r = 0; r < replicas; r++) {
    const [best] = rankByMissingNodes(
      state,
      workload,
      compared.map(({ site }) => site),
      spread,
    );
    if (!best) return;
    for (const [pool, nodes] of best.nodes) {
      const key = poolKeyOf(pool.cluster, pool.name);
      extra.set(key, (extra.get(key) ?? 0) + nodes);
      state.ledger.enlarge(pool, nodes);
    }
    rooms.assignments.invalidate(best.site);
    addReplica(state, workload, best.site, { caches: rooms, spread });
  }
}

/** The clusters that may take a replica, those that lack the fewest nodes first, then by name. */
function rankByMissingNodes(
  state: SchedulingState,
  { demand }: CompiledDeployment,
  sites: readonly CompiledCluster[],
  spread: TopologySpread,
): MissingNodes[] {
  return sites
    .filter((site) => !rejectNew(demand, site) && !spread.findLimit(site))
    .flatMap((site) => missingNodesOn(state, demand, site) ?? [])
    .sort((a, b) => a.total - b.total);
}

function missingNodesOn(
  { ledger, matcher }: SchedulingState,
  demand: ReplicaDemand,
  site: CompiledCluster,
): MissingNodes | undefined {
  const chosen: Charge[] = [];
  for (const engine of demand.engines) {
    const fits = site.pools.flatMap((pool) => {
      const fit = fitEngine(engine, pool, site, matcher);
      return 'misfit' in fit ? [] : [fit];
    });
    const [best] = fits
      .map(({ pool, charges }) => ({ charges, lacks: ledger.missingNodes(pool, [...chosen, ...charges]) }))
      .sort((a, b) => a.lacks - b.lacks);
    if (!best) return undefined;
    chosen.push(...best.charges);
  }
  const pools = [...new Set(chosen.map(({ pool }) => pool))];
  const nodes = pools
    .map((pool) => [pool, ledger.missingNodes(pool, chosen)] as const)
    .filter(([, n]) => n > 0);
  return { site, nodes, total: nodes.reduce((sum, [, n]) => sum + n, 0) };
}
