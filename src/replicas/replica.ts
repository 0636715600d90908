import type { Engine, EngineMember } from '../api/engine';
import type { InferenceCluster } from '../api/inference-cluster';
import type { ModelDeployment } from '../api/model-deployment';
import type { NodePool } from '../api/node-pool';
import type { Claim } from '../scheduler/devices/pod-fit';
import type { Wave } from '../scheduler/rollout-waves';
import type { MountedCache } from './mounted-caches';

/** The version of `ComputedReplica`. It grows when a field goes or changes its meaning; new fields leave it. */
export const COMPUTED_VERSION = 1;

/** A replica with everything that its manifests depend on, as plain data. What every renderer reads. */
export interface ComputedReplica {
  readonly version: typeof COMPUTED_VERSION;
  readonly deployment: ModelDeployment;
  readonly cluster: InferenceCluster;
  readonly index: number;

  /** Set where it still runs earlier engines, which `deployment` then has. */
  readonly former?: true;

  /** When it is replaced, where what it runs changes. */
  readonly wave: Wave;

  /** How many replicas of the deployment are on this cluster, this one among them. */
  readonly here: number;

  /** In the order in which the deployment declares them. */
  readonly engines: readonly ComputedEngine[];

  /** What its pods mount: the model first, then adapters. */
  readonly caches: readonly MountedCache[];
}

/** An engine and the pool that all its pods are on. */
export interface ComputedEngine {
  readonly engine: Engine;
  readonly pool: NodePool;
  readonly members: readonly ComputedMember[];
}

/** Pods of an engine that are alike, and the devices that each claims. */
export interface ComputedMember {
  readonly member: EngineMember;

  /** The narrowest request first. Empty: the pods claim nothing. */
  readonly claims: readonly Claim[];

  /** Devices by extended resource, where the cluster is without DRA. */
  readonly extended?: Readonly<Record<string, number>>;

  /** Whether no other pod with such devices fits on a node beside one of these. */
  readonly takesNode: boolean;

  /** CPU and memory that the container requests: as declared, or its share of the node. */
  readonly requests: Readonly<Record<string, string>>;
}

/** The role of a member in its engine. */
export type Role = EngineMember['role'];

/** Whether pods of a role answer requests. Workers of a gang only compute for their leader. */
export function isServingRole(role: Role): boolean {
  return role !== 'Worker';
}
