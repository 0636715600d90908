import { compareText } from '../base/order';
import type { CompiledFleet } from './compiled-fleet';
import { PodMatcher } from './devices/match-pod';
import { placeMissingReplicas } from './place-replicas';
import { countPreemptable, preempt } from './preemption';
import { RejectionFinder } from './rejections';
import { retainPlacements } from './retain-placements';
import type { Schedule, Shortfall } from './schedule-result';
import type { Placement } from './placement';
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
 */
export function schedule(
  model: CompiledFleet,
  previous: readonly Placement[] = [],
  matcher = new PodMatcher(),
): Schedule {
  const state = scheduleState(model, previous, matcher);
  return { placements: state.placements(), evictions: state.evictions(), shortfalls: listShortfalls(state) };
}

/** Schedules like `schedule`, without the reasons for shortfalls, which take longer to find than a place. */
export function scheduleState(
  model: CompiledFleet,
  previous: readonly Placement[],
  matcher: PodMatcher,
): SchedulingState {
  const state = new SchedulingState(model, matcher);
  retainPlacements(state, previous);
  closePools(state);
  placeAll(state);
  return state;
}

/** Charges every node of a closed pool, so that nothing more fits there. */
function closePools({ model, ledger }: SchedulingState): void {
  const closed = model.clusters.flatMap(({ pools }) => pools.filter((pool) => pool.closed));
  ledger.add(closed.map((pool) => ({ pool, footprint: 'node', pods: pool.nodes })));
}

/** Fills every deployment in turn, again from the first after a preemption, because all may use the room it leaves. */
function placeAll(state: SchedulingState): void {
  const pending = state.model.deployments.filter((deployment) => state.missing(deployment) > 0);
  const preemptable = new Map(pending.map((deployment) => [deployment, countPreemptable(state, deployment)]));
  for (let i = 0; i < pending.length; i++) {
    const deployment = pending[i];
    if (!deployment) return;
    placeMissingReplicas(state, deployment);
    const limit = preemptable.get(deployment) ?? 0;
    const preempted = preempt(state, deployment, limit);
    preemptable.set(deployment, limit - preempted);
    if (preempted > 0) i = -1;
  }
}

function listShortfalls(state: SchedulingState): Shortfall[] {
  const rejections = new RejectionFinder(state);
  return state.model.deployments
    .filter((deployment) => state.missing(deployment) > 0)
    .map((deployment) => ({
      deployment: deployment.id,
      missing: state.missing(deployment),
      ...rejections.of(deployment),
    }))
    .sort((a, b) => compareText(a.deployment, b.deployment));
}
