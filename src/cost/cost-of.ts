import { namespaceIn } from '../api/resource';
import type { Fleet } from '../fleet';
import { compareText, groupBy, sortedBy } from '../order';
import type {
  Bought,
  ClusterCost,
  Cost,
  DeploymentCost,
  NamespaceCost,
  PriceSource,
  VolumeCost,
} from './cost';
import { clusterCosts, type Placed } from './cluster-costs';
import { deploymentCosts } from './deployment-costs';
import type { PoolPrices } from './pool-prices';
import { HOURS_PER_MONTH, sumOf } from './sum';

/** Costs that are known before anything is added up, by name and by id. */
export interface KnownCosts {
  /** Replicas on them are of deployments that are known too. */
  readonly clusters: ReadonlyMap<string, ClusterCost>;
  readonly deployments: ReadonlyMap<string, DeploymentCost>;
}

/** Of a fleet that is looked at for the first time. */
export const NO_COSTS: KnownCosts = { clusters: new Map(), deployments: new Map() };

/**
 * What a fleet costs with what is placed on it, at the prices of its pools.
 *
 * @param known costs that hold here too. Replicas on such clusters may be left out of what is placed, and pools of such
 *   clusters out of the prices. Default: none
 */
export function costOf(fleet: Fleet, placed: Placed, prices: PoolPrices, known = NO_COSTS): Cost {
  const clusters = clusterCosts(fleet, placed, prices, known.clusters);
  const deployments = deploymentCosts(placed.replicas, prices, known.deployments);
  return {
    currency: fleet.hardware.prices.currency,
    hoursPerMonth: HOURS_PER_MONTH,
    ...added(clusters),
    clusters,
    namespaces: namespaceCosts({ clusters, deployments }),
    deployments,
    sources: sourcesOf(clusters),
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

function sourcesOf(clusters: readonly ClusterCost[]): PriceSource[] {
  const priced = clusters.flatMap(({ pools, volumes }) => [...pools, ...volumes]);
  const sources = priced.flatMap(({ price }: ClusterCost['pools'][number] | VolumeCost): PriceSource[] => {
    if (!price) return [];
    const { source, asOf } = price;
    return [
      { source, ...(asOf !== undefined && { asOf }), discounts: 'discounts' in price ? price.discounts : [] },
    ];
  });
  const distinct = new Map(sources.map((one) => [JSON.stringify(one), one]));
  return sortedBy(distinct.values(), (one) => JSON.stringify(one));
}
