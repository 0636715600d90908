import { parseNamespace } from '../api/resource';
import { compareText, groupBy } from '../base/order';
import type { Fleet } from '../fleet/fleet';
import { computeClusterCosts, type CostSubjects } from './cluster-costs';
import type { ClusterCost, Cost, CostBreakdown, NamespaceCost } from './cost';
import { isCacheVolume } from './volume-name';
import { addRanges, computeDeploymentCosts } from './deployment-costs';
import type { PoolPrices } from './pool-prices';
import { PriceSourceList } from './price-sources';
import { HOURS_PER_MONTH, sumParts } from './sum';

export function computeCost(fleet: Fleet, placed: CostSubjects, prices: PoolPrices): Cost {
  const pricing = { prices, sources: new PriceSourceList() };
  const clusters = computeClusterCosts(fleet, placed, pricing);
  const deployments = computeDeploymentCosts(placed.replicas, pricing);
  return {
    currency: fleet.hardware.prices.currency,
    hoursPerMonth: HOURS_PER_MONTH,
    ...addClusters(clusters),
    clusters,
    namespaces: computeNamespaceCosts({ clusters, deployments }),
    deployments,
    sources: pricing.sources.values,
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

function computeNamespaceCosts({ clusters, deployments }: Pick<Cost, 'clusters' | 'deployments'>): NamespaceCost[] {
  const volumes = groupBy(clusters.flatMap((cluster) => cluster.volumes).filter(isCacheVolume), ({ cache }) =>
    parseNamespace(cache),
  );
  const byNamespace = groupBy(deployments, ({ deployment }) => parseNamespace(deployment));
  return [...new Set([...volumes.keys(), ...byNamespace.keys()])].sort(compareText).map((namespace) => {
    const { cost: replicas, least } = addRanges(byNamespace.get(namespace) ?? []);
    const storage = sumParts((volumes.get(namespace) ?? []).map(({ cost }) => cost));
    const total = sumParts([replicas, storage]);
    return { namespace, replicas, ...(least && { leastReplicas: least }), storage, total };
  });
}
