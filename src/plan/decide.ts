import { type Locate, locateAll } from '../api/kinds';
import { FleetwrightError } from '../base/errors';
import type { Fleet, PreviousRevision } from '../fleet/fleet';
import { createRendererSelector, type Renderer } from '../render/renderer';
import { type ComputedReplica, computeReplicasReusing } from '../replicas/replica';
import { type ResolvedRouting, resolveRouting } from '../routing/resolve-routing';
import type { Routing } from '../routing/routing';
import type { RoutedReplica } from '../routing/selectables';
import type { CompiledFleet } from '../scheduler/compiled-fleet';
import { PodMatcher } from '../scheduler/devices/match-pod';
import { isSameLock, type Lock } from '../scheduler/lock/lock';
import { computeNextLock } from '../scheduler/lock/next-lock';
import { reusePlacements } from '../scheduler/placement-order';
import { mergeRevisions } from '../scheduler/previous-revision';
import { schedule } from '../scheduler/schedule';
import type { Schedule } from '../scheduler/schedule-result';
import { refuseDuplicatePorts } from './checks/container-ports';
import { refusePausedChanges } from './checks/paused-changes';
import { compileFleet } from './compile-fleet';
import { countTotals, fleetSizeOf, planDeployments, toPlacedReplicas } from './deployment-plans';
import { findDrains } from './drains';
import { collectFleetNotes, describeDnsRecords } from './notes';
import type { Plan } from './plan';
import { computePlanCost, findOldestPrice } from './plan-cost';
import { checkPolicies } from './policy/check-policies';
import { createUsageLookup } from './replica-usage';
import { findRequiredObjects } from './required-objects';
import { collectWarnings } from './warnings/collect-warnings';

/** Where every replica goes, and what that makes of the lock. */
export interface PlacedFleet {
  readonly fleet: Fleet;
  readonly model: CompiledFleet;
  readonly matcher: PodMatcher;
  readonly schedule: Schedule;
  /** What lands on the clusters. */
  readonly replicas: readonly ComputedReplica[];
  /** How requests reach them. */
  readonly routing: Routing;
  /** What renders them, beside ours. */
  readonly renderers: readonly Renderer[];
  /** The lock given, with all that is known of earlier engines. */
  readonly previous: Lock;
  /** The lock that accepting the plan would write, without accepting a new shortfall. */
  readonly lock: Lock;
  /** Whether the lock given does not say what would be scheduled now. */
  readonly stale: boolean;
}

/** Everything that follows from a fleet and its lock. */
export interface Decision extends PlacedFleet {
  readonly plan: Plan;
}

/** What is known before anything is decided. */
export interface DecideOptions extends Pick<Plan, 'notes' | 'warnings'> {
  /** Asked before ours, in this order. Default: none. */
  readonly renderers?: readonly Renderer[];

  /** What is known of earlier engines besides what the lock says. */
  readonly former?: readonly PreviousRevision[];

  /**
   * Another state of the fleet, decided already: what both have in common is taken from it instead of being found
   * again. It changes nothing of what is decided. Default: none.
   */
  readonly beside?: PlacedFleet;
}

const NO_OPTIONS: DecideOptions = { notes: [], warnings: [] };

/**
 * Decides where every replica goes, without telling anybody why.
 *
 * @param lock what was decided before
 * @throws FleetwrightError with every problem of the declarations
 */
export function placeFleet(
  declared: Fleet,
  locate: Locate,
  lock: Lock,
  remarks: DecideOptions = NO_OPTIONS,
): PlacedFleet {
  return placeAndRoute(declared, locate, lock, remarks).placed;
}

interface PlacedAndRouted {
  readonly placed: PlacedFleet;
  readonly routes: ResolvedRouting;
}

function placeAndRoute(
  declared: Fleet,
  locate: Locate,
  given: Lock,
  remarks: DecideOptions,
): PlacedAndRouted {
  const { renderers = [], former = [], beside } = remarks;
  const lock = beside ? reuseLines(beside.previous, given) : given;
  const previous = { ...lock, shapes: mergeRevisions(former, lock.shapes) };
  const fleet = { ...declared, former: previous.shapes };
  const model = compileFleet(fleet, locate, beside);
  const matcher = beside?.matcher ?? new PodMatcher();
  const result = schedule(model, lock.placements, matcher);
  refuseDuplicatePorts(fleet, locate);
  refusePausedChanges(fleet, model, result, locate);
  const replicas = computeReplicasReusing({ fleet, model, matcher }, result.placements, beside);
  const routes = resolveRoutingOrThrow(fleet, replicas, locate);
  const { routing } = routes;
  const next = computeNextLock(model, result, previous);
  const locked = { previous, lock: next, stale: !isSameLock(next, lock) };
  return {
    placed: { fleet, model, matcher, schedule: result, replicas, routing, renderers, ...locked },
    routes,
  };
}

/** A lock, of which lines that say the same as those of another are these. */
function reuseLines({ placements }: Lock, lock: Lock): Lock {
  return { ...lock, placements: reusePlacements(lock.placements, placements) };
}

/**
 * Decides where every replica goes, and what that changes.
 *
 * @param lock what was decided before
 * @param remarks what the reader of the plan should know besides, such as documents that were left alone
 * @throws FleetwrightError with every problem of the declarations, or when a renderer cannot be used
 */
export function decide(
  declared: Fleet,
  locate: Locate,
  lock: Lock,
  remarks: DecideOptions = NO_OPTIONS,
): Decision {
  const rendererFor = createRendererSelector(remarks.renderers ?? []);
  const { placed, routes } = placeAndRoute(declared, locate, lock, remarks);
  const { fleet, model, matcher, schedule: result, replicas } = placed;
  const own = toPlacedReplicas(result, (_, i) => replicas[i]?.wave, createUsageLookup(model, matcher));
  const deployments = planDeployments(model, own, lock, result);
  const told = collectWarnings(fleet, model, { matcher, routes, remarks, ...result }, locate);
  const totals = countTotals(deployments);
  const cost = computePlanCost(fleet, own, replicas);
  const plan = {
    fleet: fleetSizeOf(model),
    deployments,
    drains: findDrains(model, result),
    totals,
    services: routes.routing.services,
    cost,
    policies: checkPolicies({ fleet, model, matcher, totals, cost, placements: result.placements }, locate),
    ...findOldestPrice(fleet),
    warnings: told.warnings,
    notes: [
      ...told.notes,
      ...routes.notes,
      ...collectFleetNotes(fleet, replicas, rendererFor, locate),
      ...describeDnsRecords(routes.routing),
    ],
    mustExist: findRequiredObjects(fleet, { replicas, routing: routes.routing }, rendererFor),
  };
  return { ...placed, plan };
}

/**
 * How requests reach what is placed.
 *
 * @throws FleetwrightError with everything that is wrong with routes
 */
export function resolveRoutingOrThrow(
  fleet: Fleet,
  replicas: readonly RoutedReplica[],
  locate: Locate,
): ResolvedRouting {
  const resolved = resolveRouting(fleet, replicas);
  const problems = locateAll(resolved.problems, locate);
  if (problems.length > 0) throw new FleetwrightError(problems);
  return resolved;
}
