import { compareText } from '../base/order';
import type { CompiledFleet, Pool, ReplicaDemand } from './compiled-fleet';
import { PodMatcher } from './devices/match-pod';
import { dropReplacedLost } from './drop-lost';
import { findFreeingRemedies } from './declaring-remedies';
import { listAssignments } from './fit-replica';
import { JointPlacement } from './joint/place-jointly';
import { Rebalancer } from './joint/rebalance';
import { MOST_STEPS, StepBudget } from './joint/step-budget';
import { dropFinalized } from './lock/drop-finalized';
import { placeMissingReplicas } from './place-replicas';
import { type Placement, placementKeyOf } from './placement';
import { countPreemptable, preempt } from './preemption';
import { RejectionFinder } from './rejections';
import type { Remedy } from './remedy';
import { type RetainedLock, retainLock } from './retained-lock';
import { retainPlacements } from './retain-placements';
import type { Schedule, Shortfall } from './schedule-result';
import { SchedulingState } from './scheduling-state';

/**
 * Chooses a cluster, and a pool for each engine, for every replica of the fleet.
 *
 * The function is pure, and its result does not depend on the order of its inputs. A replica that was placed before
 * keeps its place while the place is valid, so that growing a fleet moves nothing and scheduling a schedule again
 * changes nothing. When the engines of a deployment change shape, the replacement is placed in addition to the old
 * replica if both have room, else instead of it. A replica that fits nowhere is a result with reasons, never an
 * exception.
 *
 * @param previous the placements of the lock; none for a first plan
 * @param matcher caches how pods fit on nodes; share one to schedule again at no cost
 * @param rebalance which replicas of the lock may move for replicas without a place. Default: none
 */
export function schedule(
  model: CompiledFleet,
  previous: readonly Placement[] = [],
  matcher = new PodMatcher(),
  rebalance?: RebalanceOptions,
): Schedule {
  const state = scheduleState(model, previous, matcher);
  if (rebalance && hasShortfall(state) && !awaitDraining(state, previous)) {
    new Rebalancer(state, previous, rebalance.only).apply();
  }
  const shortfalls = listShortfalls(state, previous, rebalance);
  const origins = [...state.origins].filter(([replica]) => state.isPlaced(replica));
  return {
    placements: state.placements(),
    evictions: state.evictions(),
    shortfalls,
    ...(origins.length > 0 && {
      origins: new Map(origins.map(([{ placement }, origin]) => [placementKeyOf(placement), origin])),
    }),
    ...(state.withoutSurge.length > 0 && { withoutSurge: state.withoutSurge }),
    ...(state.filledInOrder.size > 0 && { filledInOrder: state.filledInOrder }),
  };
}

/** What `fleetwright lock --rebalance` may move. */
export interface RebalanceOptions {
  /**
   * The deployment whose replicas may move.
   *
   * @default every deployment
   */
  readonly only?: string;
}

function hasShortfall(state: SchedulingState): boolean {
  return state.unsettled().some((deployment) => state.missing(deployment) > 0);
}

/**
 * Finds the missing replicas that get a place when the draining ones are gone, and whether there are any. Nothing moves
 * before: it could take the room that is left then.
 */
function awaitDraining(state: SchedulingState, previous: readonly Placement[]): boolean {
  const missing = new Map(state.model.deployments.map((one) => [one.id, state.missing(one)]));
  const waiting = countWaiting(state, { placements: state.placements(), missing }, previous);
  for (const deployment of state.unsettled()) {
    const gained = waiting.get(deployment.id) ?? 0;
    if (gained > 0) state.awaits(deployment, gained);
  }
  return state.waiting.size > 0;
}

/** What has a place, and how many replicas each deployment lacks. */
interface ScheduledReplicas {
  readonly placements: readonly Placement[];
  readonly missing: ReadonlyMap<string, number>;
}

/** How many missing replicas of each deployment get a place when those are gone that are draining in the lock. */
export function countWaiting(
  { model, matcher }: { readonly model: CompiledFleet; readonly matcher: PodMatcher },
  { placements, missing }: ScheduledReplicas,
  previous: readonly Placement[],
): ReadonlyMap<string, number> {
  const left = dropFinalized(placements, missing, previous);
  if (left.length === placements.length) return new Map();
  const finalized = scheduleState(model, left, matcher);
  return new Map(model.deployments.map((one) => [one.id, (missing.get(one.id) ?? 0) - finalized.missing(one)]));
}

/**
 * Schedules like `schedule`, without the reasons for shortfalls, which take longer to find than a place.
 *
 * @param known what stays of `previous` for a fleet of the same deployments. Only what is on other clusters is decided
 *   again. Default: nothing
 */
export function scheduleState(
  model: CompiledFleet,
  previous: readonly Placement[],
  matcher: PodMatcher,
  known?: RetainedLock,
): SchedulingState {
  const retained = retainLock(model, previous, matcher, known);
  const state = fill(new SchedulingState(model, matcher), previous, retained);
  if (state.limited.size === 0) return state;
  // Even spreading leaves the least room for large replicas. Where no search makes up for that, filling may.
  const packed = fill(new SchedulingState(model, matcher, findCompetitors(state)), previous, retained);
  return placesMore(packed, state) ? packed : state;
}

function fill(state: SchedulingState, previous: readonly Placement[], retained: RetainedLock): SchedulingState {
  retainPlacements(state, previous, retained);
  closePools(state);
  placeAll(state);
  dropReplacedLost(state);
  return state;
}

/** The demands that suit a pool of a deployment for which a search ended at its limit. */
function findCompetitors({ model, limited, feasible, matcher }: SchedulingState): Set<ReplicaDemand> {
  const poolsOf = (demand: ReplicaDemand): Pool[] =>
    feasible
      .all({ demand })
      .flatMap((cluster) => listAssignments(demand, cluster, matcher).flatMap(({ pools }) => pools));
  const contested = new Set([...new Set([...limited].map(({ demand }) => demand))].flatMap(poolsOf));
  const demands = [...new Set(model.deployments.map(({ demand }) => demand))];
  return new Set(demands.filter((demand) => poolsOf(demand).some((pool) => contested.has(pool))));
}

/** Whether a state has more replicas than another of the highest priority for which they differ. */
function placesMore(state: SchedulingState, other: SchedulingState): boolean {
  const gains = new Map<number, number>();
  for (const deployment of state.model.deployments) {
    const gain = other.missing(deployment) - state.missing(deployment);
    gains.set(deployment.priority, (gains.get(deployment.priority) ?? 0) + gain);
  }
  return ([...gains.values()].find((gain) => gain !== 0) ?? 0) > 0;
}

/** Charges every node of a closed pool, so that nothing more fits there. */
function closePools({ model, ledger }: SchedulingState): void {
  const closed = model.clusters.flatMap(({ pools }) => pools.filter((pool) => pool.closed));
  ledger.add(closed.map((pool) => ({ pool, footprint: 'node', pods: pool.nodes })));
}

/**
 * Fills the deployments in order. What finds no place gets one, if possible, by another place for replicas that were
 * placed before it in this run, then by preemption. The first deployment comes again after a preemption, and after
 * replicas changed places, because all may use the room that is left.
 */
function placeAll(state: SchedulingState): void {
  const pending = state.unsettled().filter((deployment) => state.missing(deployment) > 0);
  const preemptable = new Map(pending.map((deployment) => [deployment, countPreemptable(state, deployment)]));
  const joint = new JointPlacement(state, new StepBudget(MOST_STEPS));
  let relocated = false;
  for (let i = 0; i < pending.length; i++) {
    const deployment = pending[i];
    if (!deployment) break;
    placeMissingReplicas(state, deployment);
    relocated = joint.place(deployment) || relocated;
    const limit = preemptable.get(deployment) ?? 0;
    const preempted = preempt(state, deployment, limit);
    preemptable.set(deployment, limit - preempted);
    if (preempted > 0) joint.forget();
    const again = preempted > 0 || (relocated && i === pending.length - 1);
    if (again) [i, relocated] = [-1, false];
  }
  joint.forgetProved();
}

/** @param moved which replicas were tried to move. Default: none */
function listShortfalls(state: SchedulingState, previous: readonly Placement[], moved?: RebalanceOptions): Shortfall[] {
  if (!hasShortfall(state)) return [];
  const cutAlone = new Set(state.limitedMoves);
  const rejections = new RejectionFinder(state);
  const known = new Set(previous.map(placementKeyOf));
  const freeing = findFreeingRemedies(
    state,
    (placement) => !known.has(placementKeyOf(placement)),
    (clusters) => scheduleState({ ...state.model, clusters }, previous, state.matcher),
  );
  const rebalancer = new Rebalancer(state, previous);
  const unreached = new Map(state.model.deployments.map(({ id, avoids }) => [id, avoids]));
  return state.model.deployments
    .filter((deployment) => state.missing(deployment) > 0)
    .map((deployment) => {
      const { rejections: against, remedies, alternatives } = rejections.of(deployment);
      const waiting = state.waiting.get(deployment.id);
      const freed = freeing.get(deployment.id);
      const move = waiting === undefined ? rebalancer.remedyFor(deployment) : undefined;
      const missing = state.missing(deployment);
      const addGateway = (remedy: Remedy): Remedy => markUnreached(remedy, deployment.id, unreached);
      const limitedMoves = state.limitedMoves.has(deployment) && rebalancer.mostReplicas(deployment) >= missing;
      return {
        deployment: deployment.id,
        missing,
        ...(state.limited.has(deployment) && { limited: true as const }),
        ...(limitedMoves && { limitedMoves: true as const }),
        ...(moved && { moved: describeTried(moved, cutAlone.has(deployment)) }),
        ...(waiting !== undefined && { waiting }),
        rejections: against,
        remedies: [...(move ? [move] : []), ...(freed ? [...remedies, freed] : remedies)].map(addGateway),
        ...(alternatives.length > 0 && { alternatives: alternatives.map(addGateway) }),
      };
    })
    .sort((a, b) => compareText(a.deployment, b.deployment));
}

function describeTried({ only }: RebalanceOptions, isLimited: boolean): NonNullable<Shortfall['moved']> {
  return { ...(only !== undefined && { deployment: only }), ...(isLimited && { limited: true as const }) };
}

/** Marks a remedy that places a replica on a cluster that no ingress gateway reaches. */
function markUnreached(
  remedy: Remedy,
  deployment: string,
  unreached: ReadonlyMap<string, ReadonlySet<string> | undefined>,
): Remedy {
  if (remedy.kind === 'move' || remedy.kind === 'finalize') return remedy;
  const placed = (remedy.kind === 'declare' && remedy.frees) || deployment;
  return unreached.get(placed)?.has(remedy.cluster) ? { ...remedy, gateway: true } : remedy;
}
