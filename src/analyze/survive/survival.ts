import type { PriceSource } from '../../cost/cost';
import type { Sum } from '../../cost/sum';
import type { AnsweringCapacity, ReachableCapacity } from './service-capacity';

/** What stays of a fleet when any one of its clusters, or failure domains, is lost. */
export interface Survival {
  /** The label of the failure domains. Absent where clusters are lost. */
  readonly domain?: string;

  /** By name. */
  readonly losses: readonly Loss[];

  /** Of every deployment with replicas the worst that a loss does to it, by id. */
  readonly deployments: readonly WorstDeployment[];

  /** Of every service with routes the worst that a loss does to it, by name. */
  readonly services: readonly WorstService[];

  /** Nodes with which every replica would have a place again. Absent where all have one, or none would help. */
  readonly extra?: ExtraNodes;

  /** Replicas that no number of nodes gives a place. */
  readonly stranded: readonly StrandedReplicas[];
}

/** What one loss does. */
export interface Loss {
  /** The cluster, or the value of the failure domain. */
  readonly lost: string;

  /** By name. */
  readonly clusters: readonly string[];

  /** Those that lose a replica, by id. */
  readonly deployments: readonly DeploymentHit[];

  /** Those that lose a replica or a gateway, by name. */
  readonly services: readonly ServiceHit[];
}

/** A service that loses replicas or a gateway. Of several rules that of which the least stays; what answers does so at once. */
export interface ServiceHit extends AnsweringCapacity {
  /** `namespace/name`. */
  readonly service: string;

  /** Parts of the traffic that it can take before: at once, and once what was lost is placed elsewhere. 1 is all. */
  readonly atOnce: number;
  readonly after: number;

  /** The gateways by which clients reach it, one a cluster: before, and at once. Without any it is cut off. */
  readonly doors: { readonly before: number; readonly atOnce: number };

  /** Set where nothing of its first tier stays at once, and what comes after that takes over. */
  readonly fallback?: true;
}

/** The worst that happens to a service. */
export interface WorstService {
  /** `namespace/name`. */
  readonly service: string;

  /** The least of its traffic that it can take at once, as a part, and the first loss that leaves so little. */
  readonly atOnce: number;
  readonly when?: string;

  /** The same once what was lost is placed elsewhere. */
  readonly after: number;
  readonly whenAfter?: string;

  /** The least that answers at once, and the first loss that leaves so little. Absent where nothing answers before. */
  readonly fewest?: FewestReachable;
}

/** The least that answers a service at once. */
export interface FewestReachable extends ReachableCapacity {
  readonly when?: string;
}

/** A deployment that loses replicas. */
export interface DeploymentHit {
  /** `namespace/name`. */
  readonly deployment: string;

  /** Replicas that serve before. */
  readonly before: number;

  /** Those of them that serve on at once. */
  readonly atOnce: number;

  /** Those that have a place again once what was lost is placed elsewhere. */
  readonly after: number;

  /**
   * How long it takes at most until the last of these serves, in seconds, by the budgets that engines have to start and
   * the slowest rate at which storage is filled. Absent where none is placed again.
   */
  readonly seconds?: number;

  /** What it declares. */
  readonly minAvailable?: number;
}

/** The worst that happens to a deployment. */
export interface WorstDeployment {
  /** `namespace/name`. */
  readonly deployment: string;
  readonly before: number;
  readonly minAvailable?: number;

  /** The fewest replicas that serve on at once, and the first loss that leaves so few. */
  readonly atOnce: number;
  readonly when?: string;

  /** The fewest that have a place again, and the first loss that leaves so few. */
  readonly after: number;
  readonly whenAfter?: string;
}

/** Nodes to add so that every replica has a place after any one loss. Tried, not guessed. */
export interface ExtraNodes {
  /** By cluster and pool. */
  readonly nodes: readonly { readonly cluster: string; readonly pool: string; readonly nodes: number }[];
  readonly total: number;

  /** Fewer cannot be enough: every smaller set was tried. Where it is `total`, the set is the smallest. */
  readonly atLeast: number;

  /** Exact: no smaller set is enough. Heuristic: a smaller one may be. */
  readonly method: 'exact' | 'heuristic';

  /** Of the cost. */
  readonly currency: string;

  /** What these nodes cost. */
  readonly cost: Sum;

  /** Whose prices that is by; the cost names them by their places here. */
  readonly sources: readonly PriceSource[];
}

/** Replicas that have no place after a loss, however many nodes were added to pools. */
export interface StrandedReplicas {
  readonly lost: string;

  /** `namespace/name`. */
  readonly deployment: string;
  readonly replicas: number;
}
