import { parseNamespace } from '../api/resource';
import { compareText, groupBy } from '../base/order';
import type { Fleet } from '../fleet/fleet';
import { computeClusterCosts, type CostSubjects } from './cluster-costs';
import type { ClusterCost, Cost, CostBreakdown, DeploymentCost, NamespaceCost, PriceSource } from './cost';
import { computeDeploymentCosts } from './deployment-costs';
import type { PoolPrices } from './pool-prices';
import { PriceSourceList } from './price-sources';
import { HOURS_PER_MONTH, sumParts } from './sum';

/** Costs that are known before anything is added up, by name and by id. */
export interface KnownCosts {
  /** Replicas on them are of deployments that are known too. */
  readonly clusters: ReadonlyMap<string, ClusterCost>;
  readonly deployments: ReadonlyMap<string, DeploymentCost>;

  /** Those that sums of them name by their places. */
  readonly sources: readonly PriceSource[];
}

/** Of a fleet that is looked at for the first time. */
export const NO_COSTS: KnownCosts = { clusters: new Map(), deployments: new Map(), sources: [] };

/**
 * What a fleet costs with what is placed on it, at the prices of its pools.
 *
 * @param known costs that hold here too; their sources keep their places. Replicas on such clusters may be left out of
 *   what is placed, and pools of such clusters out of the prices. Default: none
 */
export function computeCost(fleet: Fleet, placed: CostSubjects, prices: PoolPrices, known = NO_COSTS): Cost {
  const sources = new PriceSourceList(known.sources);
  const clusters = computeClusterCosts(fleet, placed, { prices, sources }, known.clusters);
  const deployments = computeDeploymentCosts(placed.replicas, { prices, sources }, known.deployments);
  return {
    currency: fleet.hardware.prices.currency,
    hoursPerMonth: HOURS_PER_MONTH,
    ...addClusters(clusters),
    clusters,
    namespaces: computeNamespaceCosts({ clusters, deployments }),
    deployments,
    sources: sources.values,
  };
}

function addClusters(clusters: readonly ClusterCost[]): CostBreakdown {
  return {
    fixed: sumParts(clusters.map(({ fixed }) => fixed)),
    autoscaled: {
      least: sumParts(clusters.map(({ autoscaled }) => autoscaled.least)),
      most: sumParts(clusters.map(({ autoscaled }) => autoscaled.most)),
    },
    storage: sumParts(clusters.map(({ storage }) => storage)),
    total: {
      least: sumParts(clusters.map(({ total }) => total.least)),
      most: sumParts(clusters.map(({ total }) => total.most)),
    },
    idle: sumParts(clusters.map(({ idle }) => idle)),
  };
}

function computeNamespaceCosts({
  clusters,
  deployments,
}: Pick<Cost, 'clusters' | 'deployments'>): NamespaceCost[] {
  const volumes = groupBy(
    clusters.flatMap((cluster) => cluster.volumes),
    ({ cache }) => parseNamespace(cache),
  );
  const own = groupBy(deployments, ({ deployment }) => parseNamespace(deployment));
  return [...new Set([...volumes.keys(), ...own.keys()])].sort(compareText).map((namespace) => {
    const replicas = sumParts((own.get(namespace) ?? []).map(({ cost }) => cost));
    const storage = sumParts((volumes.get(namespace) ?? []).map(({ cost }) => cost));
    return { namespace, replicas, storage, total: sumParts([replicas, storage]) };
  });
}
