import { sortedBy } from '../base/order';
import { computeCost } from '../cost/compute-cost';
import type { Cost } from '../cost/cost';
import type { CostedReplica } from '../cost/deployment-costs';
import { findPoolPrices } from '../cost/pool-prices';
import { type Fleet, indexDeploymentsById } from '../fleet/fleet';
import { priceOf } from '../fleet/prices/node-price';
import { locateCaches, type MountingReplica } from '../replicas/cache-clusters';
import type { ComputedReplica } from '../replicas/replica';
import { type Placement, sortPlacements } from '../scheduler/placement';
import type { PlacedFleet } from './decision';
import type { PriceDate } from './plan';
import { createUsageLookup, type UsageLookup } from './replica-usage';

/** Adds the usage of each replica, including draining ones. */
function toCostedReplicas(placements: readonly Placement[], usageAt: UsageLookup): CostedReplica[] {
  return placements.map((placement) => ({ placement, usage: usageAt(placement) }));
}

/**
 * Computes the cost of a fleet with replicas and the caches that they mount. A replica of a lost cluster does not run.
 *
 * @param replicas in the order of the lock
 * @param mounting the replicas that mount caches
 */
export function computePlanCost(
  fleet: Fleet,
  replicas: readonly CostedReplica[],
  mounting: readonly MountingReplica[],
  prices = findPoolPrices(fleet),
): Cost {
  const running = replicas.filter(({ placement }) => !placement.lost);
  return computeCost(fleet, { replicas: running, held: locateCaches(fleet, mounting) }, prices);
}

/** Computes the cost of a fleet with placements and the caches that they mount. */
export function computeCostOfPlacements(
  fleet: Fleet,
  placements: readonly Placement[],
  usageAt: UsageLookup,
  prices = findPoolPrices(fleet),
): Cost {
  const costed = toCostedReplicas(sortPlacements(placements), usageAt);
  return computePlanCost(fleet, costed, resolvePlacements(fleet, placements), prices);
}

/** A placement with its declarations, for what needs no manifests. */
type DeclaredPlacement = Pick<ComputedReplica, 'deployment' | 'cluster' | 'index'>;

/** Looks up the deployments and the clusters of placements. Omits placements without them. */
export function resolvePlacements(
  fleet: Pick<Fleet, 'clusters' | 'deployments'>,
  placements: readonly Placement[],
): DeclaredPlacement[] {
  const deployments = indexDeploymentsById(fleet.deployments);
  const clusters = new Map(fleet.clusters.map((one) => [one.metadata.name, one]));
  return placements.flatMap((placement): DeclaredPlacement[] => {
    const deployment = deployments.get(placement.deployment);
    const cluster = clusters.get(placement.cluster);
    return deployment && cluster ? [{ deployment, cluster, index: placement.index }] : [];
  });
}

/** Computes the cost of a placed fleet. */
export function computePlacedCost(
  { fleet, model, matcher, schedule, replicas }: PlacedFleet,
  prices = findPoolPrices(fleet),
): Cost {
  const costed = toCostedReplicas(schedule.placements, createUsageLookup(model, matcher));
  return computePlanCost(fleet, costed, replicas, prices);
}

/** Finds the oldest price by which pools are compared. Empty if no deployment has the policy `Cheapest`. */
export function findOldestPrice(fleet: Fleet): { readonly prices?: PriceDate } {
  if (!fleet.deployments.some(({ spec }) => spec.placement.policy === 'Cheapest')) return {};
  const [oldest] = sortedBy(priceDatesOf(fleet), ({ asOf, cluster, pool }) => [asOf, cluster, pool].join(' '));
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
