import { type Resource, resourceIdOf } from '../../api/kinds';
import type { NodePool } from '../../api/node-pool';
import type { PolicyLimits } from '../../api/policy-file';
import { qualifiedNameOf } from '../../api/resource';
import { sortUnique } from '../../base/order';
import type { Cost } from '../../cost/cost';
import { findPoolPrices, poolKeyOf, type PoolPrices } from '../../cost/pool-prices';
import { type Sum, ZERO_SUM } from '../../cost/sum';
import type { Fleet } from '../../fleet/fleet';
import type { BrokenRule, LimitEdit, Policy } from '../../fleet/policy';
import type { CompiledFleet } from '../../scheduler/compiled-fleet';
import type { PodMatcher } from '../../scheduler/devices/match-pod';
import { isLost } from '../../scheduler/lost-clusters';
import { groupByDeployment, type Placement, placementKeyOf } from '../../scheduler/placement';
import { type MoveRemedy, onlyMovedBy, type Remedy } from '../../scheduler/remedy';
import { schedule } from '../../scheduler/schedule';
import type { Eviction } from '../../scheduler/schedule-result';
import type { DeploymentPlan } from '../plan';
import { computeCostOfPlacements } from '../plan-cost';
import { replicaChangesOf } from '../replica-moves';
import { createUsageLookup } from '../replica-usage';
import type { RemedyTrial } from '../remedy-trials';
import { changeCluster, changePools, copyPool, resizePool } from '../changed-clusters';
import { checkLimit, denies, listReservedDevices, listRunning, toPolicyInput } from './check-policies';
import type { LimitViolation, PolicyInput } from './limits';

/** A fleet as it is planned. */
interface PlannedFleet {
  readonly fleet: Fleet;
  readonly model: CompiledFleet;
  readonly matcher: PodMatcher;
  readonly schedule: { readonly placements: readonly Placement[]; readonly evictions: readonly Eviction[] };
  readonly previous: { readonly placements: readonly Placement[] };
  readonly cost: Cost;

  /** Prices in place of those of the fleet. */
  readonly prices?: PoolPrices;
}

/** The limits that a remedy can exceed. All others depend on declarations that no remedy changes. */
const LIMITS = [
  'allowedRegions',
  'budget',
  'failureDomains',
  'deviceQuota',
  'moves',
] as const satisfies readonly (keyof PolicyLimits)[];

/** A change of a fleet that is only supposed, on the clusters that it may change. */
interface SupposedChange {
  /** The deployments whose replicas it adds or moves. */
  readonly deployments: ReadonlySet<string>;
  readonly before: PlacedNear;

  /** What runs one after the other. */
  readonly after: readonly PlacedNear[];

  /** The replicas that move only with the change. */
  readonly furtherMoves: number;
}

type FindBroken = (change: SupposedChange) => BrokenRule[];

/**
 * Creates a function that finds the policy rules that deny a change, and that do not deny as much without it. What is on
 * other clusters is the same. Undefined where no rule can deny one.
 *
 * @param plans what moves without the change. Default: nothing
 */
export function createChangeChecker(
  planned: PlannedFleet,
  plans: readonly DeploymentPlan[] = [],
): FindBroken | undefined {
  const { fleet, model, schedule, cost } = planned;
  const isEmergency = model.clusters.some(isLost);
  const limits = (fleet.policies ?? []).flatMap((policy) =>
    LIMITS.map((field) => ({ policy, field, rule: policy.rule, isEmergency })).filter((limit) => {
      return limit.rule[limit.field] !== undefined && denies({}, limit);
    }),
  );
  if (limits.length === 0) return undefined;
  const move = plans.reduce((sum, { changes }) => sum + countMoves(changes), 0);
  const now = toPolicyInput({ ...planned, placements: schedule.placements, totals: { move }, cost });
  return ({ deployments: changed, before, after, furtherMoves }) => {
    const deployments = fleet.deployments.filter((one) => changed.has(qualifiedNameOf(one)));
    const without = measure(before);
    const steps = after.map(
      (step): PolicyInput => ({
        fleet: { ...fleet, clusters: step.fleet.clusters, deployments },
        placements: step.placements,
        totals: { move: move + furtherMoves },
        ...shift(now, without, measure(step)),
      }),
    );
    return limits.flatMap((limit) => {
      const { policy, field, rule } = limit;
      const known = checkLimit(field, rule, { ...now, fleet: { ...fleet, deployments } });
      const broken = steps
        .flatMap((step) => checkLimit(field, rule, step))
        .filter((one) => denies(one, limit) && !isKnown(one, known));
      return broken.length === 0 ? [] : [toBrokenRule(policy, broken)];
    });
  };
}

/** Finds the policy rules that deny a tried remedy. */
type FindBrokenRules = (plan: DeploymentPlan, remedy: Remedy, trial: RemedyTrial) => BrokenRule[];

/**
 * Creates a function that finds the policy rules that deny a remedy, and that do not deny as much without it. Undefined
 * where no rule can deny one.
 */
export function createBrokenRuleFinder(
  planned: PlannedFleet,
  plans: readonly DeploymentPlan[],
): FindBrokenRules | undefined {
  const find = createChangeChecker(planned, plans);
  if (!find) return undefined;
  const { fleet, model, matcher, prices = findPoolPrices(fleet) } = planned;
  const rebalance = createRebalancing(planned);
  return (plan, remedy, trial) => {
    const rebalanced = remedy.kind === 'move' ? rebalance(remedy) : undefined;
    if (rebalanced) {
      const whole = { fleet, prices, model, matcher };
      return find({
        deployments: new Set([plan.deployment, ...rebalanced.moved.map(({ deployment }) => deployment)]),
        before: { ...whole, placements: planned.schedule.placements },
        after: rebalanced.steps.map((placements) => ({ ...whole, placements })),
        furtherMoves: rebalanced.moved.length,
      });
    }
    const near = toFleetOn(trial.model, { fleet, prices });
    const supposed = suppose(near, remedy);
    const steps = [...(trial.moving ? [trial.moving] : []), trial.placements];
    return find({
      deployments: new Set([plan.deployment, ...movedBy(remedy)]),
      before: { ...near, model, matcher, placements: trial.before },
      after: steps.map((placements) => ({ ...supposed, model: trial.model, matcher, placements })),
      furtherMoves: countFurtherMoves(plan, remedy, trial, planned),
    });
  };
}

/** What the commands of a move place, one after the other, and the replicas that they move. */
interface Rebalancing {
  readonly steps: readonly (readonly Placement[])[];
  readonly moved: readonly Placement[];
}

/** The most replicas of a fleet that is scheduled again to know what the commands of a move place. */
const MOST_REBALANCED = 2_000;

/**
 * Creates a function that runs the commands of a move: `lock --rebalance`, and once the old replicas are finalized,
 * `lock`. They may move and place more replicas than the move names, for all deployments. Undefined in large fleets.
 */
function createRebalancing({ model, matcher, schedule: now, previous }: PlannedFleet) {
  const known = new Map<string | undefined, Rebalancing>();
  const run = (only: string | undefined): Rebalancing => {
    const moving = schedule(model, previous.placements, matcher, only === undefined ? {} : { only }).placements;
    const staying = moving.filter(({ draining }) => !draining);
    const keys = new Set(staying.map(placementKeyOf));
    return {
      steps: [moving, schedule(model, staying, matcher).placements],
      moved: now.placements.filter((one) => !one.draining && !keys.has(placementKeyOf(one))),
    };
  };
  return (remedy: MoveRemedy): Rebalancing | undefined => {
    if (now.placements.length > MOST_REBALANCED) return undefined;
    const only = onlyMovedBy(remedy);
    const found = known.get(only) ?? run(only);
    known.set(only, found);
    return found;
  };
}

/** Nodes of several pools, and what is placed with them. */
interface AddedNodes {
  readonly nodes: readonly Pick<NodesRemedy, 'cluster' | 'pool' | 'nodes' | 'newPool'>[];

  /** The fleet with these nodes, and all that is placed then. Absent: everything stays where it is. */
  readonly placed?: { readonly model: CompiledFleet; readonly placements: readonly Placement[] };
}

type NodesRemedy = Extract<Remedy, { kind: 'nodes' }>;

/**
 * Creates a function that finds the policy rules that deny nodes for the replicas of several deployments. It examines the
 * fleet once for all nodes.
 */
export function createNodesChecker(
  planned: PlannedFleet,
  plans: readonly DeploymentPlan[] = [],
): (added: AddedNodes) => BrokenRule[] {
  const { fleet, schedule, previous, prices = findPoolPrices(fleet) } = planned;
  const find = createChangeChecker(planned, plans);
  if (!find) return () => [];
  const short = plans.filter(({ shortfall }) => shortfall !== undefined);
  return ({ nodes, placed }) => {
    const { placements } = schedule;
    const before = placed
      ? { ...planned, prices, placements }
      : toPlacedOn(new Set(nodes.map(({ cluster }) => cluster)), { ...planned, prices, placements });
    const supposed = nodes.reduce((all, one) => suppose(all, { ...one, kind: 'nodes', gpus: 0 }), {
      fleet: before.fleet,
      prices,
    });
    const moves = short.map((plan) => countMovesTo(placed?.placements ?? placements, plan, { previous, schedule }));
    return find({
      deployments: new Set(short.map(({ deployment }) => deployment)),
      before,
      after: [{ ...before, ...placed, ...supposed }],
      furtherMoves: moves.reduce((sum, count) => sum + count, 0),
    });
  };
}

/** What is placed on some clusters: to measure these takes less than to measure the whole fleet. */
function toPlacedOn(names: ReadonlySet<string>, { fleet, model, prices, matcher, placements }: PlacedNear): PlacedNear {
  const near = placements.filter(({ cluster }) => names.has(cluster));
  const ids = groupByDeployment(near);
  const clusters = model.clusters.filter(({ name }) => names.has(name));
  const deployments = model.deployments.filter(({ id }) => ids.has(id));
  return {
    ...toFleetOn({ clusters }, { fleet, prices }),
    model: { ...model, clusters, deployments },
    matcher,
    placements: near,
  };
}

/** Whether a breach is no larger than one without the remedy. */
function isKnown({ at, excess = 0 }: LimitViolation, known: readonly LimitViolation[]): boolean {
  return known.some((one) => idOf(one.at?.resource) === idOf(at?.resource) && (one.excess ?? 0) >= excess);
}

function idOf(resource: Resource | undefined): string {
  return resource ? resourceIdOf(resource) : '';
}

function toBrokenRule({ rule: { name }, where }: Policy, broken: readonly LimitViolation[]): BrokenRule {
  const edits = broken.map(({ allow }) => allow);
  const allow = edits.includes(undefined) ? undefined : mergeEdits(edits.flatMap((edit) => edit ?? []));
  return { rule: name, where, ...(allow && { allow }) };
}

/** The edit of a limit that allows all that several ones allow. */
function mergeEdits([first, ...others]: readonly LimitEdit[]): LimitEdit | undefined {
  return others.reduce((all: LimitEdit | undefined, one) => {
    if (!all) return one;
    if ('add' in all || 'add' in one) return { field: one.field, add: sortUnique([...addedBy(all), ...addedBy(one)]) };
    return Math.abs(one.to - one.from) > Math.abs(all.to - all.from) ? one : all;
  }, first);
}

function addedBy(edit: LimitEdit): readonly string[] {
  return 'add' in edit ? edit.add : [];
}

function movedBy(remedy: Remedy): string[] {
  return 'moves' in remedy ? remedy.moves.map(({ deployment }) => deployment) : [];
}

function countMoves(changes: readonly { readonly action: string }[]): number {
  return changes.filter(({ action }) => action === 'move').length;
}

/** The replicas that move only with a remedy: those that it moves, and those that lost their place and get another one. */
function countFurtherMoves(plan: DeploymentPlan, remedy: Remedy, trial: RemedyTrial, planned: PlannedFleet): number {
  const moves = 'moves' in remedy ? remedy.moves : [];
  // The replica without a place waits until those that move are finalized, which is another change.
  if (moves.some(({ surgeFirst }) => surgeFirst)) return moves.length;
  return moves.length + countMovesTo(trial.placements, plan, planned);
}

/** The replicas of a deployment that move to other placements than those of its plan, and not with its plan. */
function countMovesTo(
  placements: readonly Placement[],
  { deployment: id, changes }: DeploymentPlan,
  { previous, schedule }: Pick<PlannedFleet, 'previous' | 'schedule'>,
): number {
  const [was = [], is = []] = [previous.placements, placements].map((all) => groupByDeployment(all).get(id));
  const evicted = schedule.evictions.filter(({ placement }) => placement.deployment === id);
  return countMoves(replicaChangesOf(was, is, evicted)) - countMoves(changes);
}

interface SupposedFleet {
  readonly fleet: Fleet;
  readonly prices: PoolPrices;
}

/** A fleet with the clusters of a trial alone. */
function toFleetOn({ clusters }: Pick<CompiledFleet, 'clusters'>, { fleet, prices }: SupposedFleet): SupposedFleet {
  const names = new Set(clusters.map(({ name }) => name));
  return { fleet: { ...fleet, clusters: fleet.clusters.filter(({ metadata }) => names.has(metadata.name)) }, prices };
}

/** What a remedy declares, as far as policies count it: nodes with their prices, and the label of a failure domain. */
function suppose({ fleet, prices }: SupposedFleet, remedy: Remedy): SupposedFleet {
  if (remedy.kind === 'nodes' || remedy.kind === 'nodes-and-moves') {
    const { cluster, pool, nodes } = remedy;
    const newPool = remedy.kind === 'nodes' && remedy.newPool;
    const own = `${pool}-2`;
    const price = newPool ? prices.get(poolKeyOf(cluster, pool)) : undefined;
    const grow = (one: NodePool): NodePool[] => {
      if (one.name !== pool) return [one];
      return newPool ? [one, copyPool(one, own, nodes)] : [resizePool(one, nodes)];
    };
    return {
      fleet: changePools(fleet, cluster, (pools) => pools.flatMap(grow)),
      prices: price ? new Map([...prices, [poolKeyOf(cluster, own), price]]) : prices,
    };
  }
  if (remedy.kind !== 'declare' || remedy.label === undefined) return { fleet, prices };
  const { cluster, label } = remedy;
  return {
    fleet: changeCluster(fleet, cluster, ({ metadata, ...one }) => {
      return { ...one, metadata: { ...metadata, labels: { ...metadata.labels, [label]: cluster } } };
    }),
    prices,
  };
}

interface PlacedNear extends SupposedFleet {
  readonly model: CompiledFleet;
  readonly matcher: PodMatcher;
  readonly placements: readonly Placement[];
}

/** What the clusters of a trial cost, and the devices that are used there. */
function measure({ model, matcher, placements, prices, fleet }: PlacedNear): Measured {
  const running = listRunning(model, placements);
  return {
    cost: computeCostOfPlacements(fleet, running, createUsageLookup(model, matcher), prices),
    devices: listReservedDevices(model, matcher, running),
  };
}

type Measured = Pick<PolicyInput, 'cost' | 'devices'>;

/** What the fleet costs and uses, where some clusters of it change. */
function shift(all: Measured, before: Measured, after: Measured): Measured {
  const total = (of: (cost: Cost) => Sum): Sum => addDifference(of(all.cost), of(before.cost), of(after.cost));
  const names = sortUnique([all, after].flatMap(({ cost }) => cost.namespaces.map(({ namespace }) => namespace)));
  return {
    cost: {
      ...all.cost,
      total: { ...all.cost.total, most: total((cost) => cost.total.most) },
      namespaces: names.map((namespace) => ({
        ...(all.cost.namespaces.find((one) => one.namespace === namespace) ?? {
          namespace,
          replicas: ZERO_SUM,
          storage: ZERO_SUM,
        }),
        total: total(({ namespaces }) => namespaces.find((one) => one.namespace === namespace)?.total ?? ZERO_SUM),
      })),
    },
    devices: [...all.devices, ...before.devices.map((one) => ({ ...one, count: -one.count })), ...after.devices],
  };
}

function addDifference(all: Sum, before: Sum, after: Sum): Sum {
  const perMonth = (all.perMonth ?? 0) + (after.perMonth ?? 0) - (before.perMonth ?? 0);
  return { perMonth: Number(perMonth.toFixed(2)), unknown: all.unknown + after.unknown - before.unknown };
}
