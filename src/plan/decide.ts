import type { Locate } from '../api/locate';
import type { Fleet, FormerShape } from '../fleet';
import type { Renderer } from '../render/renderer';
import { rendererAmong } from '../render/renderers';
import { computeBeside, type ComputedReplica } from '../render/replica';
import type { Resolved } from '../routing/resolve';
import type { Routing } from '../routing/routing';
import { compile } from '../scheduler/compile';
import { joinShapes } from '../scheduler/former-shape';
import { sharedLines } from '../scheduler/lines';
import { type Lock, sameLock } from '../scheduler/lock';
import { Matcher } from '../scheduler/matcher';
import type { Model } from '../scheduler/model';
import { nextLock } from '../scheduler/next-lock';
import { schedule } from '../scheduler/schedule';
import type { Schedule } from '../scheduler/types';
import { changesOf, sizeOf, totalsOf } from './build';
import { clusterNeeds } from './cluster-needs';
import { drainsOf } from './drains';
import { fleetNotes } from './fleet-notes';
import type { Plan } from './plan';
import { placedReplicas } from './placed-replicas';
import { planCost } from './plan-cost';
import { policiesOf } from './policies-of';
import { pricesOf } from './price-date';
import { recordNotes } from './record-notes';
import { refuseSharedPorts } from './shared-ports';
import { soundRouting } from './sound-routing';
import { refuseThawing } from './thawing';
import { usages } from './usages';
import { warningsOf } from './warnings';

/** Where every replica goes, and what that makes of the lock. */
export interface Placed {
  readonly fleet: Fleet;
  readonly model: Model;
  readonly matcher: Matcher;
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
export interface Decision extends Placed {
  readonly plan: Plan;
}

/** What is known before anything is decided. */
export interface Remarks extends Pick<Plan, 'notes' | 'warnings'> {
  /** Asked before ours, in this order. Default: none. */
  readonly renderers?: readonly Renderer[];

  /** What is known of earlier engines besides what the lock says. */
  readonly former?: readonly FormerShape[];

  /**
   * Another state of the fleet, decided already: what both have in common is taken from it instead of being found
   * again. It changes nothing of what is decided. Default: none.
   */
  readonly beside?: Placed;
}

const NONE: Remarks = { notes: [], warnings: [] };

/**
 * Decides where every replica goes, without telling anybody why.
 *
 * @param lock what was decided before
 * @throws FleetwrightError with every problem of the declarations
 */
export function placeFleet(declared: Fleet, locate: Locate, lock: Lock, remarks: Remarks = NONE): Placed {
  return place(declared, locate, lock, remarks).placed;
}

interface PlacedAndRouted {
  readonly placed: Placed;
  readonly routes: Resolved;
}

function place(declared: Fleet, locate: Locate, given: Lock, remarks: Remarks): PlacedAndRouted {
  const { renderers = [], former = [], beside } = remarks;
  const lock = beside ? withLinesOf(beside.previous, given) : given;
  const previous = { ...lock, shapes: joinShapes(former, lock.shapes) };
  const fleet = { ...declared, former: previous.shapes };
  const model = compile(fleet, locate, beside);
  const matcher = beside?.matcher ?? new Matcher();
  const result = schedule(model, lock.placements, matcher);
  refuseSharedPorts(fleet, locate);
  refuseThawing(fleet, model, result, locate);
  const replicas = computeBeside({ fleet, model, matcher }, result.placements, beside);
  const routes = soundRouting(fleet, replicas, locate);
  const { routing } = routes;
  const next = nextLock(model, result, previous);
  const locked = { previous, lock: next, stale: !sameLock(next, lock) };
  return {
    placed: { fleet, model, matcher, schedule: result, replicas, routing, renderers, ...locked },
    routes,
  };
}

/** A lock, of which lines that say the same as those of another are these. */
function withLinesOf({ placements }: Lock, lock: Lock): Lock {
  return { ...lock, placements: sharedLines(lock.placements, placements) };
}

/**
 * Decides where every replica goes, and what that changes.
 *
 * @param lock what was decided before
 * @param remarks what the reader of the plan should know besides, such as documents that were left alone
 * @throws FleetwrightError with every problem of the declarations, or when a renderer cannot be used
 */
export function decide(declared: Fleet, locate: Locate, lock: Lock, remarks: Remarks = NONE): Decision {
  const rendererFor = rendererAmong(remarks.renderers ?? []);
  const { placed, routes } = place(declared, locate, lock, remarks);
  const { fleet, model, matcher, schedule: result, replicas } = placed;
  const own = placedReplicas(result, (_, i) => replicas[i]?.wave, usages(model, matcher));
  const deployments = changesOf(model, own, lock, result);
  const told = warningsOf(fleet, model, { matcher, routes, remarks, ...result }, locate);
  const totals = totalsOf(deployments);
  const cost = planCost(fleet, own, replicas);
  const plan = {
    fleet: sizeOf(model),
    deployments,
    drains: drainsOf(model, result),
    totals,
    services: routes.routing.services,
    cost,
    policies: policiesOf({ fleet, model, matcher, totals, cost, placements: result.placements }, locate),
    ...pricesOf(fleet),
    warnings: told.warnings,
    notes: [
      ...told.notes,
      ...routes.notes,
      ...fleetNotes(fleet, replicas, rendererFor, locate),
      ...recordNotes(routes.routing),
    ],
    mustExist: clusterNeeds(fleet, { replicas, routing: routes.routing }, rendererFor),
  };
  return { ...placed, plan };
}
