import type { CacheNeed } from '../api/cache/delivery';
import type { MissingLoadMetrics } from '../api/load-metrics';
import type { ClaimFeature } from '../api/kubernetes-features';
import type { Taint } from '../api/schema/taints-and-tolerations';
import type { BackendType } from '../catalog/backends';
import type { SchedulerType } from '../catalog/cluster-schedulers';
import type { Mismatch } from '../cel/explain/explain-mismatch';
import type { Accelerators } from './compile/shapes';
import type { ResourceName } from './compile/resource-requests';
import type { MemoryMisfit, ReplicaDemand } from './compiled-fleet';
import type { QuotaShortage } from './ledger';
import type { Placement } from './placement';

/** The result of scheduling, sorted by deployment, cluster and index. */
export interface Schedule {
  readonly placements: readonly Placement[];
  /** Deployments that have fewer replicas placed than they ask for. */
  readonly shortfalls: readonly Shortfall[];
  /** Previous placements that are no longer valid, or are draining, each with its reason. */
  readonly evictions: readonly Eviction[];
  /**
   * Where the places of new replicas come from that the policy of their deployment did not choose, by `placementKeyOf`.
   * Absent if there are none. @internal
   */
  readonly origins?: ReadonlyMap<string, PlacementOrigin>;

  /** Replicas of the lock that keep their place, next to which there is no room for their surge. Absent if there are none. */
  readonly withoutSurge?: readonly SurgeWithoutRoom[];

  /** The demands that fill clusters in the order of their names, whatever room these have. Absent if there are none. @internal */
  readonly filledInOrder?: ReadonlySet<ReplicaDemand>;
}

/**
 * What chose a place instead of a policy: a search arranged new replicas so that more of them have one, a replica
 * returns to the cluster that it was evicted from, or it takes the room of replicas with earlier engines.
 */
export type PlacementOrigin = 'arranged' | 'returned' | 'preempting';

/** A replica that stays where it is, without the room that its deployment reserves for rollouts. */
export interface SurgeWithoutRoom {
  readonly deployment: string;
  readonly cluster: string;
  readonly index: number;

  /** The nodes that each pool lacks. */
  readonly pools: readonly { readonly pool: string; readonly nodes: number }[];
}

/** Replicas of one deployment that have no place, with the reason against every cluster or pool. */
export interface Shortfall {
  readonly deployment: string;
  readonly missing: number;
  /** The search for another arrangement of the new replicas ended at its limit of steps: there may be a place. */
  readonly limited?: true;
  /** The search for moves of locked replicas ended at its limit of steps: moves that help may exist, or fewer. */
  readonly limitedMoves?: true;
  /** The replicas that get a place when those that a rebalance replaces are gone. */
  readonly waiting?: number;
  /** The first reason against each cluster, or against each pool where the cluster itself qualifies. */
  readonly rejections: readonly Rejection[];
  /** The smallest change of each kind that gives one more replica a place. Each one was tried. */
  readonly remedies: readonly Remedy[];
  /** Further changes of the same kinds, which are larger. Each one was tried. */
  readonly alternatives?: readonly Remedy[];
}

/** Moves of replicas of the lock that give another replica a place: the fewest that were found. */
export interface MoveRemedy {
  readonly kind: 'move';
  readonly moves: readonly RemedyMove[];

  /** What the moved replicas add to the cost of a month. Absent: no price is known. */
  readonly cost?: NodesCost;
}

/** A move of one replica of the lock. */
export interface RemedyMove {
  readonly deployment: string;
  /** Clusters. */
  readonly from: string;
  readonly to: string;
  readonly fromPools: readonly string[];
  readonly toPools: readonly string[];
  /** Whether there is room for the replica at both places at once. */
  readonly surgeFirst: boolean;
}

/** Storage for caches that a cluster can declare. */
export type StorageToDeclare = Exclude<CacheNeed, 'ImageVolumes'>;

/** What a cluster does not declare. It costs nothing where the cluster has it. */
export interface DeclaringRemedy {
  readonly kind: 'declare';
  readonly cluster: string;
  readonly storage: readonly StorageToDeclare[];

  /** The label of `spreadBy`. Absent: the cluster has it. */
  readonly label?: string;

  /** What engines that scale by their load read there. Absent: the cluster has it. */
  readonly monitoring?: MissingLoadMetrics;

  /** The deployment that then has a place on the cluster, and leaves room elsewhere. Absent: the one without a place. */
  readonly frees?: string;
}

/** A change that would give one more replica a place. */
export type Remedy = ChangeOfFleet & {
  /** How many of several missing replicas it gives a place. Absent: only one is missing, or it was tried for one alone. */
  readonly helps?: number;
};

/**
 * What becomes of a replica with earlier engines whose devices a remedy counts as free. `restart`: it stops before the
 * new one serves. `grow`: only copies are added, and the pods that run stay.
 */
type InPlace = 'restart' | 'grow';

/** A remedy that lets a replica take the place of one with earlier engines. */
interface ReplacingRemedy {
  /** Absent: the replica with earlier engines, if there is one, serves until the new one does. */
  readonly inPlace?: InPlace;

  /** The deployment has no other replica and does not declare `rollout: Recreate`, which accepts that it stops. */
  readonly stopsAll?: true;
}

type ChangeOfFleet =
  | MoveRemedy
  | DeclaringRemedy
  /** The replicas that are draining hold the place. */
  | { readonly kind: 'finalize'; readonly cluster: string }
  | ({
      readonly kind: 'nodes';
      readonly cluster: string;
      readonly pool: string;
      readonly nodes: number;

      /** The nodes are a pool of their own, of the class of `pool`: next to the replicas of `pool`, more are needed. */
      readonly newPool?: true;

      /** The pool is a TPU slice, and so is the new one: a slice has a fixed number of nodes. */
      readonly slice?: true;

      /** The nodes that a snapshot shows as unavailable, if there are as many: they need only come back. */
      readonly unavailable?: number;

      /** What they add to the cost of a month. Absent: no price is known. */
      readonly cost?: NodesCost;

      /** No price is known, although one is known of the nodes of another remedy. */
      readonly unpriced?: true;

      /** The field that adds them, where an autoscaler sizes the pool. Absent: `nodeCount`, or a pool of their own. */
      readonly maxNodeCount?: { readonly from: number; readonly to: number };

      /** What an autoscaler starts for the replica. Absent: it sizes no pool, that is not known, or the added nodes. */
      readonly started?: StartedNodes;
    } & Accelerators &
      ReplacingRemedy)
  /** BinPack as the packing of a pool. An administrator of the cluster first configures a scheduler that packs pods. */
  | ({
      readonly kind: 'packing';
      readonly cluster: string;
      readonly pool: string;

      /** Other deployments, whose only replica restarts with downtime: its pods have other hints for the scheduler. */
      readonly stops?: readonly string[];
    } & UnchangedCost &
      ReplacingRemedy)
  | { readonly kind: 'toleration'; readonly cluster: string; readonly taints: readonly Taint[] }
  /** Another value of a limit in `placement` of the deployment. */
  | ({
      readonly kind: 'limit';
      readonly field: Exclude<SpreadLimit, 'no-domain'>;
      readonly from: number;
      readonly to: number;
      readonly cluster: string;
    } & UnchangedCost)
  | ({
      /** Another bound in a selector: what the device of a pool publishes. */
      readonly kind: 'bound';
      readonly cluster: string;
      readonly pool: string;
      /** Further pools on which the same bound gives the replica a place. Absent: none. */
      readonly also?: readonly PoolName[];
      readonly engine: string;
      readonly request: string;
      readonly selector: number;
      /** The request has `where`, which is selector 0. */
      readonly where?: true;
      readonly from: string;
      readonly to: string;
    } & UnchangedCost)
  | ({
      /** All devices of a node, which their driver allocates together. */
      readonly kind: 'count';
      readonly cluster: string;
      readonly pool: string;
      readonly engine: string;
      readonly request: string;
      readonly from: number;
      readonly to: number;
    } & UnchangedCost);

/** A change that gives a replica nodes that are declared already. */
interface UnchangedCost {
  /** What it costs a month: nothing. Absent: an autoscaler may start nodes for it, or a cache may be staged for it. */
  readonly cost?: { readonly perMonth: 0; readonly currency: string };
}

/** The nodes that an autoscaler starts for a replica: more than are added to the most that it may run. */
export interface StartedNodes {
  /** The accelerators that the fewest copies of the replica take. */
  readonly gpus: number;

  /** The nodes that always run, without the replica and with it. */
  readonly from: number;
  readonly to: number;
}

/** What the nodes of a remedy add to the cost of a month. */
export interface NodesCost {
  /** Where an autoscaler sizes the pool: the most. */
  readonly perMonth: number;

  /** The least, where an autoscaler sizes the pool and that is known. */
  readonly leastPerMonth?: number;
  readonly currency: string;
  readonly autoscaled: boolean;

  /** The other region whose price estimates the cost. Absent: the price is known for the region of the cluster. */
  readonly asIn?: string;
}

interface PoolName {
  readonly cluster: string;
  readonly pool: string;
}

/** A previous placement and why it does not stay. */
export interface Eviction {
  readonly placement: Placement;
  readonly reason: EvictionReason;
}

/** Why a previous placement does not stay. */
export type EvictionReason =
  | { readonly kind: 'deployment-gone' }
  /** `lost`: a scenario supposes that the cluster fails. */
  | { readonly kind: 'cluster-gone'; readonly lost?: true }
  | { readonly kind: 'pool-gone'; readonly pool: string }
  | { readonly kind: 'shape'; readonly downtime?: DowntimeReason }
  | { readonly kind: 'scaled-down' }
  /** The cluster has other software that turns objects into pods. */
  | {
      readonly kind: 'backend';
      readonly from: BackendType;
      readonly to: BackendType;
      readonly downtime?: DowntimeReason;
    }
  /** `fleetwright lock --rebalance` moves it, so that these deployments get a place. */
  | { readonly kind: 'makes-room'; readonly for: readonly string[] }
  | { readonly kind: 'rejected'; readonly rejection: Rejection };

/**
 * Why a replica of earlier engines stops before its replacement serves: its engines are unknown, or the cluster has no
 * room for both. Absent if it serves until then.
 */
export type DowntimeReason = 'unknown' | 'no-room';

/** Why one cluster, or one of its pools, cannot take a replica. */
export interface Rejection {
  readonly cluster: string;
  readonly pool?: string;
  readonly reason: Reason;

  /** What keeps the replica from the cluster too, once `reason` is gone. Absent: nothing, or the cluster is not meant. */
  readonly also?: readonly FurtherReason[];
}

/** A further reason against a cluster, or against one of its pools. */
export interface FurtherReason {
  readonly pool?: string;
  readonly reason: Reason;
  /** The nodes of the pool with which it is gone. It was tried. Absent: nodes of this pool alone are not enough. */
  readonly nodes?: number;
  /** Whether it is gone with BinPack as the packing of the pool. It was tried. */
  readonly packing?: true;
}

/** The first rule that a cluster or a pool does not meet, with its figures. */
export type Reason =
  | { readonly filter: 'selector'; readonly requirement: string; readonly actual?: string }
  | { readonly filter: 'cache'; readonly cache: string; readonly lacks: MissingForCache }
  | { readonly filter: 'taint'; readonly taint: Taint }
  | ({ readonly filter: 'backend' } & BackendMisfit)
  /** The cluster does not measure the load by which an engine scales. */
  | {
      readonly filter: 'monitoring';
      readonly engine: string;
      readonly lacks: MissingLoadMetrics;
      /** `copies.min` of the engine, where it would need no metrics with 0. */
      readonly min?: number;
    }
  | { readonly filter: 'paused' }
  | { readonly filter: 'pools' }
  | { readonly filter: 'spread'; readonly limit: SpreadLimit; readonly domain?: string; readonly most?: number }
  | ({ readonly filter: 'devices'; readonly engine: string } & Misfit)
  | ({ readonly filter: 'capacity'; readonly engine: string } & Shortage)
  /** The queue of the cluster has too little quota left. */
  | ({ readonly filter: 'quota' } & QuotaShortage)
  | { readonly filter: 'together'; readonly engines: readonly string[] };

/** Why the software of a cluster that turns objects into pods cannot run a replica. */
export type BackendMisfit =
  /** An engine requires another type. */
  | { readonly misfit: 'other-type'; readonly engine: string; readonly wanted: BackendType; readonly has: BackendType }
  /** It has no form for something that the deployment declares. */
  | { readonly misfit: 'inexpressible'; readonly type: BackendType; readonly what: string }
  /** A later version has a form for it. */
  | {
      readonly misfit: 'old-version';
      readonly type: BackendType;
      readonly what: string;
      readonly needs: string;
      readonly has: string;
      /** What every version can instead. */
      readonly instead?: string;
    }
  /** The replica would change the defaults of services of other teams. */
  | { readonly misfit: 'shared-namespace'; readonly type: BackendType; readonly namespace: string };

/**
 * What a cluster lacks for a cache: a label that it selects, or a kind of storage. `storage` is a shared file system.
 */
export type MissingForCache = 'selector' | 'storage' | Exclude<CacheNeed, 'SharedFilesystem'>;

/** The lack that a need leads to. */
export const LACK_BY_NEED: Readonly<Record<CacheNeed, MissingForCache>> = {
  SharedFilesystem: 'storage',
  BlockDevice: 'BlockDevice',
  BlockSnapshots: 'BlockSnapshots',
  S3Mounts: 'S3Mounts',
  GCSMounts: 'GCSMounts',
  ImageVolumes: 'ImageVolumes',
};

/** What keeps a replica from a cluster though it has room: too many of the deployment, or too few domains used. */
export type SpreadLimit = 'maxPerCluster' | 'maxPerDomain' | 'minDomains' | 'no-domain';

/** Why the devices of a node cannot meet the requests of the pods of an engine. */
export type Misfit =
  | {
      /** No device of the pool satisfies the selectors of the request. */
      readonly misfit: 'no-match';
      readonly request: string;
      /** The first selector (from 0) that rejects the nearest device. */
      readonly selector: number;
      /** The request has `where`, which is selector 0. */
      readonly where?: true;
      readonly device: string;
      readonly mismatch?: Mismatch;
    }
  | {
      /** A selector fails on a device of its class: the cluster's allocator would abort there. */
      readonly misfit: 'selector-error';
      readonly request: string;
      readonly selector: number;
      /** The request has `where`, which is selector 0. */
      readonly where?: true;
      readonly device: string;
      readonly message: string;
    }
  | {
      /** Fewer devices on a node match than the request asks for. */
      readonly misfit: 'too-few';
      readonly request: string;
      readonly wanted: number;
      readonly has: number;
    }
  | {
      /** A device that satisfies the selectors has too little of a capacity for the request, as the driver rounds it. */
      readonly misfit: 'too-small';
      readonly request: string;
      readonly device: string;
      readonly capacity: string;
      readonly wanted: number;
      /** Absent if the device does not have the capacity. */
      readonly has?: number;
    }
  | {
      /** Pods share the device, and the cluster may allocate the same one several times for the request. */
      readonly misfit: 'same-device';
      readonly request: string;
      readonly wanted: number;
      readonly device: string;
    }
  | {
      /** A pod requests more CPU (in thousandths) or memory (in bytes) than a node has. */
      readonly misfit: 'too-large';
      readonly resource: ResourceName;
      readonly wanted: number;
      readonly has: number;
    }
  | {
      /** The pod requests a part of the devices of a node, and their driver allocates all of them or none. */
      readonly misfit: 'part-of-node';
      readonly requests: readonly string[];
      readonly wanted: number;
      readonly devices: number;
    }
  /** Each request alone fits on a node, but not all at once. */
  | {
      readonly misfit: 'conflict';
      readonly requests: readonly string[];
      /** Attributes that constraints of the pod are about. */
      readonly attributes?: readonly string[];
    }
  /** The pod uses a feature that claims lack on the cluster, or that only claims have. */
  | { readonly misfit: 'lacks'; readonly feature: ClaimFeature; readonly dra: boolean }
  /** The pod uses a feature that the queues of the cluster do not count, so they would never let it start. */
  | { readonly misfit: 'uncounted'; readonly feature: ClaimFeature; readonly scheduler: SchedulerType }
  | {
      /** Without DRA a plugin may hand out this device for the same resource, and the request does not match it. */
      readonly misfit: 'any-device';
      readonly request: string;
      readonly resource: string;
      readonly device: string;
    }
  /** The engine is certain not to start on the GPUs that it would get. */
  | MemoryMisfit
  /** The pool has another class than those that the layout is for. */
  | { readonly misfit: 'other-class'; readonly class: string }
  /** The pool is one TPU slice, whose chips work together only if a gang has a pod on each node. */
  | { readonly misfit: 'other-slice-size'; readonly pods: number; readonly hosts: number }
  /** Only synthetic devices match, so the pods would hold no device. */
  | { readonly misfit: 'claims-nothing' }
  /** The member would hold no device on this pool, but would on another pool of the cluster. */
  | { readonly misfit: 'claims-elsewhere'; readonly role: string; readonly pool: string };

/** A pool that has the devices, but no guaranteed place for all pods of an engine. */
export interface Shortage {
  /** Pods that the engine adds, and what each takes of a node, by request. */
  readonly pods: number;
  /** The layout of spec.model that asks for them. Absent: the engine is declared. */
  readonly layout?: string;
  /** The replica has other engines too. */
  readonly several?: true;
  /** Those of `pods` that are there during a rollout only. */
  readonly surge: number;
  readonly perPod: Readonly<Record<string, number>>;
  /** What is short where it is not devices. */
  readonly resources?: readonly ShortResource[];
  /** Pods of that kind that would have a sure place. */
  readonly room: number;
  readonly nodes: number;
  /** Devices of these nodes that replicas take, and the others. */
  readonly inUse: number;
  readonly free: number;
  /** Those of `inUse` that replicas of the same deployment with earlier engines take. Absent: none. */
  readonly own?: number;
  /** Those of `pods` beyond the fewest that an autoscaler keeps. Absent: none. */
  readonly scaled?: number;
  /** Further nodes that are declared, and that a snapshot shows as lost. */
  readonly lost?: number;
  /** Nodes to add to the pool so that the engine fits. */
  readonly missingNodes: number;
  /** Only the worst case refuses: it would fit if the cluster packed pods tightly. */
  readonly packs: boolean;
  /** The replicas that would lose their guaranteed place, where the added pods themselves would have one. */
  readonly endangers?: EndangeredReplicas;
  /** The pool takes no new replicas, because what some of its replicas take is unknown. */
  readonly closed?: true;
}

/** Replicas of a pool that would lose their guaranteed place to further pods. */
export interface EndangeredReplicas {
  readonly deployment: string;
  /** What each of their pods takes of a node, by request. */
  readonly perPod: Readonly<Record<string, number>>;
}

/** A resource of which a pool has too little, and what each pod takes of it: CPU in thousandths, memory in bytes. */
export interface ShortResource {
  readonly resource: ResourceName;
  readonly perPod: number;
}
