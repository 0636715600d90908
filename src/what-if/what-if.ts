import type { Cost, PriceSource, Range } from '../cost/cost';
import { costDelta } from '../cost/delta';
import { withSameSources } from '../cost/same-sources';
import { totalsOf, changesOf } from '../plan/build';
import { isChanged } from '../plan/changed-deployments';
import type { Decision } from '../plan/decide';
import { drainsOf } from '../plan/drains';
import type { DeploymentPlan, Drain, Totals } from '../plan/plan';
import { costWith } from '../plan/plan-cost';
import { placedReplicas } from '../plan/placed-replicas';
import { usages } from '../plan/usages';
import { wavesOf } from '../scheduler/waves';
import type { Lock } from '../scheduler/lock';
import type { Matcher } from '../scheduler/matcher';
import { schedule } from '../scheduler/schedule';
import type { Placement, Schedule } from '../scheduler/types';
import { applyScenario } from './apply';
import type { Scenario, Step } from './scenario';
import { type World, worldOf } from './world';

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
    readonly before: Range;
    readonly after: Range;
    readonly delta: Range;

    /** Whose prices are in the figures, which name them by their places here. */
    readonly sources: readonly PriceSource[];
  };
}

/** What each of some scenarios changes. All start from what is decided, not from one another. */
export function whatIf(decision: Decision, scenarios: readonly Scenario[]): Outcome[] {
  const { matcher, schedule, previous } = decision;
  const world = worldOf(decision);
  const before = { world, schedule, cost: costIn(world, schedule, matcher) };
  const lock = {
    placements: schedule.placements,
    unplaced: new Map(schedule.shortfalls.map(({ deployment, missing }) => [deployment, missing])),
    shapes: previous.shapes,
  };
  return scenarios.map((scenario) => outcomeOf(scenario, before, lock, matcher));
}

interface Before {
  readonly world: World;
  readonly schedule: Schedule;
  readonly cost: Cost;
}

function outcomeOf(scenario: Scenario, before: Before, lock: Lock, matcher: Matcher): Outcome {
  const world = applyScenario(before.world, scenario);
  const after = schedule(world.model, lock.placements, matcher);
  const waves = wavesOf(after.placements, world.model.workloads);
  const placed = placedReplicas(after, (placement) => waves.get(placement), usages(world.model, matcher));
  const deployments = changesOf(world.model, placed, lock, after);
  const left = new Set(lock.placements.filter(({ leaving }) => leaving).map(identity));
  const [was, is] = withSameSources(before.cost, costIn(world, after, matcher));
  const drained = new Set(drainsOf(before.world.model, before.schedule).map(({ cluster }) => cluster));
  return {
    scenario: scenario.name,
    steps: scenario.steps,
    deployments: deployments.map((one) => changed(one, lock, left)).filter(isChanged),
    totals: totalsOf(deployments),
    drains: drainsOf(world.model, after).filter(({ cluster }) => !drained.has(cluster)),
    cost: {
      currency: is.currency,
      before: was.total,
      after: is.total,
      delta: costDelta(was, is),
      sources: is.sources,
    },
  };
}

/** What happens to a deployment without what stays as it was: also its shortfall, where nothing of it changes. */
function changed(plan: DeploymentPlan, { unplaced }: Lock, left: ReadonlySet<string>): DeploymentPlan {
  const { shortfall, staying: _, ...rest } = plan;
  const changes = plan.changes.filter(
    (change) => change.action !== 'leaving' || !left.has(identity(change.replica.placement)),
  );
  const told = changes.length > 0 || (shortfall?.missing ?? 0) > (unplaced.get(plan.deployment) ?? 0);
  return { ...rest, changes, ...(told && shortfall && { shortfall }) };
}

function identity({ deployment, cluster, index }: Placement): string {
  return `${deployment} ${cluster}/${index}`;
}

function costIn({ fleet, model, prices }: World, { placements }: Schedule, matcher: Matcher) {
  return costWith(fleet, placements, usages(model, matcher), prices);
}
