import type { CompiledFleet } from '../scheduler/compiled-fleet';
import type { PodMatcher } from '../scheduler/devices/match-pod';
import { groupByDeployment, type Placement, placementKeyOf } from '../scheduler/placement';
import { type MoveRemedy, onlyMovedBy, type Remedy } from '../scheduler/remedy';
import { schedule, scheduleState } from '../scheduler/schedule';
import type { DeploymentPlan } from './plan';
import { isEvicted } from './replica-moves';

interface PlacedFleet {
  readonly model: CompiledFleet;
  readonly matcher: PodMatcher;

  /** The lock. */
  readonly previous: { readonly placements: readonly Placement[] };
}

/**
 * Drops moves that come before a change, and with which replicas have no place once the change is declared again. All
 * steps are tried: the command of the moves, the change undone, and the change declared again.
 */
export function dropFailingMoves(plans: readonly DeploymentPlan[], placed: PlacedFleet): DeploymentPlan[] {
  const lost = listLost(plans, placed.previous.placements);
  return plans.map((plan) => {
    const { shortfall } = plan;
    if (!shortfall?.remedies.some(isBefore)) return plan;
    const remedies = shortfall.remedies.filter((one) => !isBefore(one) || endsWell(one, { plans, lost }, placed));
    return { ...plan, shortfall: { ...shortfall, remedies } };
  });
}

type MoveBefore = MoveRemedy & Required<Pick<MoveRemedy, 'before'>>;

function isBefore(remedy: Remedy): remedy is Remedy & MoveBefore {
  return remedy.kind === 'move' && remedy.before !== undefined;
}

/** The replicas of the lock that lose their places by the change. */
function listLost(plans: readonly DeploymentPlan[], previous: readonly Placement[]): Placement[] {
  const lost = new Set(
    plans.flatMap(({ changes }) =>
      changes.flatMap((one) => (one.action === 'remove' && isEvicted(one) ? [placementKeyOf(one.from)] : [])),
    ),
  );
  return previous.filter((one) => lost.has(placementKeyOf(one)));
}

interface PlannedChange {
  readonly plans: readonly DeploymentPlan[];
  readonly lost: readonly Placement[];
}

/** Whether fewer replicas have no place in the end, and of no deployment more. */
function endsWell(
  remedy: MoveBefore,
  { plans, lost }: PlannedChange,
  { model, matcher, previous }: PlacedFleet,
): boolean {
  const scope = new Set([...remedy.moves.map(({ deployment }) => deployment), remedy.before]);
  const deployments = model.deployments.map((one) => (scope.has(one.id) ? one : { ...one, paused: true }));
  const only = onlyMovedBy(remedy);
  const moved = schedule({ ...model, deployments }, previous.placements, matcher, only === undefined ? {} : { only });
  const serving = moved.placements.filter(({ draining }) => !draining);
  const state = scheduleState(model, [...serving, ...putBack(lost, serving)], matcher);
  const before = new Map(plans.map(({ deployment, shortfall }) => [deployment, shortfall?.missing ?? 0]));
  const gains = model.deployments.map((one) => (before.get(one.id) ?? 0) - state.missing(one));
  return gains.every((gain) => gain >= 0) && gains.some((gain) => gain > 0);
}

/** Replicas where they were before a change, which is undone: those that have another place by then stay there. */
function putBack(lost: readonly Placement[], serving: readonly Placement[]): Placement[] {
  const own = groupByDeployment(serving);
  return lost.flatMap((one) => {
    const taken = (own.get(one.deployment) ?? []).filter(({ cluster }) => cluster === one.cluster);
    const indexes = new Set(taken.map(({ index }) => index));
    return indexes.has(one.index) ? [] : [one];
  });
}
