import type { Source } from '../api/cluster-source';
import type { InferenceCluster } from '../api/inference-cluster';
import type { NodePool } from '../api/node-pool';
import type { NODE_EFFECTS, Taint } from '../api/shared/taint';

type NodeTaint = Taint<(typeof NODE_EFFECTS)[number]>;

/** What lets a pod onto a tainted node. */
export type NodeToleration = {
  readonly key: string;
  readonly operator: 'Equal' | 'Exists';
  readonly value?: string;
  readonly effect: NodeTaint['effect'];
};

const GPU = 'nvidia.com/gpu';

/**
 * The toleration of the taint that nodes with GPUs have, by where the cluster comes from.
 *
 * GKE sets the taint itself, on GPU pools of clusters that have other pools too. On the other clouds whoever makes
 * the pool sets it. On an existing cluster its value is unknown. Kubernetes adds no such toleration by itself: it
 * does so only for pods that ask for an extended resource, and these claim devices instead.
 */
export const GPU_TOLERATIONS: Readonly<Record<Source, NodeToleration>> = {
  GKE: { key: GPU, operator: 'Equal', value: 'present', effect: 'NoSchedule' },
  EKS: { key: GPU, operator: 'Equal', value: 'true', effect: 'NoSchedule' },
  AKS: { key: GPU, operator: 'Equal', value: 'true', effect: 'NoSchedule' },
  Nebius: { key: GPU, operator: 'Equal', value: 'true', effect: 'NoSchedule' },
  Vultr: { key: GPU, operator: 'Equal', value: 'true', effect: 'NoSchedule' },
  Existing: { key: GPU, operator: 'Exists', effect: 'NoSchedule' },
};

/** What pods tolerate on the nodes of a pool: its declared taints, and the one for GPUs. */
export function tolerationsOf({ spec }: InferenceCluster, pool: NodePool): NodeToleration[] {
  const gpu = GPU_TOLERATIONS[spec.cluster.source];
  // The scheduler passes over a taint that only prefers, so it needs no toleration.
  const declared = pool.taints.filter(({ effect }) => effect !== 'PreferNoSchedule').map(toleration);
  return declared.some((one) => covers(one, gpu)) ? declared : [...declared, gpu];
}

function toleration({ key, value, effect }: NodeTaint): NodeToleration {
  return value ? { key, operator: 'Equal', value, effect } : { key, operator: 'Exists', effect };
}

/** Whether a declared taint tells what the table can only guess, or the same. */
function covers(declared: NodeToleration, gpu: NodeToleration): boolean {
  if (declared.key !== gpu.key || declared.effect !== gpu.effect) return false;
  return gpu.operator === 'Exists' || declared.operator === 'Exists' || declared.value === gpu.value;
}
