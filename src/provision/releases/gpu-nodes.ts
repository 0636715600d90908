import type { NodePool } from '../../api/node-pool';
import { groupBy } from '../../order';
import type { Site } from './release';

/** The driver that the chart of NVIDIA installs. */
const NVIDIA = 'gpu.nvidia.com';

/** The driver of network cards. */
const DRANET = 'dra.net';

/** What clouds put on nodes with GPUs, whether or not the pool declares it. */
const GPU_TAINT = { key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' } as const;

/** What one kind of pod tolerates. */
interface Toleration {
  readonly key: string;
  readonly operator: 'Exists';
  readonly effect: string;
}

/** The pools whose nodes have NVIDIA GPUs that pods claim. */
export function nvidiaPools({ cluster, classes }: Site): readonly NodePool[] {
  if (!cluster.spec.dra) return [];
  return cluster.spec.nodePools.filter(({ className }) =>
    classes.get(className)?.spec.devices.some(({ driver, claim }) => driver === NVIDIA && claim === 'DRA'),
  );
}

/** The pools whose nodes have network cards for EFA that pods claim. */
export function efaPools({ cluster, classes }: Site): readonly NodePool[] {
  if (!cluster.spec.dra) return [];
  return cluster.spec.nodePools.filter(
    ({ className, fabric }) =>
      fabric.type === 'EFA' &&
      classes.get(className)?.spec.devices.some(({ driver, claim }) => driver === DRANET && claim === 'DRA'),
  );
}

/**
 * What a DaemonSet has to tolerate to run on every node of some pools with GPUs: a missing one keeps the driver away
 * from the pool, and its claims wait for ever while everything looks well.
 */
export function gpuTolerations(pools: readonly NodePool[]): readonly Toleration[] {
  const declared = pools
    .flatMap(({ taints }) => taints)
    .map(({ key, effect }): Toleration => ({ key, operator: 'Exists', effect }));
  const all = groupBy([GPU_TAINT, ...declared], ({ key, effect }) => `${key} ${effect}`).values();
  return [...all].flatMap((alike) => alike.slice(0, 1));
}
