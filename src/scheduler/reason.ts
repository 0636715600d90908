import type { CacheNeed } from '../api/cache/delivery';
import type { ClaimFeature } from '../api/kubernetes-features';
import type { MissingForScaling } from '../api/load-metrics';
import type { Taint } from '../api/schema/taints-and-tolerations';
import type { BackendType } from '../catalog/backends';
import type { SchedulerType } from '../catalog/cluster-schedulers';
import type { Mismatch } from '../cel/explain/explain-mismatch';
import type { ResourceName } from './compile/resource-requests';
import type { MemoryMisfit } from './compiled-fleet';
import type { QuotaShortage } from './ledger';

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
  | ({ readonly filter: 'cache'; readonly cache: string } & CacheMisfit)
  | { readonly filter: 'taint'; readonly taint: Taint }
  | ({ readonly filter: 'backend' } & BackendMisfit)
  /** The cluster does not measure the load by which an engine scales, or holds no requests for its first copy. */
  | {
      readonly filter: 'monitoring';
      readonly engine: string;
      readonly lacks: MissingForScaling;
      /** `copies.min` of the engine, where it would need no metrics with 0. */
      readonly min?: number;
    }
  | { readonly filter: 'paused' }
  | { readonly filter: 'pools' }
  | {
      readonly filter: 'spread';
      readonly limit: SpreadLimit;
      readonly domain?: string;
      readonly most?: number;
      /** The replicas in the domain. Only with `minDomains`. */
      readonly used?: number;
    }
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

/** What a cluster lacks for a cache: a label that it selects, a kind of storage, or the internet that it is filled from. */
export type CacheMisfit =
  | { readonly lacks: 'selector' | MissingStorage }
  | { readonly lacks: 'internet'; readonly host: string };

/** A kind of storage for caches. `storage` is a shared file system. */
export type MissingStorage = 'storage' | Exclude<CacheNeed, 'SharedFilesystem'>;

/** The lack that a need leads to. */
export const LACK_BY_NEED: Readonly<Record<CacheNeed, MissingStorage>> = {
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
      readonly mismatch?: Mismatch | undefined;
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
  /** Those of `inUse` that are idle, because replicas reserve them for rollouts. Absent: none. */
  readonly reserved?: number;
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
