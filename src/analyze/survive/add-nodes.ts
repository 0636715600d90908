import { poolKeyOf } from '../../cost/pool-prices';
import type { CompiledCluster, CompiledDeployment, ReplicaDemand } from '../../scheduler/compiled-fleet';
import { rejectNew } from '../../scheduler/filters';
import { listFits } from '../../scheduler/fit-replica';
import type { Charge } from '../../scheduler/ledger';
import { addReplica } from '../../scheduler/place-replicas';
import type { SchedulingState } from '../../scheduler/scheduling-state';
import { TopologySpread } from '../../scheduler/topology-spread';

/** The most clusters that are ranked for every replica: those that lack the fewest nodes for the first. */
const MAX_COMPARED_CLUSTERS = 8;

/**
 * Adds nodes until a number of further replicas of a deployment have a place. Places one replica at a time, on the
 * cluster that lacks the fewest nodes for it. This is a heuristic: nodes on one cluster may serve several replicas.
 *
 * @param replicas the number of replicas to place
 * @param extra the added nodes by `poolKeyOf`; this function adds to it
 */
export function addNodes(
  state: SchedulingState,
  deployment: CompiledDeployment,
  replicas: number,
  extra: Map<string, number>,
): void {
  const spread = new TopologySpread(deployment, state.clustersOf(deployment));
  const ranked = rankByMissingNodes(state, deployment, state.model.clusters, spread);
  const compared = ranked.slice(0, MAX_COMPARED_CLUSTERS).map(({ cluster }) => cluster);
  for (let r = 0; r < replicas; r++) {
    const [best] = rankByMissingNodes(state, deployment, compared, spread);
    if (!best) return;
    for (const [pool, nodes] of best.nodes) {
      const key = poolKeyOf(pool.cluster, pool.name);
      extra.set(key, (extra.get(key) ?? 0) + nodes);
      state.ledger.enlarge(pool, nodes);
    }
    state.assignments.invalidate(best.cluster.name);
    addReplica(state, best.cluster, spread);
  }
}

/** Sorts the clusters that may take a replica by the number of nodes that they lack, then by their price and by name. */
function rankByMissingNodes(
  state: SchedulingState,
  { demand }: CompiledDeployment,
  clusters: readonly CompiledCluster[],
  spread: TopologySpread,
) {
  return clusters
    .filter((cluster) => !rejectNew(demand, cluster) && !spread.findLimit(cluster))
    .flatMap((cluster) => missingNodesOn(state, demand, cluster) ?? [])
    .sort((a, b) => a.total - b.total || comparePrices(a.price, b.price));
}

/** The lower price comes first, and an unknown one last. */
export function comparePrices(a: number | undefined, b: number | undefined): number {
  return a === b ? 0 : (a ?? Number.POSITIVE_INFINITY) - (b ?? Number.POSITIVE_INFINITY);
}

/** The nodes that a cluster lacks for one more replica, by pool. Undefined if an engine fits on no pool. */
function missingNodesOn({ ledger, matcher }: SchedulingState, demand: ReplicaDemand, cluster: CompiledCluster) {
  const chosen: Charge[] = [];
  for (const engine of demand.engines) {
    const [best] = listFits(engine, cluster, matcher)
      .map(({ pool, charges }) => ({ pool, charges, missing: ledger.missingNodes(pool, [...chosen, ...charges]) }))
      .sort((a, b) => a.missing - b.missing || comparePrices(a.pool.price, b.pool.price));
    if (!best) return undefined;
    chosen.push(...best.charges);
  }
  const pools = [...new Set(chosen.map(({ pool }) => pool))];
  const nodes = pools.map((pool) => [pool, ledger.missingNodes(pool, chosen)] as const).filter(([, n]) => n > 0);
  const prices = nodes.map(([pool, n]) => (pool.price === undefined ? Number.POSITIVE_INFINITY : n * pool.price));
  return {
    cluster,
    nodes,
    total: nodes.reduce((sum, [, n]) => sum + n, 0),
    price: prices.reduce((sum, price) => sum + price, 0),
  };
}
