import type { NodePool } from '../../api/node-pool';
import { GPU_TAINT_KEY } from '../../catalog/device-classes';
import { claimsDevicesOf, NVIDIA_DRIVER } from '../node-pools';
import type { ReleaseContext } from './release';

/** The pools of a cluster whose NVIDIA GPUs are claimed. */
export function nvidiaPoolsOf({ cluster, classes }: ReleaseContext): NodePool[] {
  return cluster.spec.nodePools.filter(({ className }) =>
    claimsDevicesOf(NVIDIA_DRIVER, cluster, classes.get(className)),
  );
}

/** The taint that clouds add to GPU nodes, even if the pool does not declare it. */
const GPU_TAINT = { key: GPU_TAINT_KEY, operator: 'Exists', effect: 'NoSchedule' };

/** With a missing toleration, the driver does not run on a pool, and claims wait forever without an error. */
export function gpuTolerationsOf(pools: readonly NodePool[]) {
  const declared = pools.flatMap(({ taints }) =>
    taints.map(({ key, effect }) => ({ key, operator: 'Exists', effect })),
  );
  return [...new Map([GPU_TAINT, ...declared].map((one) => [`${one.key} ${one.effect}`, one])).values()];
}
