import { computeCostDelta } from '../../cost/compare-costs';
import type { Cost, CostRange, PriceSource } from '../../cost/cost';
import { alignSources } from '../../cost/price-sources';
import type { Decision } from '../../plan/decision';
import {
  countTotals,
  isChangedDeployment,
  planDeployments,
  toPlacedReplicas,
} from '../../plan/deployment-plans';
import { findDrains } from '../../plan/drains';
import type { DeploymentPlan, Drain, Totals } from '../../plan/plan';
import { computeCostOfPlacements } from '../../plan/plan-cost';
import { createUsageLookup } from '../../plan/replica-usage';
import type { PodMatcher } from '../../scheduler/devices/match-pod';
import type { Lock } from '../../scheduler/lock/lock';
import { placementKeyOf } from '../../scheduler/placement';
import { wavesOf } from '../../scheduler/rollout-waves';
import { schedule } from '../../scheduler/schedule';
import type { Schedule } from '../../scheduler/schedule-result';
import { applyScenario, type SimulatedFleet, toSimulatedFleet } from './apply-scenario';
import type { Scenario, Step } from './scenario';

/** What a scenario changes, against the fleet as it would be decided now. */
export interface Outcome {
  readonly scenario: string;
  readonly steps: readonly Step[];

  /** Deployments of which a replica changes or has no place any more, without the replicas that stay. By id. */
  readonly deployments: readonly DeploymentPlan[];

  /** Of all deployments. `accepted` are replicas that had no place before. */
  readonly totals: Totals;

  /** Clusters that replicas have to leave and did not before, and whether each can finish. By name. */
  readonly drains: readonly Drain[];

  /** What the fleet costs before and after, and how much more that is. */
  readonly cost: {
    readonly currency: string;
    readonly before: CostRange;
    readonly after: CostRange;
    readonly delta: CostRange;

    /** Whose prices are in the figures, which name them by their places here. */
    readonly sources: readonly PriceSource[];
  };
}

/** What each of some scenarios changes. All start from what is decided, not from one another. */
export function whatIf(decision: Decision, scenarios: readonly Scenario[]): Outcome[] {
  const { matcher, schedule, previous } = decision;
  const world = toSimulatedFleet(decision);
  const before = { world, schedule, cost: computeCost(world, schedule, matcher) };
  const lock = {
    placements: schedule.placements,
    unplaced: new Map(schedule.shortfalls.map(({ deployment, missing }) => [deployment, missing])),
    shapes: previous.shapes,
  };
  return scenarios.map((scenario) => outcomeOf(scenario, before, lock, matcher));
}

interface DecidedBefore {
  readonly world: SimulatedFleet;
  readonly schedule: Schedule;
  readonly cost: Cost;
}

function outcomeOf(scenario: Scenario, before: DecidedBefore, lock: Lock, matcher: PodMatcher): Outcome {
  const world = applyScenario(before.world, scenario);
  const after = schedule(world.model, lock.placements, matcher);
  const waves = wavesOf(after.placements, world.model.deployments);
  const placed = toPlacedReplicas(
    after,
    (placement) => waves.get(placement),
    createUsageLookup(world.model, matcher),
  );
  const deployments = planDeployments(world.model, placed, lock, after);
  const left = new Set(lock.placements.filter(({ leaving }) => leaving).map(placementKeyOf));
  const [was, is] = alignSources(before.cost, computeCost(world, after, matcher));
  const drained = new Set(findDrains(before.world.model, before.schedule).map(({ cluster }) => cluster));
  return {
    scenario: scenario.name,
    steps: scenario.steps,
    deployments: deployments.map((one) => withoutUnchanged(one, lock, left)).filter(isChangedDeployment),
    totals: countTotals(deployments),
    drains: findDrains(world.model, after).filter(({ cluster }) => !drained.has(cluster)),
    cost: {
      currency: is.currency,
      before: was.total,
      after: is.total,
      delta: computeCostDelta(was, is),
      sources: is.sources,
    },
  };
}

/** What happens to a deployment without what stays as it was: also its shortfall, where nothing of it changes. */
function withoutUnchanged(
  plan: DeploymentPlan,
  { unplaced }: Lock,
  left: ReadonlySet<string>,
): DeploymentPlan {
  const { shortfall, staying: _, ...rest } = plan;
  const changes = plan.changes.filter(
    (change) => change.action !== 'leaving' || !left.has(placementKeyOf(change.replica.placement)),
  );
  const told = changes.length > 0 || (shortfall?.missing ?? 0) > (unplaced.get(plan.deployment) ?? 0);
  return { ...rest, changes, ...(told && shortfall && { shortfall }) };
}

function computeCost(
  { fleet, model, prices }: SimulatedFleet,
  { placements }: Schedule,
  matcher: PodMatcher,
) {
  return computeCostOfPlacements(fleet, placements, createUsageLookup(model, matcher), prices);
}
