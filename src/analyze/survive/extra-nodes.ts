import { compareText } from '../../base/order';
import { findPoolPrices, poolKeyOf } from '../../cost/pool-prices';
import { PriceSourceList } from '../../cost/price-sources';
import { sumParts } from '../../cost/sum';
import type { Fleet } from '../../fleet/fleet';
import { addNodes } from './add-nodes';
import {
  countNodes,
  findHelpfulPools,
  findSmallestSet,
  pruneNodes,
  type SufficiencyTest,
  TrialBudget,
} from './minimize-nodes';
import {
  type ClusterLoss,
  countMissingAfterLoss,
  type ExtraNodeCounts,
  type LossTrial,
  placeAfterLoss,
} from './simulate-loss';
import type { ExtraNodes, StrandedReplicas, Survival } from './survival';

/** A loss that was tried, and the replicas without a place after it, by deployment. */
export interface TriedLoss {
  readonly losing: ClusterLoss;
  readonly missing: ReadonlyMap<string, number>;
}

/** More nodes than any pool lacks for a fleet of as many replicas as may be declared. */
const UNLIMITED_NODES = 10_000;

/**
 * The nodes with which every replica has a place again after any one of some losses. First where each replica lacks the
 * fewest, for one loss after the other, keeping what was added; then whatever is not needed is taken away; then every
 * smaller set is tried, for as long as the budget lasts. What is told was placed with all losses.
 */
export function findExtraNodes(
  trial: LossTrial,
  tried: readonly TriedLoss[],
  fleet: Fleet,
): Pick<Survival, 'extra' | 'stranded'> {
  const failing = tried.filter(({ missing }) => missing.size > 0);
  const wanted = failing.map(({ losing }) => ({ losing, stranded: countStranded(trial, losing) }));
  const stranded = wanted.flatMap(({ losing, stranded: without }) =>
    [...without].map(
      ([deployment, replicas]): StrandedReplicas => ({ lost: losing.name, deployment, replicas }),
    ),
  );
  const limits = tried.map(({ losing }) => {
    const without = wanted.find((one) => one.losing === losing)?.stranded;
    return { losing, stranded: without ?? NONE_STRANDED };
  });
  const helped = failing.some(({ missing }, f) =>
    [...missing].some(([id, replicas]) => replicas > (wanted[f]?.stranded.get(id) ?? 0)),
  );
  const found = helped ? addNodesForAll(trial, limits) : undefined;
  if (!found) return { stranded };
  return { extra: toExtraNodes(findSmallest(trial, found, wanted, limits), fleet), stranded };
}

const NONE_STRANDED: ReadonlyMap<string, number> = new Map();

/** A loss, and the replicas that may lack a place after it. */
interface LossLimit {
  readonly losing: ClusterLoss;
  readonly stranded: ReadonlyMap<string, number>;
}

/** Replicas that have no place however many nodes there are. */
function countStranded(trial: LossTrial, losing: ClusterLoss): ReadonlyMap<string, number> {
  const pools = trial.model.clusters.flatMap((site) => site.pools);
  const plenty = new Map(pools.map((pool) => [poolKeyOf(pool.cluster, pool.name), UNLIMITED_NODES]));
  return countMissingAfterLoss(trial, placeAfterLoss(trial, losing, plenty));
}

/** Nodes that help after one loss draw replicas there after another, so that others lack a place: it takes some rounds. */
const MAX_ROUNDS = 8;

/** A set of nodes that is enough for all losses, or nothing where no round found one. */
function addNodesForAll(trial: LossTrial, limits: readonly LossLimit[]): ExtraNodeCounts | undefined {
  const extra = new Map<string, number>();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const added = limits.map((limit) => addNodesFor(trial, limit, extra));
    if (!added.includes(true)) return extra;
  }
  return undefined;
}

/** Adds what is not enough after one loss, and tells whether anything was missing. */
function addNodesFor(trial: LossTrial, { losing, stranded }: LossLimit, extra: Map<string, number>): boolean {
  const state = placeAfterLoss(trial, losing, extra);
  const missing = countMissingAfterLoss(trial, state);
  const lacks = state.model.deployments.flatMap((workload) => {
    const replicas = (missing.get(workload.id) ?? 0) - (stranded.get(workload.id) ?? 0);
    return replicas > 0 ? [{ workload, replicas }] : [];
  });
  for (const { workload, replicas } of lacks) addNodes(state, workload, replicas, extra);
  return lacks.length > 0;
}

function isSufficient(trial: LossTrial, { losing, stranded }: LossLimit, extra: ExtraNodeCounts): boolean {
  const missing = countMissingAfterLoss(trial, placeAfterLoss(trial, losing, extra));
  return [...missing].every(([id, replicas]) => replicas <= (stranded.get(id) ?? 0));
}

/** The smallest set that could be found, and how small one could be. */
function findSmallest(
  trial: LossTrial,
  found: ExtraNodeCounts,
  wanted: readonly LossLimit[],
  limits: readonly LossLimit[],
) {
  const budget = new TrialBudget();
  // Losses that something was missing after come first: they refuse most.
  const inOrder = [...wanted, ...limits.filter(({ losing }) => !wanted.some((one) => one.losing === losing))];
  const enough: SufficiencyTest = (extra) => {
    for (const limit of inOrder) {
      if (!budget.spend(trial.placements.length)) return undefined;
      if (!isSufficient(trial, limit, extra)) return false;
    }
    return true;
  };
  const workloads = trial.model.deployments.filter(({ id }) => (trial.before.get(id) ?? 0) > 0);
  const pools = findHelpfulPools(trial.model, trial.matcher, workloads);
  return findSmallestSet(pruneNodes(found, enough), pools, enough);
}

function toExtraNodes({ extra, atLeast }: ReturnType<typeof findSmallestSet>, fleet: Fleet): ExtraNodes {
  const prices = findPoolPrices(fleet);
  const sources = new PriceSourceList();
  const sorted = [...extra].sort(([a], [b]) => compareText(a, b));
  const nodes = sorted.map(([key, count]) => {
    const [cluster = '', pool = ''] = key.split('/');
    return { cluster, pool, nodes: count };
  });
  const total = countNodes(extra);
  return {
    nodes,
    total,
    atLeast,
    method: atLeast === total ? 'exact' : 'heuristic',
    currency: fleet.hardware.prices.currency,
    cost: sumParts(sorted.map(([key, count]) => sources.nodes(prices.get(key), count))),
    sources: sources.values,
  };
}
