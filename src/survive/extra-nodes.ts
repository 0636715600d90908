import { poolKey, poolPrices } from '../cost/pool-prices';
import { SourceList } from '../cost/source-list';
import { sumOf } from '../cost/sum';
import type { Fleet } from '../fleet';
import { compareText } from '../order';
import { Budget } from './budget';
import type { Extra } from './enlarged';
import { grow } from './grow';
import type { Losing } from './losses';
import { type Enough, poolsThatHelp, pruned, sizeOf, smallest } from './smaller';
import type { ExtraNodes, Stranded, Survival } from './survival';
import { missingAfter, placedAfter, type Trial } from './trial';

/** A loss that was tried, and the replicas without a place after it, by deployment. */
export interface Tried {
  readonly losing: Losing;
  readonly missing: ReadonlyMap<string, number>;
}

/** More nodes than any pool lacks for a fleet of as many replicas as may be declared. */
const PLENTY = 10_000;

/**
 * The nodes with which every replica has a place again after any one of some losses. First where each replica lacks the
 * fewest, for one loss after the other, keeping what was added; then whatever is not needed is taken away; then every
 * smaller set is tried, for as long as the budget lasts. What is told was placed with all losses.
 */
export function extraNodes(
  trial: Trial,
  tried: readonly Tried[],
  fleet: Fleet,
): Pick<Survival, 'extra' | 'stranded'> {
  const failing = tried.filter(({ missing }) => missing.size > 0);
  const wanted = failing.map(({ losing }) => ({ losing, stranded: strandedIn(trial, losing) }));
  const stranded = wanted.flatMap(({ losing, stranded: without }) =>
    [...without].map(([deployment, replicas]): Stranded => ({ lost: losing.name, deployment, replicas })),
  );
  const limits = tried.map(({ losing }) => {
    const without = wanted.find((one) => one.losing === losing)?.stranded;
    return { losing, stranded: without ?? NOBODY };
  });
  const helped = failing.some(({ missing }, f) =>
    [...missing].some(([id, replicas]) => replicas > (wanted[f]?.stranded.get(id) ?? 0)),
  );
  const found = helped ? growAll(trial, limits) : undefined;
  if (!found) return { stranded };
  return { extra: toExtraNodes(least(trial, found, wanted, limits), fleet), stranded };
}

const NOBODY: ReadonlyMap<string, number> = new Map();

/** A loss, and the replicas that may lack a place after it. */
interface Limit {
  readonly losing: Losing;
  readonly stranded: ReadonlyMap<string, number>;
}

/** Replicas that have no place however many nodes there are. */
function strandedIn(trial: Trial, losing: Losing): ReadonlyMap<string, number> {
  const pools = trial.model.sites.flatMap((site) => site.pools);
  const plenty = new Map(pools.map((pool) => [poolKey(pool.cluster, pool.name), PLENTY]));
  return missingAfter(trial, placedAfter(trial, losing, plenty));
}

/** Nodes that help after one loss draw replicas there after another, so that others lack a place: it takes some rounds. */
const MOST_ROUNDS = 8;

/** A set of nodes that is enough for all losses, or nothing where no round found one. */
function growAll(trial: Trial, limits: readonly Limit[]): Extra | undefined {
  const extra = new Map<string, number>();
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const added = limits.map((limit) => growFor(trial, limit, extra));
    if (!added.includes(true)) return extra;
  }
  return undefined;
}

/** Adds what is not enough after one loss, and tells whether anything was missing. */
function growFor(trial: Trial, { losing, stranded }: Limit, extra: Map<string, number>): boolean {
  const state = placedAfter(trial, losing, extra);
  const missing = missingAfter(trial, state);
  const lacks = state.model.workloads.flatMap((workload) => {
    const replicas = (missing.get(workload.id) ?? 0) - (stranded.get(workload.id) ?? 0);
    return replicas > 0 ? [{ workload, replicas }] : [];
  });
  for (const { workload, replicas } of lacks) grow(state, workload, replicas, extra);
  return lacks.length > 0;
}

function suffices(trial: Trial, { losing, stranded }: Limit, extra: Extra): boolean {
  const missing = missingAfter(trial, placedAfter(trial, losing, extra));
  return [...missing].every(([id, replicas]) => replicas <= (stranded.get(id) ?? 0));
}

/** The smallest set that could be found, and how small one could be. */
function least(trial: Trial, found: Extra, wanted: readonly Limit[], limits: readonly Limit[]) {
  const budget = new Budget();
  // Losses that something was missing after come first: they refuse most.
  const inOrder = [...wanted, ...limits.filter(({ losing }) => !wanted.some((one) => one.losing === losing))];
  const enough: Enough = (extra) => {
    for (const limit of inOrder) {
      if (!budget.spend(trial.placements.length)) return undefined;
      if (!suffices(trial, limit, extra)) return false;
    }
    return true;
  };
  const workloads = trial.model.workloads.filter(({ id }) => (trial.before.get(id) ?? 0) > 0);
  const pools = poolsThatHelp(trial.model, trial.matcher, workloads);
  return smallest(pruned(found, enough), pools, enough);
}

function toExtraNodes({ extra, atLeast }: ReturnType<typeof smallest>, fleet: Fleet): ExtraNodes {
  const prices = poolPrices(fleet);
  const sources = new SourceList();
  const sorted = [...extra].sort(([a], [b]) => compareText(a, b));
  const nodes = sorted.map(([key, count]) => {
    const [cluster = '', pool = ''] = key.split('/');
    return { cluster, pool, nodes: count };
  });
  const total = sizeOf(extra);
  return {
    nodes,
    total,
    atLeast,
    method: atLeast === total ? 'exact' : 'heuristic',
    currency: fleet.hardware.prices.currency,
    cost: sumOf(sorted.map(([key, count]) => sources.nodes(prices.get(key), count))),
    sources: sources.values,
  };
}
