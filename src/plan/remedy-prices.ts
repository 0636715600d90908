import { groupBy } from '../base/order';
import type { Cost } from '../cost/cost';
import { HOURS_PER_MONTH } from '../cost/sum';
import type { Remedy } from '../scheduler/schedule-result';
import type { DeploymentPlan } from './plan';

/** Adds to remedies what their nodes cost, where a price is known. */
export function addRemedyPrices(plans: readonly DeploymentPlan[], { clusters, currency }: Cost): DeploymentPlan[] {
  const pools = new Map(
    clusters.flatMap(({ cluster, pools: all }) => all.map((one) => [`${cluster} ${one.pool}`, one] as const)),
  );
  const addPrice = (remedy: Remedy): Remedy => {
    const pool = remedy.kind === 'nodes' ? pools.get(`${remedy.cluster} ${remedy.pool}`) : undefined;
    if (remedy.kind !== 'nodes' || !pool?.price) return remedy;
    const perMonth = Math.round(remedy.nodes * pool.price.perHour * HOURS_PER_MONTH * 100) / 100;
    return { ...remedy, cost: { perMonth, currency, autoscaled: pool.autoscaled } };
  };
  return plans.map((plan) => {
    const { shortfall } = plan;
    if (!shortfall) return plan;
    return { ...plan, shortfall: { ...shortfall, remedies: shortfall.remedies.map(addPrice) } };
  });
}

/** Keeps of each kind of remedy the smallest, or the cheapest where all have a price. What costs nothing comes first. */
export function keepBestRemedies(plans: readonly DeploymentPlan[]): DeploymentPlan[] {
  return plans.map((plan) => {
    const { shortfall } = plan;
    if (!shortfall) return plan;
    return { ...plan, shortfall: { ...shortfall, remedies: sortByRank(chooseRemedies(shortfall.remedies)) } };
  });
}

/** Of each kind the first, which is the smallest, or the cheapest where all have a price. An unpriced one stays next. */
function chooseRemedies(remedies: readonly Remedy[]): Remedy[] {
  return [...groupBy(remedies, ({ kind }) => kind).values()].flatMap((ofKind) => {
    const [first, ...others] = ofKind;
    if (!first || others.length === 0) return ofKind;
    if (first.kind === 'bound') return ofKind.slice(0, MOST_BOUNDS);
    const cheapest = ofKind.reduce((best, one) => (priceOf(one) < priceOf(best) ? one : best));
    if (priceOf(cheapest) === UNPRICED) return [first];
    return priceOf(first) === UNPRICED ? [first, cheapest] : [cheapest];
  });
}

/** The most bounds of a selector to name: each opens other hardware. */
const MOST_BOUNDS = 3;

const UNPRICED = Number.POSITIVE_INFINITY;

function priceOf(remedy: Remedy): number {
  return (remedy.kind === 'nodes' ? remedy.cost?.perMonth : undefined) ?? UNPRICED;
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
