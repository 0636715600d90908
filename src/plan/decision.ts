import type { Fleet, PreviousRevision } from '../fleet/fleet';
import type { Renderer } from '../render/renderer';
import type { ComputedReplica } from '../replicas/replica';
import type { Routing } from '../routing/routing';
import type { CompiledFleet } from '../scheduler/compiled-fleet';
import type { PodMatcher } from '../scheduler/devices/match-pod';
import type { Lock } from '../scheduler/lock/lock';
import type { Schedule } from '../scheduler/schedule-result';
import type { Plan } from './plan';

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
}
