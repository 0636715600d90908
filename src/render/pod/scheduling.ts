import type { InferenceCluster } from '../../api/inference-cluster';
import type { NodePool } from '../../api/node-pool';
import type { NODE_EFFECTS, Taint } from '../../api/schema/taints-and-tolerations';
import { GPU_TAINT_KEY } from '../../catalog/device-classes';
import { MANAGED_BY } from '../../manifest/kubernetes/labels-and-annotations';
import type { JsonObject } from '../../manifest/kubernetes/manifest';
import type { ComputedEngine, ComputedMember, ComputedReplica } from '../../replicas/replica';

type NodeTaint = Taint<(typeof NODE_EFFECTS)[number]>;

/** What lets a pod onto a tainted node. */
export type NodeToleration = {
  readonly key: string;
  readonly operator: 'Equal' | 'Exists';
  readonly value?: string;
  readonly effect: NodeTaint['effect'];
};

/**
 * The toleration of the taint that nodes with GPUs have, whatever its value: GKE sets `present` by itself, on other
 * clouds whoever makes the pool chooses. Kubernetes adds no such toleration here: it does so only for pods that ask
 * for an extended resource, and these claim devices instead.
 */
export const GPU_TOLERATION: NodeToleration = {
  key: GPU_TAINT_KEY,
  operator: 'Exists',
  effect: 'NoSchedule',
};

/** What pods tolerate on the nodes of a pool: its declared taints, and the one for GPUs. */
export function tolerationsOf(pool: NodePool): NodeToleration[] {
  // The scheduler passes over a taint that only prefers, so it needs no toleration.
  const declared = pool.taints.filter(({ effect }) => effect !== 'PreferNoSchedule').map(toToleration);
  return declared.some(isGpuToleration) ? declared : [...declared, GPU_TOLERATION];
}

function toToleration({ key, value, effect }: NodeTaint): NodeToleration {
  return value ? { key, operator: 'Equal', value, effect } : { key, operator: 'Exists', effect };
}

/** Whether a declared taint is the one for GPUs, whose value is then known. */
function isGpuToleration({ key, effect }: NodeToleration): boolean {
  return key === GPU_TOLERATION.key && effect === GPU_TOLERATION.effect;
}

/** What leads a pod to nodes of no pool, where the cluster has any: engines need the processors of the others. */
export function avoidGpuPools({ spec }: InferenceCluster): JsonObject {
  const preference = { matchExpressions: [{ key: spec.poolLabel, operator: 'DoesNotExist' }] };
  return {
    nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, preference }] },
  };
}

/** What gets a pod onto the nodes of any pool: a cluster may have no others. */
export function tolerateAllPools({ spec }: InferenceCluster): NodeToleration[] {
  const all = spec.nodePools.flatMap(tolerationsOf);
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}

/**
 * Makes the cluster's scheduler put small pods together, so that whole nodes stay free for large ones. By default it
 * spreads pods over nodes. Both parts are needed: a preference for nodes with other pods of ours, and a spread over
 * something that all nodes have in common, which takes the place of the default one over nodes.
 *
 * Only a preference: the plan never counts on it. Pods that take a node to themselves get none, nor do pods in pools
 * that pack by themselves or give every pod a node.
 */
export function renderPackingHints(
  { cluster }: ComputedReplica,
  { pool }: ComputedEngine,
  { claims, extended = {}, takesNode }: ComputedMember,
): JsonObject {
  const devices = claims.length + Object.keys(extended).length;
  if (pool.packing !== 'Spread' || takesNode || devices === 0) return {};
  const labelSelector = { matchLabels: MANAGED_BY };
  const near = { labelSelector, namespaceSelector: {}, topologyKey: 'kubernetes.io/hostname' };
  return {
    affinity: {
      podAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm: near }],
      },
    },
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: cluster.spec.poolLabel,
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector,
      },
    ],
  };
}
