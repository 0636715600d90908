import type { LabelSelector } from '../api/shared/selector';
import type { Taint } from '../api/shared/taint';
import type { Toleration } from '../api/shared/toleration';
import type { NodeShape, PodShape } from './shapes';

/** A fleet as the scheduler sees it: selectors compiled, devices folded into shapes, everything sorted. */
export interface Model {
  /** By priority (higher first), then by id. */
  readonly workloads: readonly Workload[];
  /** By name. */
  readonly sites: readonly Site[];
}

/** A cluster with its pools, sorted by name. */
export interface Site {
  readonly name: string;
  /** Declared labels and the computed ones. */
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly pools: readonly Pool[];
  /** Whether caches can be staged there: it has, or is given, a shared file system. */
  readonly sharedStorage: boolean;
}

/** Nodes of one class on one cluster. */
export interface Pool {
  readonly cluster: string;
  readonly name: string;
  /** The most nodes it can have, over all zones. */
  readonly nodes: number;
  readonly node: NodeShape;
}

/** A deployment and what its replicas ask for. */
export interface Workload {
  /** `namespace/name`. */
  readonly id: string;
  readonly replicas: number;
  readonly allowPartial: boolean;
  readonly priority: number;
  readonly demand: Demand;
  /** Eight hexadecimal digits over engines, copies, members and device counts. */
  readonly shape: string;
}

/** What decides where a replica can go. Deployments that ask for the same share one. */
export interface Demand {
  readonly selector: LabelSelector;
  readonly tolerations: readonly Toleration[];
  readonly cache?: { readonly name: string; readonly selector: LabelSelector };
  readonly engines: readonly Engine[];
}

/** One serving unit; all its pods land on one pool. */
export interface Engine {
  readonly name: string;
  readonly members: readonly Member[];
}

/** Pods of an engine that are alike. */
export interface Member {
  readonly role: string;
  /** Pods in one replica: copies times nodes. */
  readonly pods: number;
  /** Absent for a member that asks for no devices: pinned to the engine's pool, charged nothing. */
  readonly pod?: PodShape;
}
