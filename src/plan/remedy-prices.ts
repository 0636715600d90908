import { roundCents } from '../base/money';
import { groupBy, sortUnique } from '../base/order';
import type { Cost, PoolCost } from '../cost/cost';
import { assumePoolPrices, poolKeyOf } from '../cost/pool-prices';
import { HOURS_PER_MONTH } from '../cost/sum';
import type { Fleet } from '../fleet/fleet';
import type { Rejection } from '../scheduler/reason';
import type { MoveRemedy, NodesAndMovesRemedy, NodesCost, Remedy, RemedyMove, StartedNodes } from '../scheduler/remedy';
import {
  createVolumeChangePricer,
  createVolumePricer,
  type PriceVolumeChange,
  type PriceVolumes,
} from './added-volumes';
import { findNodeField } from './changed-clusters';
import { listReplicasAfter } from './deployment-plans';
import type { DeploymentPlan, ShortfallPlan } from './plan';
import { resolvePlacements } from './plan-cost';
import type { TryRemedy } from './remedy-trials';
import type { UsageLookup } from './replica-usage';

/**
 * Adds to remedies what they cost: nodes where a price is known in the region of the cluster or in another one, and
 * volumes of caches. Where declared nodes of a fixed number are enough, that is nothing else.
 */
export function addRemedyPrices(
  plans: readonly DeploymentPlan[],
  cost: Cost,
  fleet: Pick<Fleet, 'caches' | 'classes' | 'clusters' | 'hardware' | 'deployments'>,
  lookups: PriceLookups,
): DeploymentPlan[] {
  if (!plans.some(({ shortfall }) => shortfall && shortfall.remedies.length > 0)) return [...plans];
  const pricer = new RemedyPricer(plans, cost, { fleet, ...lookups });
  return plans.map((plan) => {
    const { shortfall } = plan;
    if (!shortfall) return plan;
    return {
      ...plan,
      shortfall: { ...shortfall, remedies: shortfall.remedies.map((one) => pricer.addPrice(one, plan, shortfall)) },
    };
  });
}

interface PriceLookups {
  /** What a replica takes of pools, also once it has moved. */
  readonly usageAt: UsageLookup;
  readonly trialOf: TryRemedy;
}

class RemedyPricer {
  readonly #clusters: ReadonlyMap<string, readonly PoolCost[]>;
  readonly #assumed: ReturnType<typeof assumePoolPrices>;
  readonly #currency: string;
  readonly #fleet: Parameters<typeof addRemedyPrices>[2];
  readonly #usageAt: UsageLookup;
  readonly #trialOf: TryRemedy;
  readonly #plans: readonly DeploymentPlan[];
  readonly #volumePrice: PriceVolumes;
  readonly #volumeChange: PriceVolumeChange;

  constructor(
    plans: readonly DeploymentPlan[],
    { clusters, currency }: Cost,
    { fleet, usageAt, trialOf }: PriceLookups & { readonly fleet: Parameters<typeof addRemedyPrices>[2] },
  ) {
    this.#plans = plans;
    this.#fleet = fleet;
    this.#usageAt = usageAt;
    this.#trialOf = trialOf;
    this.#currency = currency;
    this.#clusters = new Map(clusters.map(({ cluster, pools }) => [cluster, pools]));
    this.#assumed = assumePoolPrices(fleet);
    const placements = plans.flatMap(listReplicasAfter).map(({ placement }) => placement);
    this.#volumePrice = createVolumePricer(fleet, resolvePlacements(fleet, placements));
    this.#volumeChange = createVolumeChangePricer(fleet);
  }

  addPrice(remedy: Remedy, plan: DeploymentPlan, { rejections }: Pick<ShortfallPlan, 'rejections'>): Remedy {
    if (remedy.kind === 'nodes') return this.#addVolumes(this.#priceNodes(remedy, rejections), plan);
    if (remedy.kind === 'move') return this.#priceMoves(remedy, plan);
    if (remedy.kind === 'nodes-and-moves') return this.#priceNodesAndMoves(remedy, plan, rejections);
    if (!usesDeclaredNodes(remedy) || this.#mayStartNodes(remedy)) return remedy;
    const perMonth = this.#priceVolumes(remedy, plan.deployment);
    if (perMonth === undefined || (perMonth === 0 && NAMES_VOLUMES_ALONE.has(remedy.kind))) return remedy;
    return { ...remedy, cost: { perMonth, currency: this.#currency } };
  }

  /** Adds to the price of nodes that of the volumes that the replica needs on their cluster. */
  #addVolumes(remedy: NodesRemedy, { deployment }: DeploymentPlan): Remedy {
    const { cost, cluster } = remedy;
    const volumes = this.#volumePrice(deployment, cluster);
    return !cost || volumes === 0 ? remedy : { ...remedy, cost: withVolumes(cost, volumes) };
  }

  /**
   * What autoscalers always start for replicas at their new places, and what volumes cost more. Their old places are those
   * of the missing replica, or of what leaves room for it, so their nodes save nothing.
   */
  #priceMoves(remedy: MoveRemedy, { deployment }: DeploymentPlan): Remedy {
    const cost = this.#priceMovedTo(remedy);
    const volumes = this.#priceMovedVolumes(remedy, deployment);
    if (!cost || volumes === undefined) return remedy;
    return { ...remedy, cost: volumes === 0 ? cost : withVolumes(cost, volumes) };
  }

  /** Adds to the price of nodes that of moves. No price where one of them is not known. */
  #priceNodesAndMoves(
    remedy: NodesAndMovesRemedy,
    { deployment }: DeploymentPlan,
    rejections: readonly Rejection[],
  ): Remedy {
    const { cluster, pool, nodes, gpus } = remedy;
    const { cost: added } = this.#priceNodes({ kind: 'nodes', cluster, pool, nodes, gpus }, rejections);
    const moved = this.#priceMovedTo(remedy);
    if (!added || !moved) return remedy;
    const starts = moved.perMonth > 0;
    const cost = {
      ...moved,
      ...added,
      perMonth: roundCents(added.perMonth + moved.perMonth),
      ...(starts && { leastPerMonth: added.perMonth, autoscaled: true }),
    };
    const { leastPerMonth: _, ...fixed } = cost;
    const volumes = this.#priceMovedVolumes(remedy, deployment);
    const sum = starts ? cost : fixed;
    return { ...remedy, cost: volumes === 0 ? sum : withVolumes(sum, volumes) };
  }

  /** What autoscalers always start for replicas at their new places. Undefined: not known. */
  #priceMovedTo({ moves }: Pick<MoveRemedy, 'moves'>): NodesCost | undefined {
    const uses = moves.map((move) => this.#findUse(move));
    const known = uses.flatMap((use) => use ?? []);
    const parts = [...groupBy(known, ({ cluster, pool }) => poolKeyOf(cluster, pool))].map(([key, all]) => {
      const share = all.reduce((sum, one) => sum + one.share, 0);
      return this.#priceStarted(key, share);
    });
    if ([...uses, ...parts].includes(undefined)) return undefined;
    const perMonth = parts.reduce((sum, part) => sum + (part?.perMonth ?? 0), 0);
    const asIn = parts.flatMap((part) => part?.asIn ?? [])[0];
    const range = { perMonth, leastPerMonth: 0, currency: this.#currency, autoscaled: true };
    return { ...range, ...(asIn !== undefined && { asIn }) };
  }

  /** What volumes cost more once replicas have moved, and the missing one has its place. Undefined: not known. */
  #priceMovedVolumes(remedy: MoveRemedy | NodesAndMovesRemedy, missing: string): number | undefined {
    const changed = [missing, ...remedy.moves.map(({ deployment }) => deployment)];
    return this.#volumeChange(changed, () => this.#trialOf(missing, remedy));
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

  /** What a replica takes of pools once it has moved. Undefined: its pools are not known. */
  #findUse({ deployment, from, fromPools, to, toPools }: RemedyMove) {
    const plan = this.#plans.find((one) => one.deployment === deployment);
    const replicas = plan ? listReplicasAfter(plan) : [];
    const moved = replicas.find(({ placement: { cluster, pools } }) => {
      return cluster === from && Object.values(pools).every((pool) => fromPools.includes(pool));
    });
    const [pool, ...others] = toPools;
    if (!moved || pool === undefined || others.length > 0) return undefined;
    const pools = Object.fromEntries(Object.keys(moved.placement.pools).map((engine) => [engine, pool]));
    return this.#usageAt({ ...moved.placement, cluster: to, pools }).map((use) => ({ cluster: to, ...use }));
  }

  #priceNodes(remedy: NodesRemedy, rejections: readonly Rejection[]): NodesRemedy {
    const { cluster, pool, nodes } = remedy;
    const found = this.#clusters.get(cluster)?.find((one) => one.pool === pool);
    const { price, autoscaled = false } = found ?? {};
    const elsewhere = price ? undefined : this.#assumed.get(poolKeyOf(cluster, pool));
    const perHour = price?.perHour ?? elsewhere?.price.perHour;
    const sized = { ...remedy, ...(remedy.newPool ? {} : findNodeField(this.#fleet, remedy)) };
    if (perHour === undefined) return sized;
    const started = autoscaled && found ? this.#findStarted(remedy, found, rejections) : undefined;
    const source = elsewhere && { asIn: elsewhere.region };
    const cost = { ...rangeOf(nodes, perHour, started), currency: this.#currency, autoscaled, ...source };
    return { ...sized, ...(started && started.gpus > remedy.gpus && { started }), cost };
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
  const costOf = (count: number): number => roundCents(count * perHour * HOURS_PER_MONTH);
  if (!started) return { perMonth: costOf(nodes) };
  const always = started.to - started.from;
  return { perMonth: costOf(Math.max(nodes, always)), leastPerMonth: costOf(Math.min(nodes, always)) };
}

type NodesRemedy = Extract<Remedy, { kind: 'nodes' }>;

/** Adds the price of volumes, if it is known, to that of nodes. */
function withVolumes(cost: NodesCost, volumes: number | undefined): NodesCost {
  if (volumes === undefined) return { ...cost, volumes: 'unknown' };
  const { perMonth, leastPerMonth } = cost;
  const least = leastPerMonth === undefined ? {} : { leastPerMonth: roundCents(leastPerMonth + volumes) };
  return { ...cost, perMonth: roundCents(perMonth + volumes), ...least, volumes };
}

type OtherUse = Extract<
  Remedy,
  { kind: 'finalize' | 'limit' | 'packing' | 'bound' | 'count' | 'copies' | 'surge' | 'toleration' }
>;

const OTHER_USES: ReadonlySet<Remedy['kind']> = new Set<OtherUse['kind']>([
  'finalize',
  'toleration',
  'limit',
  'packing',
  'bound',
  'count',
  'copies',
  'surge',
]);

/** What names no cost where there is none: a command, and a change that a taint advises against. */
const NAMES_VOLUMES_ALONE: ReadonlySet<Remedy['kind']> = new Set(['finalize', 'toleration']);

/** Whether a remedy gives a replica nodes that are declared already. */
function usesDeclaredNodes(remedy: Remedy): remedy is OtherUse {
  return OTHER_USES.has(remedy.kind);
}

/** Where a remedy gives replicas nodes. */
function placesOf(remedy: OtherUse): readonly { readonly cluster: string; readonly pool?: string }[] {
  if (remedy.kind === 'surge') return remedy.places ?? [remedy];
  return remedy.kind === 'bound' ? [remedy, ...(remedy.also ?? [])] : [remedy];
}
