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
 * The toleration of the taint that nodes with GPUs have, whatever its value: GKE sets `present` by itself, on other
 * clouds whoever makes the pool chooses. Kubernetes adds no such toleration here: it does so only for pods that ask
 * for an extended resource, and these claim devices instead.
 */
export const GPU_TOLERATION: NodeToleration = { key: GPU, operator: 'Exists', effect: 'NoSchedule' };

/** What pods tolerate on the nodes of a pool: its declared taints, and the one for GPUs. */
export function tolerationsOf(pool: NodePool): NodeToleration[] {
  // The scheduler passes over a taint that only prefers, so it needs no toleration.
  const declared = pool.taints.filter(({ effect }) => effect !== 'PreferNoSchedule').map(toleration);
  return declared.some(isForGpus) ? declared : [...declared, GPU_TOLERATION];
}

function toleration({ key, value, effect }: NodeTaint): NodeToleration {
  return value ? { key, operator: 'Equal', value, effect } : { key, operator: 'Exists', effect };
}

/** Whether a declared taint is the one for GPUs, whose value is then known. */
function isForGpus({ key, effect }: NodeToleration): boolean {
  return key === GPU_TOLERATION.key && effect === GPU_TOLERATION.effect;
}
