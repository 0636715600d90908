import { namespaceIn } from '../api/resource';
import type { Fleet } from '../fleet';
import { compareText, groupBy } from '../order';
import type { Bought, ClusterCost, Cost, DeploymentCost, NamespaceCost, PriceSource } from './cost';
import { clusterCosts, type Placed } from './cluster-costs';
import { deploymentCosts } from './deployment-costs';
import type { PoolPrices } from './pool-prices';
import { SourceList } from './source-list';
import { HOURS_PER_MONTH, sumOf } from './sum';

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
export function costOf(fleet: Fleet, placed: Placed, prices: PoolPrices, known = NO_COSTS): Cost {
  const sources = new SourceList(known.sources);
  const clusters = clusterCosts(fleet, placed, { prices, sources }, known.clusters);
  const deployments = deploymentCosts(placed.replicas, { prices, sources }, known.deployments);
  return {
    currency: fleet.hardware.prices.currency,
    hoursPerMonth: HOURS_PER_MONTH,
    ...added(clusters),
    clusters,
    namespaces: namespaceCosts({ clusters, deployments }),
    deployments,
    sources: sources.values,
  };
}

function added(clusters: readonly ClusterCost[]): Bought {
  return {
    fixed: sumOf(clusters.map(({ fixed }) => fixed)),
    autoscaled: {
      least: sumOf(clusters.map(({ autoscaled }) => autoscaled.least)),
      most: sumOf(clusters.map(({ autoscaled }) => autoscaled.most)),
    },
    storage: sumOf(clusters.map(({ storage }) => storage)),
    total: {
      least: sumOf(clusters.map(({ total }) => total.least)),
      most: sumOf(clusters.map(({ total }) => total.most)),
    },
    idle: sumOf(clusters.map(({ idle }) => idle)),
  };
}

function namespaceCosts({ clusters, deployments }: Pick<Cost, 'clusters' | 'deployments'>): NamespaceCost[] {
  const volumes = groupBy(
    clusters.flatMap((cluster) => cluster.volumes),
    ({ cache }) => namespaceIn(cache),
  );
  const own = groupBy(deployments, ({ deployment }) => namespaceIn(deployment));
  return [...new Set([...volumes.keys(), ...own.keys()])].sort(compareText).map((namespace) => {
    const replicas = sumOf((own.get(namespace) ?? []).map(({ cost }) => cost));
    const storage = sumOf((volumes.get(namespace) ?? []).map(({ cost }) => cost));
    return { namespace, replicas, storage, total: sumOf([replicas, storage]) };
  });
}
