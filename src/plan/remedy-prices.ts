import { groupBy, sortUnique } from '../base/order';
import type { Cost, PoolCost } from '../cost/cost';
import { assumePoolPrices, poolKeyOf } from '../cost/pool-prices';
import { HOURS_PER_MONTH } from '../cost/sum';
import type { Fleet } from '../fleet/fleet';
import type { Rejection } from '../scheduler/reason';
import type { MoveRemedy, NodesCost, Remedy, RemedyMove, StartedNodes } from '../scheduler/remedy';
import { createVolumePricer, type PriceVolumes } from './added-volumes';
import { listReplicasAfter } from './deployment-plans';
import type { DeploymentPlan, ShortfallPlan } from './plan';
import { resolvePlacements } from './plan-cost';
import type { UsageLookup } from './replica-usage';

/**
 * Adds to remedies what they cost: nodes where a price is known in the region of the cluster or in another one, and
 * volumes of caches, or nothing, where declared nodes of a fixed number are enough.
 */
export function addRemedyPrices(
  plans: readonly DeploymentPlan[],
  cost: Cost,
  fleet: Pick<Fleet, 'caches' | 'classes' | 'clusters' | 'hardware' | 'deployments'>,
  usageAt: UsageLookup,
): DeploymentPlan[] {
  if (!plans.some(({ shortfall }) => shortfall && shortfall.remedies.length > 0)) return [...plans];
  const pricer = new RemedyPricer(plans, cost, { fleet, usageAt });
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
  readonly #currency: string;
  readonly #fleet: Parameters<typeof addRemedyPrices>[2];
  readonly #usageAt: UsageLookup;
  readonly #plans: readonly DeploymentPlan[];
  readonly #volumePrice: PriceVolumes;

  constructor(
    plans: readonly DeploymentPlan[],
    { clusters, currency }: Cost,
    { fleet, usageAt }: { readonly fleet: Parameters<typeof addRemedyPrices>[2]; readonly usageAt: UsageLookup },
  ) {
    this.#plans = plans;
    this.#fleet = fleet;
    this.#usageAt = usageAt;
    this.#currency = currency;
    this.#clusters = new Map(clusters.map(({ cluster, pools }) => [cluster, pools]));
    this.#assumed = assumePoolPrices(fleet);
    const placements = plans.flatMap(listReplicasAfter).map(({ placement }) => placement);
    this.#volumePrice = createVolumePricer(fleet, resolvePlacements(fleet, placements));
  }

  addPrice(remedy: Remedy, plan: DeploymentPlan, { rejections }: Pick<ShortfallPlan, 'rejections'>): Remedy {
    if (remedy.kind === 'nodes') return this.#priceNodes(remedy, rejections);
    if (remedy.kind === 'move') return this.#priceMoves(remedy);
    if (!usesDeclaredNodes(remedy) || this.#mayStartNodes(remedy)) return remedy;
    const perMonth = this.#priceVolumes(remedy, plan.deployment);
    return perMonth === undefined ? remedy : { ...remedy, cost: { perMonth, currency: this.#currency } };
  }

  /**
   * What autoscalers always start for replicas at their new places. Their old places are those of the missing replica, or
   * of what leaves room for it, so they save nothing.
   */
  #priceMoves(remedy: MoveRemedy): Remedy {
    const uses = remedy.moves.map((move) => this.#findUse(move));
    const known = uses.flatMap((use) => use ?? []);
    const parts = [...groupBy(known, ({ cluster, pool }) => poolKeyOf(cluster, pool))].map(([key, all]) => {
      const share = all.reduce((sum, one) => sum + one.share, 0);
      return this.#priceStarted(key, share);
    });
    if ([...uses, ...parts].includes(undefined)) return remedy;
    const perMonth = parts.reduce((sum, part) => sum + (part?.perMonth ?? 0), 0);
    const asIn = parts.flatMap((part) => part?.asIn ?? [])[0];
    const range = { perMonth, leastPerMonth: 0, currency: this.#currency, autoscaled: true };
    return { ...remedy, cost: { ...range, ...(asIn !== undefined && { asIn }) } };
  }

  /** What an autoscaler always runs more of a pool of which a further share of a node is taken. Undefined: not known. */
  #priceStarted(key: string, share: number): Pick<NodesCost, 'perMonth' | 'asIn'> | undefined {
    const [cluster = '', name = ''] = key.split('/');
    const pool = this.#clusters.get(cluster)?.find((one) => one.pool === name);
    if (!pool) return undefined;
    if (!pool.autoscaled) return { perMonth: 0 };
    const taken = pool.taken - this.#countScaled(cluster, name) + share;
    const nodes = Math.max(0, Math.ceil(Number(taken.toFixed(10))) - pool.nodes.least);
    const elsewhere = pool.price ? undefined : this.#assumed.get(key);
    const perHour = pool.price?.perHour ?? elsewhere?.price.perHour;
    if (nodes === 0) return { perMonth: 0 };
    if (perHour === undefined) return undefined;
    return { ...rangeOf(nodes, perHour, undefined), ...(elsewhere && { asIn: elsewhere.region }) };
  }

  /** What a replica takes of pools once it has moved. Undefined: it needs a volume there, or its pools are not known. */
  #findUse({ deployment, from, fromPools, to, toPools }: RemedyMove) {
    const plan = this.#plans.find((one) => one.deployment === deployment);
    const replicas = plan ? listReplicasAfter(plan) : [];
    const moved = replicas.find(({ placement: { cluster, pools } }) => {
      return cluster === from && Object.values(pools).every((pool) => fromPools.includes(pool));
    });
    const [pool, ...others] = toPools;
    if (!moved || pool === undefined || others.length > 0) return undefined;
    if (this.#volumePrice(deployment, to) !== 0) return undefined;
    const pools = Object.fromEntries(Object.keys(moved.placement.pools).map((engine) => [engine, pool]));
    return this.#usageAt({ ...moved.placement, cluster: to, pools }).map((use) => ({ cluster: to, ...use }));
  }

  #priceNodes(remedy: NodesRemedy, rejections: readonly Rejection[]): Remedy {
    const { cluster, pool, nodes } = remedy;
    const found = this.#clusters.get(cluster)?.find((one) => one.pool === pool);
    const { price, autoscaled = false } = found ?? {};
    const elsewhere = price ? undefined : this.#assumed.get(poolKeyOf(cluster, pool));
    const perHour = price?.perHour ?? elsewhere?.price.perHour;
    const sized = { ...remedy, ...this.#findMaxNodeCount(remedy) };
    if (perHour === undefined) return sized;
    const started = autoscaled && found ? this.#findStarted(remedy, found, rejections) : undefined;
    const source = elsewhere && { asIn: elsewhere.region };
    const cost = { ...rangeOf(nodes, perHour, started), currency: this.#currency, autoscaled, ...source };
    return { ...sized, ...(started && started.gpus > remedy.gpus && { started }), cost };
  }

  #findMaxNodeCount({ cluster, pool, nodes, newPool }: NodesRemedy): Pick<NodesRemedy, 'maxNodeCount'> {
    const declared = this.#fleet.clusters.find(({ metadata }) => metadata.name === cluster);
    const from = declared?.spec.nodePools.find(({ name }) => name === pool)?.maxNodeCount;
    return from === undefined || newPool ? {} : { maxNodeCount: { from, to: from + nodes } };
  }

  /**
   * The nodes that an autoscaler always runs for a replica: those that its fewest copies need next to others. They may be
   * more than are added to the most that it may run. Undefined: not known.
   */
  #findStarted(
    remedy: NodesRemedy,
    { nodes, taken }: PoolCost,
    rejections: readonly Rejection[],
  ): StartedNodes | undefined {
    const { cluster, pool, gpus, newPool, inPlace } = remedy;
    const found = rejections.find((one) => one.cluster === cluster && one.pool === pool);
    if (found?.reason.filter !== 'capacity' || found.reason.several || gpus === 0 || newPool || inPlace)
      return undefined;
    const { pods, surge, scaled = 0, perPod } = found.reason;
    const devices = (pods - surge - scaled) * Object.values(perPod).reduce((sum, count) => sum + count, 0);
    const share = (devices * remedy.nodes) / gpus;
    const needed = Math.ceil(Number((taken - this.#countScaled(cluster, pool) + share).toFixed(10)));
    return { gpus: devices, from: nodes.least, to: Math.max(nodes.least, needed) };
  }

  /** The nodes of a pool that copies take which an autoscaler can remove. */
  #countScaled(cluster: string, pool: string): number {
    const replicas = this.#plans.flatMap(listReplicasAfter).filter(({ placement }) => placement.cluster === cluster);
    const uses = replicas.flatMap(({ usage }) => usage.filter((use) => use.pool === pool));
    return uses.reduce((sum, { scaledShare = 0 }) => sum + scaledShare, 0);
  }

  /** Whether an autoscaler may start nodes for a further replica. */
  #mayStartNodes(remedy: OtherUse): boolean {
    return placesOf(remedy).some(({ cluster, ...at }) => {
      const pools = this.#clusters.get(cluster) ?? [];
      return pools.some(({ pool, autoscaled }) => autoscaled && !('pool' in at && at.pool !== pool));
    });
  }

  /** What the volumes of a further replica cost a month, where they cost the most. Undefined: not known. */
  #priceVolumes(remedy: OtherUse, deployment: string): number | undefined {
    const clusters = sortUnique(placesOf(remedy).map(({ cluster }) => cluster));
    const prices = clusters.map((cluster) => this.#volumePrice(deployment, cluster));
    const known = prices.flatMap((price) => price ?? []);
    return known.length < prices.length ? undefined : Math.max(...known);
  }
}

/** What nodes cost a month: those that are added, or that an autoscaler always starts, the least and the most. */
function rangeOf(
  nodes: number,
  perHour: number,
  started: StartedNodes | undefined,
): Pick<NodesCost, 'perMonth' | 'leastPerMonth'> {
  const costOf = (count: number): number => Math.round(count * perHour * HOURS_PER_MONTH * 100) / 100;
  if (!started) return { perMonth: costOf(nodes) };
  const always = started.to - started.from;
  return { perMonth: costOf(Math.max(nodes, always)), leastPerMonth: costOf(Math.min(nodes, always)) };
}

type NodesRemedy = Extract<Remedy, { kind: 'nodes' }>;

type OtherUse = Extract<Remedy, { kind: 'limit' | 'packing' | 'bound' | 'count' | 'copies' | 'surge' }>;

const OTHER_USES: ReadonlySet<Remedy['kind']> = new Set<OtherUse['kind']>([
  'limit',
  'packing',
  'bound',
  'count',
  'copies',
  'surge',
]);

/** Whether a remedy gives a replica nodes that are declared already. */
function usesDeclaredNodes(remedy: Remedy): remedy is OtherUse {
  return OTHER_USES.has(remedy.kind);
}

/** Where a remedy gives replicas nodes. */
function placesOf(remedy: OtherUse): readonly { readonly cluster: string; readonly pool?: string }[] {
  if (remedy.kind === 'surge') return remedy.places ?? [remedy];
  return remedy.kind === 'bound' ? [remedy, ...(remedy.also ?? [])] : [remedy];
}

/** Adds to a remedy the policy rules that it breaks. */
type CheckRemedy = (plan: DeploymentPlan, remedy: Remedy) => Remedy;

/**
 * Keeps of each kind of remedy the smallest, or the cheapest where all have a price, of those that break no policy rule
 * first. The cheapest comes first, then the smallest.
 */
export function keepBestRemedies(
  plans: readonly DeploymentPlan[],
  check: CheckRemedy = (_, remedy) => remedy,
): DeploymentPlan[] {
  return plans.map((plan) => {
    const { shortfall } = plan;
    if (!shortfall) return plan;
    const ofKinds = [...groupBy(shortfall.remedies, (one) => choiceOf(one, shortfall)).values()];
    const remedies = dropWithoutGain(
      ofKinds.flatMap((ofKind) => markUnpriced(chooseAllowed(ofKind, (remedy) => check(plan, remedy)))),
    );
    return { ...plan, shortfall: { ...shortfall, remedies: keepFewPools(sortByPrice(remedies)) } };
  });
}

/**
 * Drops nodes next to a replica with earlier engines where fewer are enough and nothing stops for them, and nodes in its
 * place where no more keep it serving.
 */
function dropWithoutGain(remedies: readonly Remedy[]): Remedy[] {
  const nodes = remedies.filter((one) => one.kind === 'nodes');
  const inPlace = nodes.find((one) => one.inPlace !== undefined);
  const sideBySide = nodes.find((one) => one.inPlace === undefined);
  if (!inPlace || !sideBySide || isBroken(inPlace) !== isBroken(sideBySide)) return [...remedies];
  if (inPlace.inPlace === 'grow') return remedies.filter((one) => one.kind !== 'nodes' || one === inPlace);
  const isCheapest = !isCheaper(inPlace, sideBySide) && sideBySide.nodes <= inPlace.nodes;
  return isCheapest ? remedies.filter((one) => one !== inPlace) : [...remedies];
}

function isBroken({ breaks }: Remedy): boolean {
  return breaks !== undefined;
}

/**
 * Nodes and packing that let a replica take the place of an earlier one are a choice of their own. So are the nodes of each
 * layout of a model: they are other hardware.
 */
function choiceOf(remedy: Remedy, { rejections }: Pick<ShortfallPlan, 'rejections'>): string {
  if ('inPlace' in remedy && remedy.inPlace) return `${remedy.kind} in place`;
  if (remedy.kind !== 'nodes') return remedy.kind;
  const { cluster, pool } = remedy;
  const { reason } = rejections.find((one) => one.cluster === cluster && one.pool === pool) ?? {};
  return reason?.filter === 'capacity' && reason.layout !== undefined ? `nodes for ${reason.layout}` : 'nodes';
}

/** Nodes for many layouts of a model would bury the other remedies. */
function keepFewPools(sorted: readonly Remedy[]): Remedy[] {
  const nodes = sorted.filter((one) => one.kind === 'nodes' && one.inPlace === undefined);
  const left = new Set(nodes.slice(MOST_POOLS));
  return sorted.filter((one) => !left.has(one));
}

/** The most pools to name that more nodes help. */
const MOST_POOLS = 3;

/** Of one kind the best that break no policy rule. Where all of them break one, the best of all. */
function chooseAllowed(ofKind: readonly Remedy[], check: (remedy: Remedy) => Remedy): Remedy[] {
  const best = chooseBest(ofKind).map((chosen) => ({ chosen, checked: check(chosen) }));
  const broken = new Set(best.flatMap(({ chosen, checked }) => (isBroken(checked) ? [chosen] : [])));
  if (broken.size === 0) return best.map(({ checked }) => checked);
  const others = ofKind.filter((one) => !broken.has(one));
  const allowed = chooseAllowed(others, check).filter((one) => !isBroken(one));
  return allowed.length > 0 ? allowed : best.map(({ checked }) => checked);
}

/** Nodes without a price say so next to nodes with one. */
function markUnpriced([first, ...others]: readonly Remedy[]): Remedy[] {
  if (!first) return [];
  const isMarked = first.kind === 'nodes' && others.length > 0 && priceOf(first) === UNPRICED;
  return [isMarked ? { ...first, unpriced: true } : first, ...others];
}

/** Of one kind the first, which is the smallest, or the cheapest where that has a price. */
function chooseBest(ofKind: readonly Remedy[]): readonly Remedy[] {
  const [first, ...others] = ofKind;
  if (!first || others.length === 0) return ofKind;
  if (first.kind === 'bound') return ofKind.slice(0, MOST_BOUNDS);
  const cheapest = ofKind.reduce((best, one) => (isCheaper(one, best) ? one : best));
  if (first.kind !== 'nodes') return [ofKind.every((one) => priceOf(one) !== UNPRICED) ? cheapest : first];
  if (priceOf(cheapest) === UNPRICED) return [first];
  return priceOf(first) === UNPRICED ? [first, cheapest] : [cheapest];
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
  if (remedy.kind === 'nodes' && remedy.unavailable !== undefined) return 0;
  return ('cost' in remedy ? remedy.cost?.perMonth : undefined) ?? UNPRICED;
}

/** What comes after all that has a price, where its own is not known. */
const UNKNOWN_LAST: ReadonlySet<Remedy['kind']> = new Set(['nodes', 'packing', 'toleration']);

/** What a remedy costs, by which the cheapest comes first: what only a declaration changes costs nothing that is known. */
function rankPrice(remedy: Remedy): number {
  const price = priceOf(remedy);
  return price === UNPRICED && !UNKNOWN_LAST.has(remedy.kind) ? 0 : price;
}

/**
 * Of remedies of the same price, or without one, what a fleet declares comes first, then nodes, then the removal of a
 * surge: replicas stop during rollouts from then on. The cluster has to do packing, and not every cloud lets it.
 * Tolerations come last: a taint is there for a reason.
 */
const RANKS: Readonly<Record<Remedy['kind'], number>> = {
  move: 0,
  finalize: 0,
  declare: 0,
  limit: 0,
  bound: 0,
  count: 0,
  copies: 0,
  nodes: 1,
  surge: 2,
  packing: 3,
  toleration: 4,
};

/** Those that break a policy rule come last: the rule has to change too. Of a known price, those without downtime come first. */
function sortByPrice(remedies: readonly Remedy[]): Remedy[] {
  return [...remedies].sort((a, b) => {
    if (isBroken(a) !== isBroken(b)) return isBroken(a) ? 1 : -1;
    const [price, other] = [rankPrice(a), rankPrice(b)];
    // The difference of two unknown prices is no number.
    if (price !== other) return price - other;
    const byDowntime = price === UNPRICED ? 0 : Number(stopsReplicas(a)) - Number(stopsReplicas(b));
    return byDowntime || RANKS[a.kind] - RANKS[b.kind] || sizeOf(a) - sizeOf(b);
  });
}

/** Whether replicas stop before others serve in their place. */
function stopsReplicas(remedy: Remedy): boolean {
  if (remedy.kind === 'move') return remedy.moves.some(({ surgeFirst }) => !surgeFirst);
  if (remedy.kind === 'packing' && remedy.stops !== undefined) return true;
  return 'inPlace' in remedy && remedy.inPlace === 'restart';
}

function sizeOf(remedy: Remedy): number {
  return remedy.kind === 'nodes' ? remedy.nodes : 0;
}
