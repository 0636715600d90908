import type { ModelDeployment } from '../api/model-deployment';
import { lazily } from '../base/memoize';
import { sortUnique } from '../base/order';
import { findPoolPrices, poolKeyOf } from '../cost/pool-prices';
import { indexDeploymentsById } from '../fleet/fleet';
import type { BrokenRule } from '../fleet/policy';
import type { PlacedFleet } from '../plan/decision';
import { createChangeChecker } from '../plan/policy/broken-rules';
import type { ReplicaChange } from '../plan/replica-moves';
import { createUsageLookup } from '../plan/replica-usage';
import { listQuotaRaises, type QuotaRaise } from '../plan/short-quotas';
import { placeMissing } from '../scheduler/applied-remedy';
import { haveSamePools, type Placement, placementKeyOf } from '../scheduler/placement';
import { scheduleState } from '../scheduler/schedule';
import { type ChangedStates, createAddedChanges, type HelpedDeployment, type ShortDeployment } from './added-replicas';
import { type AddedCost, compareTotals } from './added-cost';
import type { FleetState } from './fleet-state';
import { isBelow, listBelowSurge, type TriedChange } from './nodes-below-surge';
import { pricePlacements, priceState, type PricedFleet } from './priced-placements';
import { type ApplyMode, type LowestServing, lowestOf, neededOf } from './serving-during-change';
import { countSupposedServing } from './supposed-serving';
import {
  findCompiledPool,
  supposeNodes,
  supposePool,
  type SupposedEdits,
  type SupposedFleet,
  type SupposedChange,
} from './supposed-pools';

/** Further replicas of a deployment that an earlier change adds, so that enough of them serve during a change. */
export interface ExtraReplicas extends LowestServing, SupposedEdits {
  /** The number to declare. */
  readonly replicas: number;

  /** The number to declare in the change itself, which lowers it. Absent: it does not. */
  readonly later?: number;

  /** How many more than before. */
  readonly added: number;

  /** The fewest replicas that have to serve: `minAvailable`, or 1. */
  readonly needed: number;

  /** The pools of those that serve during the change, or of all where nodes have to be drained first: `cluster/pool`. */
  readonly pools: readonly string[];

  /** The earlier change of another deployment, which declares nodes of these pools. Absent: none has to. */
  readonly joins?: AdvisedNodes;

  /** What the earlier change costs a month. Absent: not known. */
  readonly cost?: AddedCost;

  /** The quotas of queues that are too small for them. Absent: none is. */
  readonly quotas?: readonly QuotaRaise[];

  /** The policy rules that deny the earlier change. Absent: none does. */
  readonly breaks?: readonly BrokenRule[];
}

/** Nodes of a pool that an earlier change declares. */
interface AdvisedNodes {
  /** The first deployment that needs them. */
  readonly deployment: string;

  /** How many nodes the pool then has. */
  readonly nodes: number;
}

interface Transition extends ChangedStates {
  readonly before: FleetState;

  /** The later declarations decided from the earlier lock. */
  readonly planned: PlacedFleet;
}

/** The numbers of replicas to add. */
const ADDED = [1, 2, 3];

/** The numbers of nodes to add. */
const NODES = [1, 2];

/** The most replicas to place in all trials together: a comparison has to be quick. */
const TRIED_REPLICAS = 100_000;

/**
 * What is tried: replicas that are enough in either case, all that helps where nodes go, and nodes that cost less than a
 * surge, for which the deployment has another remedy.
 */
const MEANS = ['replicas', 'nodes', 'less-than-surge'] as const;

/** Adds to deployments of which too few replicas serve what further ones an earlier change can add. */
export function addExtraReplicas<T extends ShortDeployment>(
  all: readonly T[],
  transition: Transition,
): readonly (T & { readonly extra?: ExtraReplicas })[] {
  const declared = indexDeploymentsById(transition.after.decision.fleet.deployments);
  const short = all.flatMap((diff) => {
    const deployment = declared.get(diff.deployment);
    return deployment && isHelped(diff, deployment) ? [{ diff, deployment }] : [];
  });
  if (short.length === 0) return all;
  const trials = new Trials(transition);
  const found = new Map<string, ExtraReplicas>();
  // What needs no nodes comes first: it must not seem to need the budget for nodes of others.
  for (const means of MEANS) {
    for (const { diff, deployment } of short) {
      const extra = found.has(diff.deployment) ? undefined : trials.find(diff, deployment, means);
      if (extra) found.set(diff.deployment, extra);
    }
  }
  return all.map((diff) => {
    const extra = found.get(diff.deployment);
    return extra ? { ...diff, extra } : diff;
  });
}

/** Whether too few replicas serve, because they restart where they are or lose their nodes. */
function isHelped({ changes, serving }: ShortDeployment, { spec }: ModelDeployment): boolean {
  const { before, after, perCluster, recreate } = serving;
  if (before === 0 || after === 0 || recreate || perCluster >= neededOf(spec)) return false;
  const stopping = changes.filter(({ action, down, nodes }) => action === 'roll' && (down || nodes !== undefined));
  return (
    stopping.length > 0 &&
    !changes.some(({ reason, finalized, misplaced }) => reason?.kind === 'shape' || finalized || misplaced)
  );
}

/** What is advised for the deployments so far: a reader does all of it. */
interface Advised extends SupposedFleet {
  readonly placements: readonly Placement[];

  /** What is added, by deployment. */
  readonly added: ReadonlyMap<string, AddedReplicas>;

  /** The nodes that are declared, by pool. */
  readonly nodes: ReadonlyMap<string, AdvisedNodes>;

  /** What the fleet costs with it. */
  readonly priced: PricedFleet;
}

interface TriedDeployment extends HelpedDeployment {
  /** The number of serving replicas that has to be enough. */
  readonly mode: ApplyMode;
}

/** Replicas that an earlier change adds to a deployment, and what the change then does to all of its replicas. */
interface AddedReplicas extends TriedDeployment {
  readonly placements: readonly Placement[];
  readonly changes: readonly ReplicaChange[];
}

class Trials {
  readonly #before: PlacedFleet;
  readonly #planned: PlacedFleet;
  readonly #policies: () => ReturnType<typeof createPolicyCheck>;
  readonly #changesOf: ReturnType<typeof createAddedChanges>;
  readonly #missing: number;
  #advised: Advised;
  #left = TRIED_REPLICAS;

  constructor(transition: Transition) {
    const { before, planned } = transition;
    this.#policies = lazily(() => createPolicyCheck(transition));
    this.#before = before.decision;
    this.#planned = planned;
    this.#advised = {
      fleet: before.decision.fleet,
      prices: findPoolPrices(before.decision.fleet),
      change: (model) => model,
      placements: before.decision.schedule.placements,
      added: new Map(),
      nodes: new Map(),
      priced: priceState(before),
    };
    this.#changesOf = createAddedChanges(transition);
    this.#missing = planned.schedule.shortfalls.reduce((sum, { missing }) => sum + missing, 0);
  }

  /**
   * The first that is enough: replicas alone, or else with more nodes or with a pool of their own. What is enough where
   * clusters are applied independently comes first.
   */
  find(diff: ShortDeployment, deployment: ModelDeployment, means: (typeof MEANS)[number]): ExtraReplicas | undefined {
    const needed = neededOf(deployment.spec);
    const modes = (['perCluster', 'withWaves'] as const).filter((mode) => diff.serving[mode] < needed);
    const { fleet, prices, change } = this.#advised;
    const alone: SupposedChange = { fleet, prices, change };
    const supposable: Readonly<Record<typeof means, () => TriedChange[]>> = {
      replicas: () => [alone],
      nodes: () => [alone, ...this.#listWithNodes(diff, alone)],
      'less-than-surge': () => listBelowSurge(diff, alone, [this.#before.model, this.#planned.model]),
    };
    const pools = supposable[means]();
    const all = modes.flatMap((mode) => pools.map((supposed) => ({ supposed, mode })));
    const attempts = (means === 'replicas' ? all.slice(0, 1) : all).flatMap((one) =>
      ADDED.map((added) => ({ added, ...one })),
    );
    for (const { added, supposed, mode } of attempts) {
      this.#left -= this.#before.schedule.placements.length + this.#planned.schedule.placements.length;
      if (this.#left < 0) return undefined;
      const found = this.#try(added, supposed, { diff, deployment, mode });
      if (found) return found;
    }
    return undefined;
  }

  /** Lists what the earlier change declares of pools too, so that new replicas have room. */
  #listWithNodes({ changes }: ShortDeployment, alone: SupposedFleet): SupposedChange[] {
    const disrupted = changes.filter(({ nodes }) => nodes !== undefined);
    const places = disrupted.flatMap(({ from, cluster, pools }) => {
      const place = from ?? { cluster, pools };
      return Object.values(place.pools).map((pool) => [place.cluster, pool] as const);
    });
    const pools = [...new Map(places.map((place) => [poolKeyOf(...place), place])).values()];
    const isRolled = disrupted.every(({ nodes }) => nodes === 'roll');
    const causes = disrupted.flatMap((one) => one.causes);
    const { model } = this.#before;
    return NODES.flatMap((count) =>
      pools.flatMap(([cluster, name]) => {
        if (isRolled) return supposeNodes(alone, { cluster, name, count }) ?? [];
        return supposePool(alone, { model, cluster, like: name, count, causes }) ?? [];
      }),
    );
  }

  #try(added: number, supposed: TriedChange, tried: TriedDeployment): ExtraReplicas | undefined {
    const { deployment: id } = tried.diff;
    const { placements: before, nodes: advised } = this.#advised;
    const { matcher } = this.#before;
    const { nodes, newPool, below, ...declared } = supposed;
    const model = supposed.change(this.#before.model);
    const compiled = model.deployments.find((one) => one.id === id);
    if (!compiled) return undefined;
    const replicas = compiled.replicas + added;
    const placed = placeMissing({ model, placements: before, deployment: { ...compiled, replicas } }, before, matcher);
    if (placed.added.length !== added) return undefined;
    const further = this.#changesOf(placed.added, supposed.newPool?.name, tried);
    const { placements } = placed;
    const own = { ...tried, placements: placed.added, changes: [...tried.diff.changes, ...further] };
    const also = { ...declared, placements, ...adviseAlso(this.#advised, supposed, own) };
    const lowest = this.#countLowest(id, also);
    if (!lowest) return undefined;
    const { fleet, prices } = supposed;
    const terms = this.#findTerms(id, { fleet, prices, model, matcher, placements });
    if (below !== undefined && !isBelow(below, terms)) return undefined;
    this.#advised = { ...also, priced: terms.priced };
    const up = further.filter((one) => one.nodes !== 'replace');
    const [joins] = listPools(placed.added).flatMap((pool) => advised.get(pool) ?? []);
    return {
      replicas,
      added,
      ...listLater(compiled.replicas, tried.deployment.spec.replicas, added),
      needed: neededOf(tried.deployment.spec),
      pools: listPools(up.length > 0 ? up : placed.added),
      ...(joins && { joins }),
      ...(nodes && { nodes }),
      ...(newPool && { newPool }),
      ...(terms.cost && { cost: terms.cost }),
      ...(terms.quotas.length > 0 && { quotas: terms.quotas }),
      ...(terms.breaks.length > 0 && { breaks: terms.breaks }),
      ...withoutNewClusters(lowestOf(lowest), tried.diff),
    };
  }

  /**
   * How many replicas of a deployment serve during the change with all that is advised. Undefined: too few of it or of
   * another one that is helped, replicas that were added do not stay, or they take the places of others.
   */
  #countLowest(id: string, { added, change, placements }: Omit<Advised, 'priced'>): LowestServing | undefined {
    const { model, matcher } = this.#planned;
    const changed = change(model);
    const deployments = changed.deployments.map((one) => {
      return { ...one, replicas: one.replicas + (added.get(one.id)?.placements.length ?? 0) };
    });
    const state = scheduleState({ ...changed, deployments }, placements, matcher);
    const later = new Map(state.placements().map((one) => [placementKeyOf(one), one]));
    const missing = deployments.reduce((sum, one) => sum + state.missing(one), 0);
    if (missing > this.#missing) return undefined;
    // One that loses its pool does not count, wherever it goes.
    const isThere = ({ cluster, pools }: Placement): boolean =>
      Object.values(pools).every((pool) => findCompiledPool(changed, cluster, pool));
    const stays = (one: Placement): boolean =>
      !isThere(one) || haveSamePools(later.get(placementKeyOf(one))?.pools ?? {}, one.pools);
    if (![...added.values()].every((one) => one.placements.every(stays))) return undefined;
    const lowest = new Map(
      [...added].map(([of, one]) => {
        const isLocal = one.diff.serving.emptied !== undefined;
        return [of, countSupposedServing({ before: placements, state }, { ...one, isLocal })];
      }),
    );
    const isEnough = [...added].every(([of, { deployment, mode }]) => {
      return (lowest.get(of)?.[mode] ?? 0) >= neededOf(deployment.spec);
    });
    return isEnough ? lowest.get(id) : undefined;
  }

  /** What the earlier change costs more than what is advised before, and what it needs: quotas, and other policy rules. */
  #findTerms(deployment: string, after: PlacedChange & Pick<SupposedFleet, 'prices'>) {
    const { fleet, prices, model, matcher, placements } = after;
    const priced = pricePlacements(fleet, placements, createUsageLookup(model, matcher), prices);
    const { check, before } = this.#policies();
    const breaks = check?.({ deployments: new Set([deployment]), before, after: [after], furtherMoves: 0 }) ?? [];
    const quotas = listQuotaRaises({ ...this.#before, placements: this.#advised.placements }, after);
    const cost = compareTotals(this.#advised.priced, priced);
    return { ...(cost && { cost }), priced, breaks, quotas };
  }
}

/** Leaves out clusters on which no replica serves before the earlier change: clients there have none to miss. */
function withoutNewClusters({ emptied, ...counts }: LowestServing, { changes }: ShortDeployment): LowestServing {
  if (!emptied) return counts;
  const old = new Set(changes.flatMap((one) => (one.action === 'place' ? [] : [(one.from ?? one).cluster])));
  const known = (clusters: readonly string[]): string[] => clusters.filter((one) => old.has(one));
  const { withWaves, perCluster, atOnce } = emptied;
  return {
    ...counts,
    emptied: { withWaves: known(withWaves), perCluster: known(perCluster), atOnce: known(atOnce) },
  };
}

function listLater(before: number, after: number, added: number): Pick<ExtraReplicas, 'later'> {
  return after < before ? { later: after + added } : {};
}

/** What the earlier state is, and what checks a change of it against the rules of the later one. */
function createPolicyCheck({ before, after }: Transition) {
  const { matcher, model, schedule } = before.decision;
  // The rules have their places in the later state, which a reader has in front of them.
  const { policies } = after.decision.fleet;
  const fleet = { ...before.decision.fleet, ...(policies && { policies }) };
  return {
    check: createChangeChecker({ ...before.decision, fleet, cost: before.cost }),
    before: { fleet, prices: findPoolPrices(fleet), model, matcher, placements: schedule.placements },
  };
}

type PlacedChange = Parameters<NonNullable<ReturnType<typeof createChangeChecker>>>[0]['before'];

function listPools(replicas: readonly Pick<Placement, 'cluster' | 'pools'>[]): string[] {
  return sortUnique(
    replicas.flatMap(({ cluster, pools }) => Object.values(pools).map((pool) => poolKeyOf(cluster, pool))),
  );
}

/** Adds what a change declares for a deployment. */
function adviseAlso(
  { added, nodes }: Pick<Advised, 'added' | 'nodes'>,
  edits: SupposedEdits,
  own: AddedReplicas,
): Pick<Advised, 'added' | 'nodes'> {
  const id = own.diff.deployment;
  return { added: new Map([...added, [id, own]]), nodes: adviseNodes(nodes, edits, id) };
}

/** Adds the nodes that a change declares for a deployment. */
function adviseNodes(advised: Advised['nodes'], { nodes, newPool }: SupposedEdits, id: string): Advised['nodes'] {
  const [pool, count] = newPool
    ? [poolKeyOf(newPool.like.split('/')[0] ?? '', newPool.name), newPool.nodes]
    : [nodes?.pool, nodes?.to];
  if (pool === undefined || count === undefined) return advised;
  const { deployment = id } = advised.get(pool) ?? {};
  return new Map([...advised, [pool, { deployment, nodes: count }]]);
}
