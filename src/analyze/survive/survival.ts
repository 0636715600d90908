import type { PriceSource } from '../../cost/cost';
import type { Sum } from '../../cost/sum';
import type { Downtime } from '../../diff/downtime';
import type { BrokenRule } from '../../fleet/policy';
import type { Accelerators } from '../../scheduler/compile/shapes';
import type { Rejection, SpreadLimit } from '../../scheduler/reason';
import type { NodeField, Remedy } from '../../scheduler/remedy';
import type { AnsweringCapacity, ReachableCapacity } from './service-capacity';

/** What a fleet keeps when any one of its clusters, or failure domains, is lost. */
export interface Survival {
  /** The label of the failure domains. Absent if single clusters are lost. */
  readonly domain?: string;

  /** All simulated losses, by name. */
  readonly losses: readonly Loss[];

  /**
   * The losses after which no service stops taking requests, by name. In a fleet without services, those after which no
   * deployment stops serving.
   */
  readonly withoutOutage: readonly string[];

  /** The worst effect of any loss on each deployment with replicas, by id. */
  readonly deployments: readonly WorstDeployment[];

  /** The worst effect of any loss on each service with routes, by name. */
  readonly services: readonly WorstService[];

  /** Nodes that would give every replica a place again. Absent if every replica has one, or no node would help. */
  readonly extra?: ExtraNodes;

  /** More nodes than `extra` that cost less and do the same. Absent if none were found. */
  readonly cheaper?: CheaperNodes;

  /** The limits that have to change too, so that `extra` gives every replica a place. Absent: none. */
  readonly limits?: readonly [ChangedLimit, ...ChangedLimit[]];

  /** Replicas that would have no place with any number of nodes. */
  readonly stranded: readonly StrandedReplicas[];
}

/** The effects of one loss. */
export interface Loss {
  /** The lost cluster, or the value of the lost failure domain. */
  readonly lost: string;

  /** The lost clusters, by name. */
  readonly clusters: readonly string[];

  /** Deployments that lose a replica, by id. */
  readonly deployments: readonly DeploymentHit[];

  /** Services that lose a replica or a gateway, by name. */
  readonly services: readonly ServiceHit[];
}

/**
 * A service that loses replicas or a gateway. Of several rules, the rule that keeps the least counts. The inherited
 * `replicas` and `endpoints` are those right after the loss.
 */
export interface ServiceHit extends AnsweringCapacity {
  /** `namespace/name`. */
  readonly service: string;

  /**
   * The part of its requests whose targets are left right after the loss, from 0 to 1. Weights of entries decide it, not
   * the number of replicas. The targets that are left get all requests.
   */
  readonly atOnce: number;

  /** The same once the lost replicas are placed elsewhere. */
  readonly after: number;

  /** The number of gateways, one per cluster, before and right after the loss. Without one, clients cannot reach it. */
  readonly gateways: LostGateways;

  /** The same of each InferenceGateway that loses one, by name. Absent: the service has one InferenceGateway. */
  readonly byGateway?: readonly ({ readonly gateway: string } & LostGateways)[];

  /** Set if its first tier keeps nothing right after the loss, and a later tier takes over. */
  readonly fallback?: true;
}

/** The number of gateways, one per cluster, before and right after a loss. */
interface LostGateways {
  readonly before: number;
  readonly atOnce: number;
}

/** The worst effect of any loss on a service. */
export interface WorstService {
  /** `namespace/name`. */
  readonly service: string;

  /** The least part of its requests whose targets are left right after a loss, and the first loss that causes it. */
  readonly atOnce: number;
  readonly when?: string;

  /** The same once the lost replicas are placed elsewhere. */
  readonly after: number;
  readonly whenAfter?: string;

  /** What the worst loss leaves at once, and the first such loss. Absent if nothing answers before. */
  readonly fewest?: FewestReachable;
}

/** What the worst loss leaves of a service at once. `when` is absent if no loss leaves less than there was. */
export interface FewestReachable extends ReachableCapacity {
  readonly when?: string;
}

/** The effect of one loss on a deployment that loses replicas. */
export interface DeploymentHit {
  /** `namespace/name`. */
  readonly deployment: string;

  /** Replicas that serve before the loss. */
  readonly before: number;

  /** Replicas that still serve right after the loss. */
  readonly atOnce: number;

  /** Replicas that have a place once the lost ones are placed elsewhere. */
  readonly after: number;

  /**
   * The most seconds until the last of these replicas serves, by the startup budgets of engines and the slowest rate at
   * which storage is filled. Absent if no replica is placed again.
   */
  readonly seconds?: number;

  /** How long their pods usually take. Absent where one of them loads weights of an unknown size. */
  readonly start?: Downtime;

  /** The declared `minAvailable` of the deployment. */
  readonly minAvailable?: number;

  /** The fewest copies of a replica: those that serve right after the loss. Absent: their number does not change. */
  readonly fewestCopies?: number;

  /**
   * Changes other than nodes that give one more of its replicas a place after the loss, each tried: storage or a label to
   * declare, packing, a limit of placement, a toleration. Absent: there is none, or many replicas were explained before.
   */
  readonly remedies?: readonly Remedy[];
}

/** The worst effect of any loss on a deployment. */
export interface WorstDeployment {
  /** `namespace/name`. */
  readonly deployment: string;
  readonly before: number;
  readonly minAvailable?: number;

  /** The fewest replicas that serve right after a loss, and the first loss that leaves so few. */
  readonly atOnce: number;
  readonly when?: string;

  /** The fewest replicas that have a place again, and the first loss that leaves so few. */
  readonly after: number;
  readonly whenAfter?: string;
}

/** Nodes to add to pools, and what they cost. */
export interface NodeSet {
  /** By cluster and pool. */
  readonly nodes: readonly ({
    readonly cluster: string;
    readonly pool: string;
    readonly nodes: number;
  } & NodeField &
    Accelerators)[];
  readonly total: number;

  /** The currency of `cost`. */
  readonly currency: string;

  /** What these nodes cost. */
  readonly cost: Sum;

  /**
   * What they cost with the prices of other regions for those without a price. Absent: all have a price, or some have
   * none in any region.
   */
  readonly estimate?: NodesEstimate;

  /** The policy rules that deny them. Absent: none does, or they make up for a supposed loss. */
  readonly breaks?: readonly BrokenRule[];

  /** The sources of the prices. `cost` refers to them by index. */
  readonly sources: readonly PriceSource[];
}

/** Nodes to add so that every replica has a place after any single loss. Verified by placing the fleet. */
export interface ExtraNodes extends NodeSet {
  /**
   * A lower bound: every set with fewer nodes was tried and is not enough. Equals `total` if the set is the smallest.
   */
  readonly atLeast: number;

  /** `exact`: no smaller set is enough. `heuristic`: a smaller set may be enough. */
  readonly method: 'exact' | 'heuristic';
}

/** More nodes than the smallest set has, which cost less. Verified like those. */
export interface CheaperNodes extends NodeSet {
  /** `exact`: of pools with a price, no set that costs less is enough. `heuristic`: such a set may be enough. */
  readonly method: 'exact' | 'heuristic';
}

/** A cost with prices of other regions. */
export interface NodesEstimate {
  readonly perHour: number;
  readonly perMonth: number;

  /** These regions, sorted. */
  readonly regions: readonly string[];
}

/** Replicas that have no place after a loss, however many nodes are added to pools. */
export interface StrandedReplicas {
  readonly lost: string;

  /** `namespace/name`. */
  readonly deployment: string;
  readonly replicas: number;

  /** What keeps them from the cluster that comes closest. Absent: no cluster is left, or many others have none either. */
  readonly nearest?: Rejection;
}

/** Another value of a limit in `placement` of a deployment, which keeps replicas off nodes with room. */
export interface ChangedLimit {
  /** `namespace/name`. */
  readonly deployment: string;
  readonly field: Exclude<SpreadLimit, 'no-domain'>;
  readonly from: number;
  readonly to: number;
}
