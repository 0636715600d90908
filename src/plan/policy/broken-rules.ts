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
import { groupByDeployment, type Placement } from '../../scheduler/placement';
import type { Remedy } from '../../scheduler/remedy';
import type { Eviction } from '../../scheduler/schedule-result';
import { isLost } from '../drains';
import type { DeploymentPlan } from '../plan';
import { computeCostOfPlacements } from '../plan-cost';
import { replicaChangesOf } from '../replica-moves';
import { createUsageLookup } from '../replica-usage';
import type { RemedyTrial } from '../remedy-trials';
import { resizePool } from '../resized-pool';
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
const LIMITS = ['allowedRegions', 'budget', 'failureDomains', 'deviceQuota', 'moves'] as const satisfies readonly (keyof PolicyLimits)[];

/** Finds the policy rules that deny a tried remedy. */
export type FindBrokenRules = (plan: DeploymentPlan, remedy: Remedy, trial: RemedyTrial) => BrokenRule[];

/**
 * Creates a function that finds the policy rules that deny a remedy, and that do not deny as much without it. It looks
 * only at the clusters of the trial: what is elsewhere is the same. Undefined where no rule can deny one.
 */
export function createBrokenRuleFinder(
  planned: PlannedFleet,
  plans: readonly DeploymentPlan[],
): FindBrokenRules | undefined {
  const { fleet, model, matcher, schedule, cost } = planned;
  const isEmergency = model.clusters.some(isLost);
  const limits = (fleet.policies ?? []).flatMap((policy) =>
    LIMITS.filter((field) => policy.rule[field] && denies({}, { field, rule: policy.rule, isEmergency })).map((field) => ({
      policy,
      field,
    })),
  );
  if (limits.length === 0) return undefined;
  const move = plans.reduce((sum, plan) => sum + countMoves(plan.changes), 0);
  const now = toPolicyInput({ ...planned, placements: schedule.placements, totals: { move }, cost });
  const prices = planned.prices ?? findPoolPrices(fleet);
  return (plan, remedy, trial) => {
    const changed = new Set([plan.deployment, ...movedBy(remedy)]);
    const deployments = fleet.deployments.filter((one) => changed.has(qualifiedNameOf(one)));
    const before = { ...now, fleet: { ...fleet, deployments } };
    const near = toFleetOn(trial.model, { fleet, prices });
    const without = measure({ ...near, model, matcher, placements: trial.before });
    const supposed = suppose(near, remedy);
    const totals = { move: move + countFurtherMoves(plan, remedy, trial, planned) };
    const steps = [...(trial.moving ? [trial.moving] : []), trial.placements].map((placements): PolicyInput => {
      const there = measure({ ...supposed, model: trial.model, matcher, placements });
      return { fleet: { ...supposed.fleet, deployments }, placements, totals, ...shift(now, without, there) };
    });
    return limits.flatMap(({ policy, field }) => {
      const known = checkLimit(field, policy.rule, before);
      const broken = steps
        .flatMap((step) => checkLimit(field, policy.rule, step))
        .filter((one) => denies(one, { field, rule: policy.rule, isEmergency }) && !isKnown(one, known));
      return broken.length === 0 ? [] : [toBrokenRule(policy, broken)];
    });
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
  return remedy.kind === 'move' ? remedy.moves.map(({ deployment }) => deployment) : [];
}

function countMoves(changes: readonly { readonly action: string }[]): number {
  return changes.filter(({ action }) => action === 'move').length;
}

/** The replicas that move only with a remedy: those that it moves, and those that lost their place and get another one. */
function countFurtherMoves(
  { deployment: id, changes }: DeploymentPlan,
  remedy: Remedy,
  trial: RemedyTrial,
  { previous, schedule }: PlannedFleet,
): number {
  const moved = remedy.kind === 'move' ? remedy.moves.length : 0;
  // The replica without a place waits until those that move are finalized, which is another change.
  if (remedy.kind === 'move' && remedy.moves.some(({ surgeFirst }) => surgeFirst)) return moved;
  const [was, is] = [previous.placements, trial.placements].map((all) => groupByDeployment(all).get(id) ?? []);
  const evicted = schedule.evictions.filter(({ placement }) => placement.deployment === id);
  return moved + countMoves(replicaChangesOf(was ?? [], is ?? [], evicted)) - countMoves(changes);
}

interface SupposedFleet {
  readonly fleet: Fleet;
  readonly prices: PoolPrices;
}

/** A fleet with the clusters of a trial alone. */
function toFleetOn({ clusters }: CompiledFleet, { fleet, prices }: SupposedFleet): SupposedFleet {
  const names = new Set(clusters.map(({ name }) => name));
  return { fleet: { ...fleet, clusters: fleet.clusters.filter(({ metadata }) => names.has(metadata.name)) }, prices };
}

/** What a remedy declares, as far as policies count it: nodes with their prices, and the label of a failure domain. */
function suppose({ fleet, prices }: SupposedFleet, remedy: Remedy): SupposedFleet {
  if (remedy.kind === 'nodes') {
    const { cluster, pool, nodes, newPool } = remedy;
    const own = `${pool}-2`;
    const price = newPool ? prices.get(poolKeyOf(cluster, pool)) : undefined;
    const grow = (pools: readonly NodePool[]): NodePool[] =>
      pools.flatMap((one): NodePool[] => {
        if (one.name !== pool) return [one];
        return newPool ? [one, ofFixedSize(one, own, nodes)] : [resizePool(one, nodes)];
      });
    return {
      fleet: changeCluster(fleet, cluster, ({ spec, ...one }) => {
        return { ...one, spec: { ...spec, nodePools: grow(spec.nodePools) } };
      }),
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

type Cluster = Fleet['clusters'][number];

function changeCluster(fleet: Fleet, name: string, change: (cluster: Cluster) => Cluster): Fleet {
  return { ...fleet, clusters: fleet.clusters.map((one) => (one.metadata.name === name ? change(one) : one)) };
}

function ofFixedSize({ minNodeCount: _, maxNodeCount: __, ...pool }: NodePool, name: string, nodeCount: number): NodePool {
  return { ...pool, name, nodeCount };
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
        ...(all.cost.namespaces.find((one) => one.namespace === namespace) ?? { namespace, replicas: ZERO_SUM, storage: ZERO_SUM }),
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
