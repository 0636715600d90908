import { reservedCopiesOf } from '../api/engine-copies';
import type { Engine, EngineMember } from '../api/engine';
import type { InferenceCluster } from '../api/inference-cluster';
import { backendTypeOf } from '../api/kubernetes-features';
import type { ModelDeployment } from '../api/model-deployment';
import type { NodePool } from '../api/node-pool';
import { qualifiedNameOf } from '../api/resource';
import { createCachedGroupBy } from '../base/order';
import type { BackendType } from '../catalog/backends';
import { isNetworkClass } from '../catalog/device-classes';
import type { Claim } from '../scheduler/devices/pod-fit';
import type { ReplicaId } from '../scheduler/placement';
import { type Wave } from '../scheduler/rollout-waves';
import { type MountedCache } from './mounted-caches';

/**
 * The version of `ComputedReplica`. It increases when a field is removed or changes its meaning, not when a field
 * is added.
 */
export const COMPUTED_VERSION = 1;

/** A replica with everything that its manifests depend on, as plain data. The input of every renderer. */
export interface ComputedReplica {
  readonly version: typeof COMPUTED_VERSION;
  readonly deployment: ModelDeployment;
  readonly cluster: InferenceCluster;
  readonly index: number;

  /** Set if it still runs earlier engines, which `deployment` then has. */
  readonly former?: true;

  /** What turns its objects into pods until it is replaced. Absent: what its cluster declares. */
  readonly backend?: BackendType;

  /** The wave in which it is replaced when its engines change. */
  readonly wave: Wave;

  /** The number of replicas of the deployment on this cluster, including this one. */
  readonly here: number;

  /** In the order in which the deployment declares them. */
  readonly engines: readonly ComputedEngine[];

  /** The caches that its pods mount: the model first, then adapters. */
  readonly caches: readonly MountedCache[];
}

/** The identity of a replica, as its line of the lock has it. */
export function replicaIdOf({ deployment, cluster, index }: ComputedReplica): ReplicaId {
  return { deployment: qualifiedNameOf(deployment), cluster: cluster.metadata.name, index };
}

/** What turns the objects of a replica into pods. */
export function backendOf({ backend, cluster }: ComputedReplica): BackendType {
  return backend ?? backendTypeOf(cluster);
}

/** An engine and the pool of all its pods. */
export interface ComputedEngine {
  readonly engine: Engine;
  readonly pool: NodePool;
  readonly members: readonly ComputedMember[];
}

/** Identical pods of an engine, and the devices that each claims. */
export interface ComputedMember {
  readonly member: EngineMember;

  /** The narrowest request first. Empty: the pods claim nothing. */
  readonly claims: readonly Claim[];

  /** Devices by extended resource, if the cluster is without DRA. */
  readonly extended?: Readonly<Record<string, number>>;

  /** Whether one of the pods leaves no room on a node for another pod with such devices. */
  readonly takesNode: boolean;

  /** CPU and memory that the container requests: as declared, or its share of the node, or a floor. */
  readonly requests: Readonly<Record<string, string>>;

  /** The resources of `requests` that are a floor: nothing states how much the container gets. Default: none. */
  readonly floored?: readonly string[] | undefined;
}

/** The role of a member in its engine. */
export type Role = EngineMember['role'];

/** Whether pods of a role serve requests. Workers of a gang only compute for their leader. */
export function isServingRole(role: Role): boolean {
  return role !== 'Worker';
}

/** Groups replicas by the deployment that they run. A deployment and its earlier revision are two groups. */
export const groupReplicasByDeployment = createCachedGroupBy(({ deployment }: ComputedReplica) => deployment);

/**
 * Counts the accelerators that the pods of a replica claim at most, without network cards. Devices of classes that are not in
 * the catalog count.
 */
export function countAccelerators({ engines }: ComputedReplica): number {
  return engines.reduce((total, { engine, members }) => {
    const pods = members.map(({ member, claims, extended = {} }) => {
      const claimed = claims
        .flatMap(({ forms }) => forms.slice(0, 1))
        .filter((form) => !isNetworkClass(form.claimedAs));
      const perPod = claimed.reduce((sum, { count }) => sum + count, 0);
      const requested = Object.entries(extended).filter(([name]) => !isNetworkClass(name));
      const nodes = member.worker?.nodes ?? 1;
      return nodes * requested.reduce((sum, [, count]) => sum + count, perPod);
    });
    return total + reservedCopiesOf(engine) * pods.reduce((sum, count) => sum + count, 0);
  }, 0);
}
