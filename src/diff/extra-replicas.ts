import type { ModelDeployment } from '../api/model-deployment';
import { lazily } from '../base/memoize';
import { sortUnique } from '../base/order';
import type { Cost, CostRange } from '../cost/cost';
import { findPoolPrices, poolKeyOf } from '../cost/pool-prices';
import { indexDeploymentsById } from '../fleet/fleet';
import type { BrokenRule } from '../fleet/policy';
import type { PlacedFleet } from '../plan/decision';
import { computeCostOfPlacements } from '../plan/plan-cost';
import { createChangeChecker } from '../plan/policy/broken-rules';
import type { ReplicaChange, ReplicaLocation } from '../plan/replica-moves';
import { createUsageLookup } from '../plan/replica-usage';
import { placeMissing } from '../scheduler/applied-remedy';
import { haveSamePools, type Placement, placementKeyOf } from '../scheduler/placement';
import { scheduleState } from '../scheduler/schedule';
import { type CloudChange, isShrunk } from './cloud-changes';
import type { FleetState } from './fleet-state';
import { addDisruption, type Disruptions } from './pool-disruption';
import { type Cause, movesToPool } from './replica-causes';
import { type ApplyMode, countServing, type LowestServing, type ServingDuringChange } from './serving-during-change';
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

  /** How many more than before. */
  readonly added: number;

  /** The fewest replicas that have to serve: `minAvailable`, or 1. */
  readonly needed: number;

  /** The pools of those that serve during the change: `cluster/pool`. */
  readonly pools: readonly string[];

  /** What the earlier change costs a month. Absent: not known. */
  readonly cost?: { readonly least: number; readonly most: number; readonly currency: string };

  /** The policy rules that deny the earlier change. Absent: none does. */
  readonly breaks?: readonly BrokenRule[];
}

interface ShortDeployment {
  readonly deployment: string;
  readonly changes: readonly (ReplicaChange & { readonly causes: readonly Cause[] })[];
  readonly serving: ServingDuringChange;
}

interface Transition {
  readonly before: FleetState;
  readonly after: FleetState;
  readonly disruptions: Disruptions;
  readonly cloud: readonly CloudChange[];
}

/** The numbers of replicas to add. */
const ADDED = [1, 2, 3];

/** The numbers of nodes to add. */
const NODES = [1, 2];

/** The most replicas to place in all trials together: a comparison has to be quick. */
const TRIED_REPLICAS = 100_000;

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
  for (const means of ['replicas', 'nodes'] as const) {
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

function neededOf({ minAvailable = 0 }: ModelDeployment['spec']): number {
  return Math.max(1, minAvailable);
}

/** What is advised for the deployments so far: a reader does all of it. */
interface Advised extends SupposedFleet {
  readonly placements: readonly Placement[];

  /** The number of replicas that are added, by deployment. */
  readonly added: ReadonlyMap<string, number>;

  /** What the fleet costs with it. */
  readonly total: CostRange;
}

interface TriedDeployment {
  readonly diff: ShortDeployment;
  readonly deployment: ModelDeployment;

  /** The number of serving replicas that has to be enough. */
  readonly mode: ApplyMode;
}

class Trials {
  readonly #before: PlacedFleet;
  readonly #after: PlacedFleet;
  readonly #transition: Transition;
  readonly #policies: () => ReturnType<typeof createPolicyCheck>;
  readonly #shrunk: ReadonlySet<string>;
  readonly #missing: number;
  #advised: Advised;
  #left = TRIED_REPLICAS;

  constructor(transition: Transition) {
    const { before, after, cloud } = transition;
    this.#transition = transition;
    this.#policies = lazily(() => createPolicyCheck(transition));
    this.#before = before.decision;
    this.#after = after.decision;
    this.#advised = {
      fleet: before.decision.fleet,
      prices: findPoolPrices(before.decision.fleet),
      change: (model) => model,
      placements: before.decision.schedule.placements,
      added: new Map(),
      total: before.cost.total,
    };
    this.#shrunk = new Set(cloud.filter(isShrunk).map(({ cluster, name }) => poolKeyOf(cluster, name)));
    this.#missing = after.decision.schedule.shortfalls.reduce((sum, { missing }) => sum + missing, 0);
  }

  /**
   * The first that is enough: replicas alone, or else with more nodes or with a pool of their own. What is enough where
   * clusters are applied independently comes first.
   *
   * @param means `replicas`: what is enough in either case, alone. `nodes`: all else
   */
  find(diff: ShortDeployment, deployment: ModelDeployment, means: 'replicas' | 'nodes'): ExtraReplicas | undefined {
    const needed = neededOf(deployment.spec);
    const modes = (['perCluster', 'withWaves'] as const).filter((mode) => diff.serving[mode] < needed);
    const [alone, ...others] = modes.flatMap((mode) =>
      this.#listSupposed(diff).map((supposed) => ADDED.map((added) => ({ added, supposed, mode }))),
    );
    const attempts = (means === 'replicas' ? alone : others.flat()) ?? [];
    for (const { added, supposed, mode } of attempts) {
      this.#left -= this.#before.schedule.placements.length + this.#after.schedule.placements.length;
      if (this.#left < 0) return undefined;
      const found = this.#try(added, supposed, { diff, deployment, mode });
      if (found) return found;
    }
    return undefined;
  }

  #listSupposed({ changes }: ShortDeployment): SupposedChange[] {
    const { fleet, prices, change } = this.#advised;
    const alone: SupposedChange = { fleet, prices, change };
    const disrupted = changes.filter(({ nodes }) => nodes !== undefined);
    const places = disrupted.flatMap(({ from, cluster, pools }) => {
      const place = from ?? { cluster, pools };
      return Object.values(place.pools).map((pool) => [place.cluster, pool] as const);
    });
    const pools = [...new Map(places.map((place) => [poolKeyOf(...place), place])).values()];
    const isRolled = disrupted.every(({ nodes }) => nodes === 'roll');
    const causes = disrupted.flatMap((one) => one.causes);
    const { model } = this.#before;
    const ofPools = NODES.flatMap((count) =>
      pools.flatMap(([cluster, name]) => {
        if (isRolled) return supposeNodes(alone, { cluster, name, count }) ?? [];
        return supposePool(alone, { model, cluster, like: name, count, causes }) ?? [];
      }),
    );
    return [alone, ...ofPools];
  }

  #try(added: number, supposed: SupposedChange, tried: TriedDeployment): ExtraReplicas | undefined {
    const { deployment } = tried;
    const { deployment: id, changes, serving } = tried.diff;
    const { placements: before, added: others, total } = this.#advised;
    const { matcher } = this.#before;
    const { nodes, newPool, ...declared } = supposed;
    const model = supposed.change(this.#before.model);
    const compiled = model.deployments.find((one) => one.id === id);
    if (!compiled) return undefined;
    const replicas = compiled.replicas + added;
    const placed = placeMissing({ model, placements: before, deployment: { ...compiled, replicas } }, before, matcher);
    if (placed.added.length !== added) return undefined;
    const further = this.#changesOf(placed.added, supposed, tried);
    const counts = { before: serving.before + added, after: serving.after + added };
    const lowest = countServing(deployment, [...changes, ...further], counts);
    const needed = neededOf(deployment.spec);
    const { placements } = placed;
    const also = { ...declared, placements, added: new Map([...others, [id, added]]) };
    if (lowest[tried.mode] < needed || !this.#keeps(placed.added, also)) return undefined;
    const { fleet, prices } = supposed;
    const cost = computeCostOfPlacements(fleet, placements, createUsageLookup(model, matcher), prices);
    this.#advised = { ...also, total: cost.total };
    const up = further.filter((one) => one.nodes !== 'replace');
    const pools = up.flatMap((one) => Object.values(one.pools).map((pool) => poolKeyOf(one.cluster, pool)));
    const breaks = this.#findBroken(id, { fleet, prices, model, matcher, placements });
    return {
      replicas,
      added,
      needed,
      pools: sortUnique(pools),
      ...(nodes && { nodes }),
      ...(newPool && { newPool }),
      ...compareTotals(total, cost),
      ...(breaks.length > 0 && { breaks }),
      withWaves: lowest.withWaves,
      perCluster: lowest.perCluster,
      atOnce: lowest.atOnce,
    };
  }

  /** Whether replicas that were added stay during the change, and take nothing from others. */
  #keeps(added: readonly Placement[], advised: Omit<Advised, 'total'>): boolean {
    const { model, matcher } = this.#after;
    const changed = advised.change(model);
    const deployments = changed.deployments.map((one) => {
      return { ...one, replicas: one.replicas + (advised.added.get(one.id) ?? 0) };
    });
    const state = scheduleState({ ...changed, deployments }, advised.placements, matcher);
    const later = new Map(state.placements().map((one) => [placementKeyOf(one), one]));
    const missing = deployments.reduce((sum, one) => sum + state.missing(one), 0);
    if (missing > this.#missing) return false;
    // One that loses its pool does not count, wherever it goes.
    const isThere = ({ cluster, pools }: Placement): boolean =>
      Object.values(pools).every((pool) => findCompiledPool(changed, cluster, pool));
    return added.every((one) => !isThere(one) || haveSamePools(later.get(placementKeyOf(one))?.pools ?? {}, one.pools));
  }

  /** What the change does to replicas that were added. */
  #changesOf(added: readonly Placement[], { newPool }: SupposedChange, tried: TriedDeployment): ReplicaChange[] {
    const { diff, deployment } = tried;
    const first = Math.max(0, ...diff.changes.map(({ wave = 0 }) => wave)) + 1;
    return added.map(({ cluster, index, pools }, i): ReplicaChange => {
      const place = { cluster, index, pools };
      const like = diff.changes.find((one) => rollsWith(one, place));
      const wave = first + Math.floor(i / deployment.spec.rollout.parallel);
      const change: ReplicaChange = like
        ? { action: 'roll', ...place, wave, down: like.down === true }
        : { action: 'keep', ...place };
      const on = Object.values(pools);
      if (newPool && on.includes(newPool.name)) return change;
      if (on.some((pool) => this.#shrunk.has(poolKeyOf(cluster, pool)))) {
        return { ...change, action: 'roll', nodes: 'replace' };
      }
      return addDisruption(change, this.#transition.disruptions.find(deployment, change)).change;
    });
  }

  /** The policy rules that deny the earlier change, with all that is advised before. */
  #findBroken(deployment: string, after: PlacedChange): readonly BrokenRule[] {
    const { check, before } = this.#policies();
    return check?.({ deployments: new Set([deployment]), before, after: [after], furtherMoves: 0 }) ?? [];
  }
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

/** Whether the pods of a replica at a place are replaced for the same reason as those of another one. */
function rollsWith(change: ShortDeployment['changes'][number], { cluster, pools }: ReplicaLocation): boolean {
  if (change.action !== 'roll' || change.wave === undefined || movesToPool(change)) return false;
  const isSame = change.cluster === cluster && haveSamePools(change.pools, pools);
  return isSame || !change.causes.every(isEditOfPool);
}

function isEditOfPool({ id, field }: Cause): boolean {
  return id.startsWith('InferenceClass ') || field?.field.startsWith('spec.nodePools[') === true;
}

type PlacedChange = Parameters<NonNullable<ReturnType<typeof createChangeChecker>>>[0]['before'];

/** What more a fleet costs. Empty: not known. */
function compareTotals(before: CostRange, { total, currency }: Cost): Pick<ExtraReplicas, 'cost'> {
  if (before.most.unknown !== total.most.unknown) return {};
  const [least, most] = (['least', 'most'] as const).map((bound) => {
    return Number(((total[bound].perMonth ?? 0) - (before[bound].perMonth ?? 0)).toFixed(2));
  });
  return { cost: { least: least ?? 0, most: most ?? 0, currency } };
}
