import type { Diagnostic } from '../base/diagnostic';
import type { Cost } from '../cost/cost';
import type { PolicyDiagnostic } from '../fleet/policy';
import type { RequiredObject } from '../render/external-references';
import type { MissingRoutes } from '../routing/missing-routes';
import type { RoutedService } from '../routing/routing';
import type { Placement } from '../scheduler/placement';
import type { Rejection } from '../scheduler/reason';
import type { Remedy } from '../scheduler/remedy';
import type { EvictionReason } from '../scheduler/schedule-result';
import type { DeploymentLoad } from './deployment-loads';

/** What accepting the declarations would do. Every output format of a plan (text, JSON) shows this value. */
export interface Plan {
  readonly fleet: FleetSize;
  /** Every deployment, by id, including deleted ones that are still in the lock. */
  readonly deployments: readonly DeploymentPlan[];
  /** Clusters that replicas have to leave, drained or lost ones, by name. */
  readonly drains: readonly Drain[];
  readonly totals: Totals;
  /** The routing of every service with routes. */
  readonly services: readonly RoutedService[];
  /** The cost of the fleet after the plan is accepted. */
  readonly cost: Cost;
  /** Policy rules that the plan does not meet. */
  readonly policies: readonly PolicyDiagnostic[];
  /** The oldest price by which the plan compares pools. Absent if it compares none. */
  readonly prices?: PriceDate;
  /** Services from modelplane.ai without routes, and the lines that give them routes. Absent if there are none. */
  readonly missingRoutes?: MissingRoutes;
  /** Whether replicas carry the loads that deployments declare. Absent if none declares one. */
  readonly loads?: readonly DeploymentLoad[];
  /** How pools are counted on which KAI packs pods, by cluster and pool. Absent if there are none with replicas. */
  readonly packedPools?: readonly PackedPool[];
  /** Possible problems, which do not block the plan. */
  readonly warnings: readonly Diagnostic[];
  /** Information that needs no action. */
  readonly notes: readonly string[];
  /** Objects that manifests refer to and that Fleetwright does not create, by cluster. */
  readonly mustExist: readonly ClusterNeeds[];
  /**
   * What of `mustExist` is needed only since the compared state. Without one: by replicas that come to clusters on which
   * the lock has no line of their deployment.
   */
  readonly mustExistNew: readonly ClusterNeeds[];
}

/** A pool on which KAI packs pods, and how the plan counts it. */
export interface PackedPool {
  readonly cluster: string;
  readonly pool: string;
  /** The number of different shapes of its pods: by devices, CPU and memory. */
  readonly shapes: number;
  /** BinPack: pods of one shape fill whole nodes. WorstCase: where shapes mix, KAI does not move the pods that are there. */
  readonly countedAs: 'BinPack' | 'WorstCase';
}

/** The size of a declared fleet. `replicas` counts the declared replicas of all deployments. */
export interface FleetSize {
  readonly clusters: number;
  readonly pools: number;
  readonly deployments: number;
  readonly replicas: number;
}

/** The number of replicas of all deployments, by what happens to them. */
export interface Totals {
  readonly place: number;
  readonly move: number;
  readonly remove: number;
  readonly keep: number;
  /** Old replicas that serve until `lock --finalize`. */
  readonly draining: number;
  /** Old replicas that serve until their replacements fit: `lock --finalize` keeps them. */
  readonly unreplaced: number;
  /** Replicas on lost clusters, which do not serve and have no place elsewhere. */
  readonly lost: number;
  /** Replicas without a place that are not accepted. */
  readonly unplaced: number;
  /** Replicas without a place that `allowPartial` or the lock accepts. */
  readonly accepted: number;
}

/** The date of a price, and the pool that it applies to. */
export interface PriceDate {
  readonly asOf: string;
  readonly cluster: string;
  readonly pool: string;
  readonly source: string;
}

/** What happens to the replicas of one deployment. */
export interface DeploymentPlan {
  /** `namespace/name`. */
  readonly deployment: string;
  /** The number of declared replicas. */
  readonly replicas: number;
  /** The number of engines of a replica. */
  readonly engines: number;
  /** Replicas that do not change, by cluster and index. Absent in lists of changes. */
  readonly staying?: readonly PlacedReplica[];
  /** The changes of all other replicas, by action, then by cluster and index. */
  readonly changes: readonly Change[];
  readonly shortfall?: ShortfallPlan;
  /** How its model is divided. Absent if its engines are written. */
  readonly layouts?: readonly PlannedLayout[];
}

/** How a model is divided over GPUs, and what that holds. */
export interface PlannedLayout {
  /** The repository. */
  readonly model: string;
  readonly gpu: string;
  readonly gpus: number;
  /** `TP 4`. */
  readonly division: string;
  /** The classes that it is for. */
  readonly classes: readonly string[];
  /** KV cache of all GPUs. */
  readonly kvGiB: number;
  /** Requests of the longest length at once. Null: not known. */
  readonly requests: number | null;
  /** The tokens of the longest request. */
  readonly context: number;
  /** The clusters with replicas of it. Empty if it has none. */
  readonly clusters: readonly string[];
}

/** The change of one replica. */
export type Change =
  | { readonly action: 'place'; readonly replica: PlacedReplica }
  | {
      /** The replica replaces another replica of its deployment. */
      readonly action: 'move';
      readonly replica: PlacedReplica;
      readonly from: Placement;
      readonly reason: EvictionReason;
      /** Whether the old replica serves until `lock --finalize`. Otherwise there is downtime. */
      readonly surgeFirst: boolean;
    }
  | { readonly action: 'remove'; readonly from: Placement; readonly reason: EvictionReason }
  | {
      /** The replica serves until `lock --finalize`, and does not count as a replica of its deployment. */
      readonly action: 'draining';
      readonly replica: PlacedReplica;
      /** Its replacement has no place, so `lock --finalize` keeps it until one fits. Absent: it goes. */
      readonly unreplaced?: true;
    }
  /** Its cluster is lost: it does not serve, keeps its place until it has another one, and does not count as a replica. */
  | { readonly action: 'lost'; readonly replica: PlacedReplica };

/** A placed replica, and the nodes and devices that it takes. */
export interface PlacedReplica {
  readonly placement: Placement;
  /** The rollout wave in which the replica is replaced if its pods change. Wave 1 of the deployment is first. */
  readonly wave: number;
  /** What the replica takes, one entry per pool, in the order of its engines. */
  readonly usage: readonly Usage[];
}

/** What one replica takes of one pool. */
export interface Usage {
  readonly pool: string;
  /** Nodes that no other replica can use, because a pod takes all devices of some kind. */
  readonly nodes: number;
  /** Devices that the replica may take, by request name. */
  readonly devices: Readonly<Record<string, number>>;
  /** The part of `devices` that the replica takes only during a rollout. Absent if there is none. */
  readonly surge?: Readonly<Record<string, number>>;
  /** The nodes taken, as a sum of fractions, by the kind of device of which a pod takes the largest part. */
  readonly share: number;
  /** The same for what the replica takes only during a rollout, which `share` does not include. Absent if none. */
  readonly surgeShare?: number;

  /** The part of `share` that an autoscaler can give back: copies above the lower bound. Absent if there is none. */
  readonly scaledShare?: number;
}

/** A cluster with a `NoExecute` taint, and the replicas on it that do not tolerate the taint. */
export interface Drain {
  readonly cluster: string;
  /** The number of replicas that have to leave. */
  readonly replicas: number;
  /** The replicas that cannot leave, sorted. If empty, the drain can finish. */
  readonly stuck: readonly StuckReplica[];
  /** The deployments that tolerate the taint, so that their replicas stay: `namespace/name`, sorted. */
  readonly staying: readonly string[];
  /** The cluster is lost: its replicas do not serve, and `replicas` are those without a place elsewhere. Absent: it is drained. */
  readonly lost?: true;
}

/** A replica that cannot leave, because it has no replacement or because it is paused. */
export interface StuckReplica {
  readonly placement: Placement;
  readonly why: 'no-replacement' | 'paused';

  /** No cluster that is not drained has a pool with the devices of each engine. Absent: one has, or it is paused. */
  readonly noDevices?: true;
}

/** The replicas of a deployment without a place, with the reasons and the remedies. */
export interface ShortfallPlan {
  readonly missing: number;
  /** Whether `allowPartial` or the lock accepts this number. */
  readonly accepted: boolean;
  readonly rejections: readonly Rejection[];
  readonly remedies: readonly Remedy[];
  /** It asks for what no cluster has, also where nothing else runs. It stops no other deployment. Absent: one has. */
  readonly impossible?: true;
  /** How many of them get a place when draining replicas are gone. Absent: none, or nothing accepts that they wait. */
  readonly waiting?: number;
}

/** The objects that must exist on a cluster before its manifests are applied. */
export interface ClusterNeeds {
  readonly cluster: string;

  /** The objects, by namespace, kind and name. */
  readonly objects: readonly RequiredObject[];
}
