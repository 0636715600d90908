import type { ResourcePath } from '../api/kinds';
import type { NodePool } from '../api/node-pool';
import type { PlacementSpec } from '../api/placement';
import type { LabelSelector } from '../api/schema/label-selector';
import type { Taint, Toleration } from '../api/schema/taints-and-tolerations';
import type { Diagnostic } from '../base/diagnostic';
import type { NodeShape, PodShape } from './compile/shapes';

/** A fleet as the scheduler sees it: selectors compiled, devices folded into shapes, everything sorted. */
export interface CompiledFleet {
  /** By priority (higher first), then by id. */
  readonly deployments: readonly CompiledDeployment[];
  /** By name. */
  readonly clusters: readonly CompiledCluster[];
  /** What the known hardware tells of selectors that work by luck. */
  readonly warnings: readonly Diagnostic<ResourcePath>[];
}

/** A cluster with its pools, sorted by name. */
export interface CompiledCluster {
  readonly name: string;
  /** Declared labels and the computed ones. */
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly pools: readonly Pool[];
  /** Whether caches can be staged there: it has, or is given, a shared file system. */
  readonly sharedStorage: boolean;
  /** Its replicas stay exactly as they are. */
  readonly paused: boolean;
}

/** Nodes of one class on one cluster. */
export interface Pool {
  readonly cluster: string;
  readonly name: string;
  /** The most nodes it can have, over all zones. */
  readonly nodes: number;
  /** Those of `nodes` that a snapshot shows as not there: new replicas are kept off them, placed ones stay. */
  readonly lost: number;
  readonly node: NodeShape;
  readonly packing: Packing;
  /** What a node costs an hour. Absent when nobody says. */
  readonly price?: number;
}

/** What a pool can be trusted to hold: see `capacity.ts`. */
export type Packing = NodePool['packing'];

/** A deployment and what its replicas ask for. */
export interface CompiledDeployment {
  /** `namespace/name`. */
  readonly id: string;
  readonly replicas: number;
  readonly allowPartial: boolean;
  readonly priority: number;
  readonly demand: ReplicaDemand;
  /** Eight hexadecimal digits over engines, copies, members and device counts. */
  readonly shape: string;
  /** What replicas ask for that still run earlier engines, by the digest of these. */
  readonly previousRevisions: ReadonlyMap<string, ReplicaDemand>;
  /** Its replicas stay exactly where they are. */
  readonly paused: boolean;
  readonly placement: PlacementPreference;
  /** Replicas that are replaced at a time: infinitely many where all are. */
  readonly parallel: number;
}

/** Which clusters a deployment prefers, and how its replicas spread over failure domains. */
export interface PlacementPreference extends Omit<PlacementSpec, 'spreadBy'> {
  /** The cluster label whose values are the failure domains. */
  readonly domainKey?: string;
}

/** What decides where a replica can go. Deployments that ask for the same share one. */
export interface ReplicaDemand {
  readonly selector: LabelSelector;
  readonly tolerations: readonly Toleration[];
  readonly caches: readonly CacheDemand[];
  readonly engines: readonly EngineDemand[];
  /** What an engine prefers among the pools of a cluster: less device memory, or a lower price. */
  readonly poolOrder: 'memory' | 'price';
}

/** A cache that replicas mount: only clusters that can hold it take new ones. */
export interface CacheDemand {
  /** `namespace/name`. */
  readonly name: string;
  readonly selector: LabelSelector;
  /** Whether it is staged, on a shared file system. Otherwise its volume is there already. */
  readonly staged: boolean;
}

/** One serving unit; all its pods land on one pool. */
export interface EngineDemand {
  readonly name: string;
  readonly members: readonly MemberDemand[];
}

/** Pods of an engine that are alike. */
export interface MemberDemand {
  readonly role: string;
  /** Pods that one replica has at most: copies times nodes, and what a rollout adds for a while. */
  readonly pods: number;
  /** Those of `pods` that are there during a rollout only. */
  readonly surge: number;
  readonly pod: PodShape;
}
