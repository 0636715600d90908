import { compareText, sortUnique } from '../../base/order';
import { assumePoolPrices, findPoolPrices, poolKeyOf, type PoolPrices } from '../../cost/pool-prices';
import { PriceSourceList } from '../../cost/price-sources';
import { HOURS_PER_MONTH, sumParts } from '../../cost/sum';
import type { Fleet } from '../../fleet/fleet';
import { findNodeField } from '../../plan/changed-clusters';
import { acceleratorsOfNodes } from '../../scheduler/compile/shapes';
import { indexDeployments } from '../../scheduler/compiled-fleet';
import { RejectionFinder } from '../../scheduler/rejections';
import type { SchedulingState } from '../../scheduler/scheduling-state';
import { addNodes } from './add-nodes';
import { type CheaperSet, findCheaperSet } from './cheaper-nodes';
import {
  countExtraNodes,
  createNodesSuffice,
  findHelpfulPools,
  findSmallestSet,
  pruneNodes,
  type SufficiencyTest,
} from './minimize-nodes';
import {
  type ClusterLoss,
  countMissingAfterLoss,
  enlarge,
  type ExtraNodeCounts,
  type LossTrial,
  placeAfterLoss,
} from './simulate-loss';
import type { NodeSet, CheaperNodes, ExtraNodes, NodesEstimate, StrandedReplicas, Survival } from './survival';

/** A simulated loss, and the number of replicas without a place after it, by deployment. */
export interface TriedLoss {
  readonly losing: ClusterLoss;
  readonly missing: ReadonlyMap<string, number>;
}

/** A number of nodes that covers the largest fleet that can be declared. */
const UNLIMITED_NODES = 10_000;

/**
 * Finds nodes that give every replica a place again after any single loss:
 *
 * 1. Adds nodes for one loss after the other, on the cluster that lacks the fewest for a replica.
 * 2. Removes the nodes that are not needed.
 * 3. Tries every smaller set until the budget is used up.
 * 4. Looks for a larger set that costs less, within the same budget.
 *
 * The result is verified by placing the fleet after every loss.
 */
export function findExtraNodes(
  trial: LossTrial,
  tried: readonly TriedLoss[],
  { fleet, budget = TRIAL_BUDGET }: NodeSearch,
): Pick<Survival, 'extra' | 'cheaper' | 'stranded'> {
  const limits = limitsOf(trial, tried);
  const stranded = limits.flatMap(({ explained }) => explained);
  const helped = limits.some((limit) =>
    [...limit.missing].some(([id, replicas]) => replicas > (limit.stranded.get(id) ?? 0)),
  );
  const found = helped ? addNodesForAll(trial, limits) : undefined;
  if (!found) return { stranded };
  const { smallest, cheaper } = findSets(trial, { found, budget }, limits);
  return {
    extra: toExtraNodes(smallest, trial, fleet),
    ...(cheaper && { cheaper: toCheaperNodes(cheaper, trial, fleet) }),
    stranded,
  };
}

/** The most replicas without any place whose reason is looked for: a loss has the same reasons as the others. */
const MOST_EXPLAINED = 20;

/**
 * Names replicas that no number of nodes helps, and what keeps the first of them from the cluster that comes closest.
 *
 * @param state the fleet after the loss, with as many nodes
 * @param most how many of them to explain
 */
function explainStranded(
  state: SchedulingState,
  { losing, stranded }: Pick<LossLimit, 'losing' | 'stranded'>,
  most: number,
): StrandedReplicas[] {
  const finder = new RejectionFinder(state);
  return [...stranded].map(([id, replicas], i): StrandedReplicas => {
    const deployment = i < most ? state.deployments.get(id) : undefined;
    const nearest = deployment && finder.findNearest(deployment);
    return { lost: losing.name, deployment: id, replicas, ...(nearest && { nearest }) };
  });
}

/** What a search needs in addition to the trial. */
interface NodeSearch {
  /** The fleet that the prices are of. */
  readonly fleet: Fleet;

  /** The budget for trial placements. */
  readonly budget?: number;
}

const NONE_STRANDED: ReadonlyMap<string, number> = new Map();

/** A loss, and how many replicas of each deployment may lack a place after it. */
interface LossLimit extends TriedLoss {
  readonly stranded: ReadonlyMap<string, number>;
  readonly explained: readonly StrandedReplicas[];
}

/** Adds to each loss which replicas no nodes help. The fleet is placed for it where that is not plain. */
function limitsOf(trial: LossTrial, tried: readonly TriedLoss[]): LossLimit[] {
  const { model, matcher } = trial;
  const byId = indexDeployments(model.deployments);
  const nodesSuffice = createNodesSuffice(model, matcher);
  let plentiful: LossTrial | undefined;
  let left = MOST_EXPLAINED;
  return tried.map((one) => {
    const lost = new Set([...one.losing.clusters].map(({ name }) => name));
    const short = [...one.missing.keys()].flatMap((id) => byId.get(id) ?? []);
    if (short.every((deployment) => nodesSuffice(deployment, lost)))
      return { ...one, stranded: NONE_STRANDED, explained: [] };
    plentiful ??= enlarge(trial, unlimitedNodes(trial));
    const state = placeAfterLoss(plentiful, one.losing);
    const limit = { ...one, stranded: countMissingAfterLoss(plentiful, state) };
    const explained = explainStranded(state, limit, left);
    left -= explained.length;
    return { ...limit, explained };
  });
}

function leavesMissing({ missing }: TriedLoss): boolean {
  return missing.size > 0;
}

function unlimitedNodes({ model }: LossTrial): ExtraNodeCounts {
  const pools = model.clusters.flatMap((cluster) => cluster.pools);
  return new Map(pools.map((pool) => [poolKeyOf(pool.cluster, pool.name), UNLIMITED_NODES]));
}

/** The most rounds over all losses. Nodes added for one loss can attract replicas after another. */
const MAX_ROUNDS = 8;

/** Finds a set of nodes that is enough for all losses. Returns `undefined` if no round finds one. */
function addNodesForAll(trial: LossTrial, limits: readonly LossLimit[]): ExtraNodeCounts | undefined {
  const extra = new Map<string, number>();
  let enlarged = trial;
  let lastAdded: LossLimit | undefined;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    for (const limit of limits) {
      if (addNodesFor(enlarged, limit, extra)) {
        enlarged = enlarge(trial, extra, enlarged);
        lastAdded = limit;
        // Losses after this one were tried with the same nodes in the round before.
      } else if (limit === lastAdded) return extra;
    }
    if (!lastAdded) return extra;
  }
  return undefined;
}

/**
 * Adds the nodes that are missing after one loss. Returns whether any were missing.
 *
 * @param trial the fleet with the nodes of `extra`
 */
function addNodesFor(trial: LossTrial, limit: LossLimit, extra: Map<string, number>): boolean {
  // Without extra nodes, the loss has been tried.
  if (extra.size === 0 && !leavesMissing(limit)) return false;
  const { losing, stranded } = limit;
  const state = placeAfterLoss(trial, losing);
  const missing = countMissingAfterLoss(trial, state);
  const lacking = state.model.deployments.flatMap((deployment) => {
    const replicas = (missing.get(deployment.id) ?? 0) - (stranded.get(deployment.id) ?? 0);
    return replicas > 0 ? [{ deployment, replicas }] : [];
  });
  for (const { deployment, replicas } of lacking) addNodes(state, deployment, replicas, extra);
  return lacking.length > 0;
}

function isSufficient(trial: LossTrial, { losing, stranded }: LossLimit): boolean {
  const missing = countMissingAfterLoss(trial, placeAfterLoss(trial, losing));
  return [...missing].every(([id, replicas]) => replicas <= (stranded.get(id) ?? 0));
}

/**
 * The budget for trial placements, counted in placed replicas so that it is the same on every machine. It allows some
 * dozens of trials for a hundred clusters with ten thousand replicas, and some thousands for a small fleet.
 */
const TRIAL_BUDGET = 400_000;

/** The fixed cost of a trial, in replicas. */
const COST_OF_TRIAL = 200;

/** Finds the smallest set within the budget, a lower bound for any set, and a set that costs less. */
function findSets(trial: LossTrial, start: { found: ExtraNodeCounts; budget: number }, limits: readonly LossLimit[]) {
  let { budget } = start;
  let latest = trial;
  // Losses after which replicas lack a place come first: they reject most sets.
  const inOrder = [...limits.filter(leavesMissing), ...limits.filter((limit) => !leavesMissing(limit))];
  const enough: SufficiencyTest = (extra) => {
    for (const [i, limit] of inOrder.entries()) {
      budget -= trial.placements.length + COST_OF_TRIAL;
      if (budget < 0) return undefined;
      if (i === 0) latest = enlarge(trial, extra, latest);
      if (!isSufficient(latest, limit)) return false;
    }
    return true;
  };
  const deployments = trial.model.deployments.filter(({ id }) => (trial.before.get(id) ?? 0) > 0);
  const pools = findHelpfulPools(trial.model, trial.matcher, deployments);
  const keys = pools.map(({ cluster, name }) => poolKeyOf(cluster, name));
  const smallest = findSmallestSet(pruneNodes(start.found, enough), keys, enough);
  const priced = pools.flatMap(({ price }, i) => (price === undefined ? [] : [{ key: keys[i] ?? '', price }]));
  return { smallest, cheaper: findCheaperSet(smallest.extra, priced, smallest.atLeast, enough) };
}

function toCheaperNodes({ extra, isCheapest }: CheaperSet, trial: LossTrial, fleet: Fleet): CheaperNodes {
  return { ...describeNodes(extra, trial, fleet), method: isCheapest ? 'exact' : 'heuristic' };
}

/** Adds to numbers of nodes what they are and cost, and whether fewer may be enough. */
export function toExtraNodes(
  { extra, atLeast }: ReturnType<typeof findSmallestSet>,
  trial: Pick<LossTrial, 'model'>,
  fleet: Fleet,
): ExtraNodes {
  const added = describeNodes(extra, trial, fleet);
  return { ...added, atLeast, method: atLeast === added.total ? 'exact' : 'heuristic' };
}

function describeNodes(extra: ExtraNodeCounts, { model }: Pick<LossTrial, 'model'>, fleet: Fleet): NodeSet {
  const prices = findPoolPrices(fleet);
  const pools = model.clusters.flatMap((cluster) => cluster.pools);
  const shapes = new Map(pools.map((one) => [poolKeyOf(one.cluster, one.name), one.node]));
  const sources = new PriceSourceList();
  const sorted = [...extra].sort(([a], [b]) => compareText(a, b));
  const nodes = sorted.map(([key, count]) => {
    const [cluster = '', pool = ''] = key.split('/');
    const node = shapes.get(key);
    const field = findNodeField(fleet, { cluster, pool, nodes: count });
    const has = node ? acceleratorsOfNodes(node, count) : { gpus: 0 };
    return { cluster, pool, nodes: count, ...field, ...has };
  });
  const estimate = estimateCost(sorted, prices, fleet);
  return {
    nodes,
    total: countExtraNodes(extra),
    currency: fleet.hardware.prices.currency,
    cost: sumParts(sorted.map(([key, count]) => sources.nodes(prices.get(key), count))),
    ...(estimate && { estimate }),
    sources: sources.values,
  };
}

function estimateCost(
  extra: readonly (readonly [key: string, nodes: number])[],
  prices: PoolPrices,
  fleet: Fleet,
): NodesEstimate | undefined {
  if (extra.every(([key]) => prices.has(key))) return undefined;
  const assumed = assumePoolPrices(fleet);
  const parts = extra.map(([key, nodes]) => {
    const elsewhere = assumed.get(key);
    const perHour = (prices.get(key) ?? elsewhere?.price)?.perHour;
    return { perHour: perHour === undefined ? undefined : nodes * perHour, region: elsewhere?.region };
  });
  if (parts.some(({ perHour }) => perHour === undefined)) return undefined;
  const perHour = parts.reduce((sum, part) => sum + (part.perHour ?? 0), 0);
  const regions = sortUnique(parts.flatMap(({ region }) => region ?? []));
  return { perHour, perMonth: perHour * HOURS_PER_MONTH, regions };
}
