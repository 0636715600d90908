import { deploymentsById } from '../deployments-by-id';
import type { Cost } from '../cost/cost';
import { costOf, NO_COSTS } from '../cost/cost-of';
import type { Charged } from '../cost/deployment-costs';
import { poolPrices } from '../cost/pool-prices';
import type { Fleet } from '../fleet';
import type { Mounting } from '../render/cache/where';
import { sortedLines } from '../scheduler/lines';
import type { Placement } from '../scheduler/types';
import { holdings } from './cache-notes';
import type { Decision, Placed } from './decide';
import { knownCosts } from './known-costs';
import { type UsageAt, usages } from './usages';

/** Placed replicas, leaving ones too, as far as they cost something. */
function charged(placements: readonly Placement[], usageAt: UsageAt): Charged[] {
  return placements.map((placement) => ({ placement, usage: usageAt(placement) }));
}

/**
 * What a fleet costs with some replicas on it, and the caches that these mount.
 *
 * @param replicas in the order of the lock
 */
export function planCost(
  fleet: Fleet,
  replicas: readonly Charged[],
  mounting: readonly Mounting[],
  prices = poolPrices(fleet),
): Cost {
  return costOf(fleet, { replicas, held: holdings(fleet, mounting) }, prices);
}

/** What a fleet costs with replicas where some placements say. Of caches those count that these mount. */
export function costWith(
  fleet: Fleet,
  placements: readonly Placement[],
  usageAt: UsageAt,
  prices = poolPrices(fleet),
): Cost {
  const deployments = deploymentsById(fleet.deployments);
  const clusters = new Map(fleet.clusters.map((one) => [one.metadata.name, one]));
  const mounting = placements.flatMap((placement): Mounting[] => {
    const deployment = deployments.get(placement.deployment);
    const cluster = clusters.get(placement.cluster);
    return deployment && cluster ? [{ deployment, cluster }] : [];
  });
  return planCost(fleet, charged(sortedLines(placements), usageAt), mounting, prices);
}

/**
 * What a fleet costs as it is placed.
 *
 * @param beside another state of the fleet, beside which this one was decided. What both have in common is taken from
 *   its cost, and changes nothing of this one. Default: none
 */
export function placedCost({ fleet, ...placed }: Placed, beside?: Decision): Cost {
  const { model, matcher, schedule, replicas } = placed;
  const known = beside ? knownCosts({ fleet, ...placed }, beside) : NO_COSTS;
  const { clusters } = known;
  // No replica of a deployment that is not known is on a cluster that is.
  const unknown = schedule.placements.filter(({ cluster }) => !clusters.has(cluster));
  const open = fleet.clusters.filter(({ metadata }) => !clusters.has(metadata.name));
  const own = { replicas: charged(unknown, usages(model, matcher)), held: holdings(fleet, replicas) };
  return costOf(fleet, own, poolPrices({ ...fleet, clusters: open }), known);
}
