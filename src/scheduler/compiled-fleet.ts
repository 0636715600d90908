import type { CacheNeed } from '../api/cache/delivery';
import type { InternetSource } from '../api/cache/source-access';
import type { ResourcePath } from '../api/kinds';
import type { LoadNeed, ScalingSupport } from '../api/load-metrics';
import type { NodePool } from '../api/node-pool';
import type { PlacementSpec } from '../api/placement';
import type { BackendType } from '../catalog/backends';
import type { SchedulerType } from '../catalog/cluster-schedulers';
import type { LabelSelector } from '../api/schema/label-selector';
import type { Taint, Toleration } from '../api/schema/taints-and-tolerations';
import type { Diagnostic } from '../base/diagnostic';
import type { BackendLimit } from '../engine/backend-limits';
import type { RecordedQueue } from '../fleet/recorded-queues';
import type { ServingFinding } from '../sizing/check-serving';
import type { NodeShape, PodShape } from './compile/shapes';

/** A fleet in the form that the scheduler reads: selectors compiled, devices folded into shapes, everything sorted. */
export interface CompiledFleet {
  /** By priority (higher first), then by id. */
  readonly deployments: readonly CompiledDeployment[];
  /** By name. */
  readonly clusters: readonly CompiledCluster[];
  /** Diagnostics of selectors that match the known hardware only by chance. */
  readonly warnings: readonly Diagnostic<ResourcePath>[];
}

const INDEXES = new WeakMap<readonly CompiledDeployment[], ReadonlyMap<string, CompiledDeployment>>();

/** The deployments of a fleet by ID. Fleets that differ in clusters alone share one list, and one index. */
export function indexDeployments(deployments: readonly CompiledDeployment[]): ReadonlyMap<string, CompiledDeployment> {
  const known = INDEXES.get(deployments) ?? new Map(deployments.map((deployment) => [deployment.id, deployment]));
  INDEXES.set(deployments, known);
  return known;
}

/** A cluster with its pools, sorted by name. */
export interface CompiledCluster {
  readonly name: string;
  /** Declared labels and the computed ones. */
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly pools: readonly Pool[];
  /** What turns objects into pods, if not Kubernetes alone. */
  readonly backend?: CompiledBackend;
  /** What the cluster offers to caches. */
  readonly offers: ReadonlySet<CacheNeed>;
  /** The sources of caches that it reaches. Absent: the whole internet. */
  readonly reaches?: ReadonlySet<InternetSource['source']>;
  /** What engines that scale have there. */
  readonly load: ScalingSupport;
  /** The replicas of the cluster must not change. */
  readonly paused: boolean;
}

/** KServe or Dynamo on a cluster. */
export interface CompiledBackend {
  readonly type: Exclude<BackendType, 'Native'>;
  readonly version: string;
  /** The minor version. */
  readonly minor: number;
  readonly scheduler: SchedulerType;
  /** Whether pods claim devices, instead of extended resources. */
  readonly claims: boolean;
  /** Namespaces with services of other teams. */
  readonly sharedNamespaces: readonly string[];
}

/** The queue of the replicas of a cluster, with the quotas that a snapshot shows. */
export type CompiledQueue = Omit<RecordedQueue, 'cluster'>;

/** Nodes of one class on one cluster. */
export interface Pool {
  readonly cluster: string;
  readonly name: string;
  readonly className: string;
  /** The most nodes that the pool can have, over all zones. */
  readonly nodes: number;
  /** The part of `nodes` that a snapshot shows as absent. New replicas avoid these nodes, placed ones stay. */
  readonly lost: number;
  readonly node: NodeShape;
  /** The nodes of the TPU slice that the pool is: a gang has a pod on each. Absent: the pool is no such slice. */
  readonly sliceHosts?: number;
  /** How the cluster spreads pods over the nodes: see `packing/packings.ts`. KAI: what places its pods, unless Exclusive. */
  readonly packing: NodePool['packing'] | 'KAI';
  /** New replicas avoid the pool, because what some of its replicas take is not known. Absent: they do not. */
  readonly closed?: true;
  /** The hourly price of a node. Absent if no source states one. */
  readonly price?: number;
  /** The queue of the cluster, one object for all its pools. Absent: no quota is known. */
  readonly queue?: CompiledQueue;
}

/** A deployment and the demand of its replicas. */
export interface CompiledDeployment {
  /** `namespace/name`. */
  readonly id: string;
  readonly replicas: number;
  readonly allowPartial: boolean;
  readonly priority: number;
  readonly demand: ReplicaDemand;
  /** A digest of engines, copies, members and device counts, in eight hexadecimal digits. */
  readonly shape: string;
  /** The layouts that a replica can have, the preferred first. Absent: `shape` and `demand` are the only one. */
  readonly variants?: readonly DemandVariant[] | undefined;
  /** The demand of replicas that still run earlier engines, by the shape digest of these engines. */
  readonly previousRevisions: ReadonlyMap<string, ReplicaDemand>;
  /** The replicas of the deployment must not change. */
  readonly paused: boolean;
  readonly placement: PlacementPreference;
  /** Clusters that are chosen last, because no gateway would reach replicas there. Absent: none. */
  readonly avoids?: ReadonlySet<string>;
  /** The number of replicas that are replaced at a time; infinite if all are. */
  readonly parallel: number;
}

/** One of several layouts of a deployment. */
export interface DemandVariant {
  readonly shape: string;
  readonly demand: ReplicaDemand;
}

/** The clusters that a deployment prefers, and how its replicas spread over failure domains. */
export interface PlacementPreference extends Omit<PlacementSpec, 'spreadBy'> {
  /** The cluster label whose values are the failure domains. */
  readonly domainKey?: string;
}

/** The requirements that decide where a replica can go. Deployments with equal requirements share one. */
export interface ReplicaDemand {
  readonly selector: LabelSelector;
  readonly tolerations: readonly Toleration[];
  readonly caches: readonly CacheDemand[];
  readonly engines: readonly EngineDemand[];
  /** What the engines need of the software that runs them. Absent in a fleet where every cluster has the same. */
  readonly backend?: BackendDemand;
  /** How an engine orders the pools of a cluster: by less device memory, or by lower price and then less memory. */
  readonly poolOrder: 'memory' | 'price';
}

/** What the engines of a replica need of the software that turns objects into pods. */
export interface BackendDemand {
  /** The engines that require a type, each with the type. */
  readonly requires: readonly { readonly engine: string; readonly type: BackendType }[];
  /** What each software of the clusters cannot express. */
  readonly limits: Readonly<Partial<Record<BackendType, readonly BackendLimit[]>>>;
  /** The namespace whose presets of KServe the replica replaces. Absent: none. */
  readonly presetNamespace?: string;
}

/** A cache that replicas mount. Only clusters that can hold it take new replicas. */
export interface CacheDemand {
  /** `namespace/name`. */
  readonly name: string;
  readonly selector: LabelSelector;
  /** What a cluster must offer to mount it. Absent if every cluster can. */
  readonly needs?: CacheNeed;
  /** The host of the internet that it is filled from. Absent: none that is known. */
  readonly reads?: InternetSource;
}

/** One serving unit; all its pods land on one pool. */
export interface EngineDemand {
  readonly name: string;
  readonly members: readonly MemberDemand[];
  /** The classes whose pools it may use. Absent: all. */
  readonly classes?: ReadonlySet<string>;
  /** The layout of the model that the engine is derived from: `6 x L4, TP 2 x PP 3`. Absent: the engine is declared. */
  readonly layout?: string;
  /** What it needs of a cluster to scale by its load. Absent: nothing, or every cluster has it. */
  readonly load?: LoadNeed;
  /** The kinds of nodes on whose GPUs it is certain not to start, each with the reason. Absent: none. */
  readonly unserved?: ReadonlyMap<NodeShape, MemoryMisfit>;
}

/** Why an engine is certain not to start on the GPUs of a node, and what to change. */
export interface MemoryMisfit extends Pick<ServingFinding, 'about' | 'what' | 'hint'> {
  readonly misfit: 'memory';
}

/** Identical pods of an engine. */
export interface MemberDemand {
  readonly role: string;
  /** The most pods that one replica has: copies times nodes, and the surge of a rollout. */
  readonly pods: number;
  /** The pods of one copy. */
  readonly podsOfCopy: number;
  /** Those of `pods` that are there during a rollout only. */
  readonly surge: number;
  /** Those of `pods` beyond the fewest that an autoscaler keeps. Absent: none. */
  readonly scaled?: number;
  readonly pod: PodShape;
}
