import type { InferenceCluster } from '../../api/inference-cluster';
import type { NodePool } from '../../api/node-pool';
import type { NODE_EFFECTS, Taint } from '../../api/schema/taints-and-tolerations';
import { MANAGED_BY } from '../../manifest/kubernetes/labels-and-annotations';
import { Interner } from '../../base/interning';
import { shareText } from '../../manifest/format-yaml';
import type { JsonObject } from '../../manifest/kubernetes/manifest';
import { schedulerOf } from '../queue-metadata';
import type { ComputedEngine, ComputedMember, ComputedReplica } from '../../replicas/replica';

type NodeTaint = Taint<(typeof NODE_EFFECTS)[number]>;

type NodeToleration = {
  readonly key: string;
  readonly operator: 'Equal' | 'Exists';
  readonly value?: string;
  readonly effect: NodeTaint['effect'];
};

/**
 * Tolerates the taint of GPU nodes with any value: GKE sets `present`, and on other clouds the creator of the pool
 * chooses the value. Kubernetes adds this toleration only to pods that request an extended resource. Pods that claim
 * devices do not get it.
 */
export const GPU_TOLERATION: NodeToleration = { key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' };

/** Returns the tolerations for the nodes of a pool: for its declared taints and for the GPU taint. */
export function tolerationsOf(pool: NodePool): NodeToleration[] {
  // The effect `PreferNoSchedule` is only a preference, so it needs no toleration.
  const declared = pool.taints.filter(({ effect }) => effect !== 'PreferNoSchedule').map(toToleration);
  const hasGpuTaint = declared.some(({ key, effect }) => {
    return key === GPU_TOLERATION.key && effect === GPU_TOLERATION.effect;
  });
  return hasGpuTaint ? declared : [...declared, GPU_TOLERATION];
}

function toToleration({ key, value, effect }: NodeTaint): NodeToleration {
  return value ? { key, operator: 'Equal', value, effect } : { key, operator: 'Exists', effect };
}

/** Returns a node affinity that prefers nodes outside of pools, because engines need the CPUs of pool nodes. */
export function avoidGpuPools({ spec }: InferenceCluster): JsonObject {
  const preference = { matchExpressions: [{ key: spec.poolLabel, operator: 'DoesNotExist' }] };
  return { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, preference }] } };
}

/** Returns tolerations for the nodes of all pools: a cluster may have no other nodes. */
export function tolerateAllPools({ spec }: InferenceCluster): NodeToleration[] {
  const all = spec.nodePools.flatMap(tolerationsOf);
  return [...new Map(all.map((toleration) => [JSON.stringify(toleration), toleration])).values()];
}

/**
 * Makes the scheduler of the cluster pack small pods, so that whole nodes stay free for large pods. By default the
 * scheduler spreads pods over nodes. Both parts are needed: a preference for nodes with other Fleetwright pods, and a
 * topology spread over a label that all nodes share, which replaces the default spread over nodes.
 *
 * The hints are preferences: the plan does not depend on them. Pods that occupy a whole node get no hints, nor do pods
 * in pools or under schedulers that already pack pods, or in pools that give every pod its own node.
 */
export function renderPackingHints(
  { cluster }: ComputedReplica,
  { pool }: ComputedEngine,
  { claims, extended = {}, takesNode }: ComputedMember,
): JsonObject {
  const devices = claims.length + Object.keys(extended).length;
  if (pool.packing !== 'Spread' || schedulerOf(cluster).packs || takesNode || devices === 0) return {};
  const { poolLabel } = cluster.spec;
  return HINTS.intern(poolLabel, () => hintsOf(poolLabel));
}

/** The hints by the label of pools, which most clusters have in common. */
const HINTS = new Interner<JsonObject>(100);

function hintsOf(topologyKey: string): JsonObject {
  const labelSelector = { matchLabels: MANAGED_BY };
  const podAffinityTerm = { labelSelector, namespaceSelector: {}, topologyKey: 'kubernetes.io/hostname' };
  const preferred = [{ weight: 100, podAffinityTerm }];
  const spread = { maxSkew: 1, topologyKey, whenUnsatisfiable: 'ScheduleAnyway', labelSelector };
  return {
    affinity: shareText({ podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferred } }),
    topologySpreadConstraints: shareText([spread]),
  };
}
