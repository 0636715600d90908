import type { InferenceCluster } from '../api/inference-cluster';
import { qualifiedNameOf } from '../api/resource';
import { sortedBy } from '../base/order';
import { computeCost, type KnownCosts, NO_COSTS } from '../cost/compute-cost';
import type { Cost } from '../cost/cost';
import type { CostedReplica } from '../cost/deployment-costs';
import { findPoolPrices } from '../cost/pool-prices';
import { type Fleet, indexDeploymentsById } from '../fleet/fleet';
import { priceOf } from '../fleet/prices/node-price';
import { locateCaches, type MountingReplica } from '../replicas/cache-clusters';
import { findChangedReplicas } from '../replicas/compare-replicas';
import { haveSameContext } from '../scheduler/compile/reuse-compiled';
import { sortPlacements } from '../scheduler/placement-order';
import type { Placement } from '../scheduler/schedule-result';
import type { Decision, PlacedFleet } from './decision';
import type { PriceDate } from './plan';
import { createUsageLookup, type UsageLookup } from './replica-usage';

/** Placed replicas, leaving ones too, as far as they cost something. */
function toCharged(placements: readonly Placement[], usageAt: UsageLookup): CostedReplica[] {
  return placements.map((placement) => ({ placement, usage: usageAt(placement) }));
}

/**
 * What a fleet costs with some replicas on it, and the caches that these mount.
 *
 * @param replicas in the order of the lock
 */
export function computePlanCost(
  fleet: Fleet,
  replicas: readonly CostedReplica[],
  mounting: readonly MountingReplica[],
  prices = findPoolPrices(fleet),
): Cost {
  return computeCost(fleet, { replicas, held: locateCaches(fleet, mounting) }, prices);
}

/** What a fleet costs with replicas where some placements say. Of caches those count that these mount. */
export function computeCostOfPlacements(
  fleet: Fleet,
  placements: readonly Placement[],
  usageAt: UsageLookup,
  prices = findPoolPrices(fleet),
): Cost {
  const deployments = indexDeploymentsById(fleet.deployments);
  const clusters = new Map(fleet.clusters.map((one) => [one.metadata.name, one]));
  const mounting = placements.flatMap((placement): MountingReplica[] => {
    const deployment = deployments.get(placement.deployment);
    const cluster = clusters.get(placement.cluster);
    return deployment && cluster ? [{ deployment, cluster }] : [];
  });
  return computePlanCost(fleet, toCharged(sortPlacements(placements), usageAt), mounting, prices);
}

/**
 * What a fleet costs as it is placed.
 *
 * @param beside another state of the fleet, beside which this one was decided. What both have in common is taken from
 *   its cost, and changes nothing of this one. Default: none
 */
export function computePlacedCost({ fleet, ...placed }: PlacedFleet, beside?: Decision): Cost {
  const { model, matcher, schedule, replicas } = placed;
  const known = beside ? reuseCosts({ fleet, ...placed }, beside) : NO_COSTS;
  const { clusters } = known;
  // No replica of a deployment that is not known is on a cluster that is.
  const unknown = schedule.placements.filter(({ cluster }) => !clusters.has(cluster));
  const open = fleet.clusters.filter(({ metadata }) => !clusters.has(metadata.name));
  const own = {
    replicas: toCharged(unknown, createUsageLookup(model, matcher)),
    held: locateCaches(fleet, replicas),
  };
  return computeCost(fleet, own, findPoolPrices({ ...fleet, clusters: open }), known);
}

/**
 * The costs of another state of the fleet that hold in this one: those of deployments of which all replicas are the same
 * objects, as what was decided beside the other takes them from there, and those of clusters that did not change and
 * have such replicas alone. Anything by which prices, volumes and shares are read differently leaves none but the places
 * of sources.
 */
export function reuseCosts(placed: PlacedFleet, { plan: { cost }, ...other }: Decision): KnownCosts {
  if (!haveSameContext(placed.fleet, other.fleet)) return { ...NO_COSTS, sources: cost.sources };
  const changed = [
    ...findChangedReplicas(placed.replicas, other.replicas),
    ...findChangedReplicas(other.replicas, placed.replicas),
  ];
  const ids = new Set(changed.map(([deployment]) => qualifiedNameOf(deployment)));
  const clusters = changedClusters(placed, other);
  for (const [, replicas] of changed) for (const { cluster } of replicas) clusters.add(cluster.metadata.name);
  return {
    clusters: new Map(
      cost.clusters.filter(({ cluster }) => !clusters.has(cluster)).map((one) => [one.cluster, one]),
    ),
    deployments: new Map(
      cost.deployments.filter(({ deployment }) => !ids.has(deployment)).map((one) => [one.deployment, one]),
    ),
    sources: cost.sources,
  };
}

/** The names of clusters that only one of two states has as they are. */
function changedClusters(placed: PlacedFleet, other: PlacedFleet): Set<string> {
  const here: ReadonlySet<InferenceCluster> = new Set(placed.fleet.clusters);
  return new Set(other.fleet.clusters.filter((one) => !here.has(one)).map(({ metadata }) => metadata.name));
}

/** The oldest price by which pools were compared. Nothing where no deployment asks for the cheapest. */
export function findOldestPrice(fleet: Fleet): { readonly prices?: PriceDate } {
  if (!fleet.deployments.some(({ spec }) => spec.placement.policy === 'Cheapest')) return {};
  const [oldest] = sortedBy(priceDatesOf(fleet), ({ asOf, cluster, pool }) =>
    [asOf, cluster, pool].join(' '),
  );
  return oldest ? { prices: oldest } : {};
}

function priceDatesOf({ classes, clusters, hardware }: Fleet): PriceDate[] {
  const byName = new Map(classes.map((one) => [one.metadata.name, one]));
  return clusters.flatMap((cluster) =>
    cluster.spec.nodePools.flatMap(({ name, className }): PriceDate[] => {
      const declared = byName.get(className);
      const price = declared && priceOf({ declared, cluster }, hardware.prices);
      if (!price?.asOf) return [];
      return [{ asOf: price.asOf, cluster: cluster.metadata.name, pool: name, source: price.source }];
    }),
  );
}
