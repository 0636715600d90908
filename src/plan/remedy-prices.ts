import { groupBy } from '../base/order';
import type { Cost } from '../cost/cost';
import { assumePoolPrices, poolKeyOf } from '../cost/pool-prices';
import { HOURS_PER_MONTH } from '../cost/sum';
import type { Fleet } from '../fleet/fleet';
import type { Rejection, Remedy } from '../scheduler/schedule-result';
import type { DeploymentPlan } from './plan';

/** Adds to remedies what their nodes cost, where a price is known in the region of the cluster or in another one. */
export function addRemedyPrices(
  plans: readonly DeploymentPlan[],
  { clusters, currency }: Cost,
  fleet: Pick<Fleet, 'classes' | 'clusters' | 'hardware'>,
): DeploymentPlan[] {
  if (!plans.some(({ shortfall }) => shortfall?.remedies.some(({ kind }) => kind === 'nodes'))) return [...plans];
  const pools = new Map(
    clusters.flatMap(({ cluster, pools: all }) => all.map((one) => [poolKeyOf(cluster, one.pool), one] as const)),
  );
  const assumed = assumePoolPrices(fleet);
  const addPrice = (remedy: Remedy, rejections: readonly Rejection[]): Remedy => {
    if (remedy.kind !== 'nodes') return remedy;
    const key = poolKeyOf(remedy.cluster, remedy.pool);
    const { price, autoscaled = false } = pools.get(key) ?? {};
    const elsewhere = price ? undefined : assumed.get(key);
    const perHour = price?.perHour ?? elsewhere?.price.perHour;
    if (perHour === undefined) return remedy;
    const held = autoscaled ? countHeldNodes(remedy, rejections) : 0;
    const nodes = Math.max(remedy.nodes, held);
    const perMonth = Math.round(nodes * perHour * HOURS_PER_MONTH * 100) / 100;
    const further = { ...(nodes > remedy.nodes && { held }), ...(elsewhere && { asIn: elsewhere.region }) };
    return { ...remedy, cost: { perMonth, currency, autoscaled, ...further } };
  };
  return plans.map((plan) => {
    const { shortfall } = plan;
    if (!shortfall) return plan;
    return {
      ...plan,
      shortfall: { ...shortfall, remedies: shortfall.remedies.map((one) => addPrice(one, shortfall.rejections)) },
    };
  });
}

/** The nodes that the pods of a replica take of the pool of a remedy: an autoscaler starts those that do not run. */
function countHeldNodes(
  { cluster, pool, nodes, gpus }: Extract<Remedy, { kind: 'nodes' }>,
  rejections: readonly Rejection[],
): number {
  const found = rejections.find((one) => one.cluster === cluster && one.pool === pool);
  if (found?.reason.filter !== 'capacity' || gpus === 0) return 0;
  const { pods, perPod } = found.reason;
  const devices = pods * Object.values(perPod).reduce((sum, count) => sum + count, 0);
  return Math.ceil((devices * nodes) / gpus);
}

/** Keeps of each kind of remedy the smallest, or the cheapest where all have a price. What costs nothing comes first. */
export function keepBestRemedies(plans: readonly DeploymentPlan[]): DeploymentPlan[] {
  return plans.map((plan) => {
    const { shortfall } = plan;
    if (!shortfall) return plan;
    return { ...plan, shortfall: { ...shortfall, remedies: sortByRank(chooseRemedies(shortfall.remedies)) } };
  });
}

/** Of each kind the first, which is the smallest, or the cheapest where that has a price. An unpriced one says so. */
function chooseRemedies(remedies: readonly Remedy[]): Remedy[] {
  return [...groupBy(remedies, ({ kind }) => kind).values()].flatMap((ofKind) => {
    const [first, ...others] = ofKind;
    if (!first || others.length === 0) return ofKind;
    if (first.kind === 'bound') return ofKind.slice(0, MOST_BOUNDS);
    const cheapest = ofKind.reduce((best, one) => (isCheaper(one, best) ? one : best));
    if (priceOf(cheapest) === UNPRICED) return [first];
    return priceOf(first) === UNPRICED ? [{ ...first, unpriced: true }, cheapest] : [cheapest];
  });
}

/** The most bounds of a selector to name: each opens other hardware. */
const MOST_BOUNDS = 3;

const UNPRICED = Number.POSITIVE_INFINITY;

/** Of equal prices, a known one comes before an estimate. */
function isCheaper(remedy: Remedy, best: Remedy): boolean {
  const [price, least] = [priceOf(remedy), priceOf(best)];
  return price < least || (price === least && isEstimated(best) && !isEstimated(remedy));
}

function isEstimated(remedy: Remedy): boolean {
  return remedy.kind === 'nodes' && remedy.cost?.asIn !== undefined;
}

/** Nodes that only have to come back cost nothing. */
function priceOf(remedy: Remedy): number {
  if (remedy.kind !== 'nodes') return UNPRICED;
  return remedy.unavailable === undefined ? (remedy.cost?.perMonth ?? UNPRICED) : 0;
}

/** What costs nothing comes first. Tolerations come last: a taint is there for a reason. */
const RANKS: Readonly<Record<Remedy['kind'], number>> = {
  move: 0,
  finalize: 0,
  declare: 0,
  limit: 0,
  bound: 0,
  count: 0,
  nodes: 1,
  toleration: 2,
};

function sortByRank(remedies: readonly Remedy[]): Remedy[] {
  return [...remedies].sort((a, b) => RANKS[a.kind] - RANKS[b.kind]);
}
