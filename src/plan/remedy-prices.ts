import { cacheReferencesOf } from '../api/cache/cache-references';
import { qualifiedNameOf } from '../api/resource';
import { groupBy } from '../base/order';
import type { Cost, PoolCost } from '../cost/cost';
import { assumePoolPrices, poolKeyOf } from '../cost/pool-prices';
import { HOURS_PER_MONTH } from '../cost/sum';
import type { Fleet } from '../fleet/fleet';
import type { Rejection, Remedy } from '../scheduler/schedule-result';
import { listReplicasAfter } from './deployment-plans';
import type { DeploymentPlan, ShortfallPlan } from './plan';

/**
 * Adds to remedies what they cost: nodes where a price is known in the region of the cluster or in another one, and
 * nothing where declared nodes of a fixed number are enough.
 */
export function addRemedyPrices(
  plans: readonly DeploymentPlan[],
  cost: Cost,
  fleet: Pick<Fleet, 'classes' | 'clusters' | 'hardware' | 'deployments'>,
): DeploymentPlan[] {
  if (!plans.some(({ shortfall }) => shortfall && shortfall.remedies.length > 0)) return [...plans];
  const pricer = new RemedyPricer(cost, fleet);
  return plans.map((plan) => {
    const { shortfall } = plan;
    if (!shortfall) return plan;
    return {
      ...plan,
      shortfall: { ...shortfall, remedies: shortfall.remedies.map((one) => pricer.addPrice(one, plan, shortfall)) },
    };
  });
}

class RemedyPricer {
  readonly #clusters: ReadonlyMap<string, readonly PoolCost[]>;
  readonly #assumed: ReturnType<typeof assumePoolPrices>;
  readonly #cached: ReadonlySet<string>;
  readonly #currency: string;

  constructor({ clusters, currency }: Cost, fleet: Parameters<typeof addRemedyPrices>[2]) {
    this.#currency = currency;
    this.#clusters = new Map(clusters.map(({ cluster, pools }) => [cluster, pools]));
    this.#assumed = assumePoolPrices(fleet);
    const cached = fleet.deployments.filter((one) => cacheReferencesOf(one).length > 0);
    this.#cached = new Set(cached.map(qualifiedNameOf));
  }

  addPrice(remedy: Remedy, plan: DeploymentPlan, { rejections }: Pick<ShortfallPlan, 'rejections'>): Remedy {
    if (remedy.kind === 'nodes') return this.#priceNodes(remedy, rejections);
    if (!usesDeclaredNodes(remedy) || !this.#isFree(remedy, plan)) return remedy;
    return { ...remedy, cost: { perMonth: 0, currency: this.#currency } };
  }

  #priceNodes(remedy: NodesRemedy, rejections: readonly Rejection[]): Remedy {
    const { cluster, pool } = remedy;
    const found = this.#clusters.get(cluster)?.find((one) => one.pool === pool);
    const { price, autoscaled = false } = found ?? {};
    const elsewhere = price ? undefined : this.#assumed.get(poolKeyOf(cluster, pool));
    const perHour = price?.perHour ?? elsewhere?.price.perHour;
    if (perHour === undefined) return remedy;
    const held = autoscaled ? countHeldNodes(remedy, rejections) : 0;
    const nodes = Math.max(remedy.nodes, held);
    const perMonth = Math.round(nodes * perHour * HOURS_PER_MONTH * 100) / 100;
    const further = { ...(nodes > remedy.nodes && { held }), ...(elsewhere && { asIn: elsewhere.region }) };
    return { ...remedy, cost: { perMonth, currency: this.#currency, autoscaled, ...further } };
  }

  /** Whether no autoscaler starts nodes for a further replica, and no cluster stages a cache for it. */
  #isFree(remedy: OtherUse, plan: DeploymentPlan): boolean {
    const also = 'also' in remedy ? (remedy.also ?? []) : [];
    const staged = new Set(listReplicasAfter(plan).map(({ placement }) => placement.cluster));
    return [remedy, ...also].every(({ cluster, ...at }) => {
      if (this.#cached.has(plan.deployment) && !staged.has(cluster)) return false;
      const pools = this.#clusters.get(cluster) ?? [];
      return pools.every(({ pool, autoscaled }) => !autoscaled || ('pool' in at && at.pool !== pool));
    });
  }
}

type NodesRemedy = Extract<Remedy, { kind: 'nodes' }>;

type OtherUse = Extract<Remedy, { kind: 'limit' | 'packing' | 'bound' | 'count' }>;

const OTHER_USES: ReadonlySet<Remedy['kind']> = new Set<OtherUse['kind']>(['limit', 'packing', 'bound', 'count']);

/** Whether a remedy gives a replica nodes that are declared already. */
function usesDeclaredNodes(remedy: Remedy): remedy is OtherUse {
  return OTHER_USES.has(remedy.kind);
}

/** The nodes that the pods of a replica take of the pool of a remedy: an autoscaler starts those that do not run. */
function countHeldNodes({ cluster, pool, nodes, gpus }: NodesRemedy, rejections: readonly Rejection[]): number {
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

/**
 * What a fleet declares and costs nothing comes first, then nodes. Packing costs nothing either, but the cluster has to
 * do it, and not every cloud lets it. Tolerations come last: a taint is there for a reason.
 */
const RANKS: Readonly<Record<Remedy['kind'], number>> = {
  move: 0,
  finalize: 0,
  declare: 0,
  limit: 0,
  bound: 0,
  count: 0,
  nodes: 1,
  packing: 2,
  toleration: 3,
};

function sortByRank(remedies: readonly Remedy[]): Remedy[] {
  return [...remedies].sort((a, b) => RANKS[a.kind] - RANKS[b.kind]);
}
