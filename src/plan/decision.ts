import type { ModelDeployment } from '../api/model-deployment';
import type { Fleet, PreviousRevision } from '../fleet/fleet';
import type { Renderer } from '../render/renderer';
import type { ComputedReplica } from '../replicas/replica';
import type { Routing } from '../routing/routing';
import type { CompiledFleet } from '../scheduler/compiled-fleet';
import type { PodMatcher } from '../scheduler/devices/match-pod';
import type { Lock } from '../scheduler/lock/lock';
import type { RebalanceOptions } from '../scheduler/schedule';
import type { Schedule } from '../scheduler/schedule-result';
import type { HeldDeployments } from './held-deployments';
import type { Plan } from './plan';

/** The placement of every replica, and the lock that follows from it. */
export interface PlacedFleet {
  readonly fleet: Fleet;
  /** @internal */
  readonly model: CompiledFleet;
  /** @internal */
  readonly matcher: PodMatcher;
  readonly schedule: Schedule;
  /** The replicas on the clusters. */
  readonly replicas: readonly ComputedReplica[];
  /** How requests reach the replicas. */
  readonly routing: Routing;
  /** Renderers in addition to the built-in one. */
  readonly renderers: readonly Renderer[];
  /** The deployments whose replicas stay as the lock has them, whatever is declared. @internal */
  readonly held: HeldDeployments;
  /** The given lock, as it was read. @internal */
  readonly given: Lock;
  /** The given lock, with all known earlier engine revisions. @internal */
  readonly previous: Lock;
  /** The lock that accepting the plan would write, without accepting a new shortfall. */
  readonly lock: Lock;
  /** Whether the given lock differs from what would be scheduled now. */
  readonly outOfDate: boolean;
  /** The deployments for which it differs, sorted. @internal */
  readonly changed: readonly string[];
}

/** The placement of a fleet, with the plan that explains the changes against the lock. */
export interface Decision extends PlacedFleet {
  readonly plan: Plan;

  /**
   * The warnings of the plan, and of its notes those on reading the fleet and on silenced warnings. `unchecked` are notes
   * on what is not known of the declarations, whatever runs: models and prices. @internal
   */
  readonly remarks: Pick<Plan, 'warnings' | 'notes'> & { readonly unchecked: readonly string[] };
}

/** Options of a decision, and notes and warnings to include in its plan. */
export interface DecideOptions extends Pick<Plan, 'notes' | 'warnings'> {
  /**
   * Renderers that are tried before the built-in one, in this order.
   *
   * @default none
   */
  readonly renderers?: readonly Renderer[];

  /**
   * The replicas of the lock that may move, so that replicas without a place get one.
   *
   * @default none
   */
  readonly rebalance?: RebalanceOptions | undefined;

  /** The IDs (`namespace/name`) of deployments whose replicas stay as the lock has them. @internal */
  readonly held?: ReadonlySet<string>;

  /** The IDs of resources that are not in the fleet because they have errors: `ModelDeployment ml/chat`. @internal */
  readonly absent?: readonly string[];

  /** Declarations of held deployments that have errors and only say what replicas take. @internal */
  readonly faulty?: readonly ModelDeployment[];

  /**
   * Whether the plan is needed for its places and costs alone. It then has no warnings, and no objects that must exist:
   * to find these takes as long as to place a fleet.
   *
   * @default false
   * @internal
   */
  readonly placesOnly?: boolean;

  /**
   * Whether remedies of shortfalls stay as the scheduler found them, without prices and trials, unless a deployment loses
   * replicas because no cluster has what it asks for: an error says then what helps.
   *
   * @default false
   * @internal
   */
  readonly untriedRemedies?: boolean;

  /**
   * Whether replicas without a place because clusters lack what scaling needs are shortfalls with reasons, and no error:
   * for commands that explain.
   *
   * @default false
   * @internal
   */
  readonly explainsScaling?: boolean;

  /** Whether the layouts of all models are chosen again. Default: those of the lock stay. @internal */
  readonly refit?: boolean;

  /** Earlier engine revisions in addition to those in the lock. @internal */
  readonly former?: readonly PreviousRevision[];
}
