import type { InferenceClass } from '../../api/inference-class';
import type { NodePool } from '../../api/node-pool';
import { TPU_DRIVER, TPU_RESOURCE } from '../../catalog/tpus';

/** The TPU chips of a node of a class. */
export function tpuChipsOf({ spec }: InferenceClass): number {
  return spec.devices
    .filter(({ driver, extendedResource }) => driver === TPU_DRIVER || extendedResource === TPU_RESOURCE)
    .reduce((sum, { count }) => sum + count, 0);
}

/** The chips of a topology: `4x4` has 16. */
export function chipsOfTopology(topology: string): number {
  return topology.split('x').reduce((chips, length) => chips * Number(length), 1);
}

/**
 * The nodes of the one TPU slice that a pool is. Undefined if the pool is none, or if each of its nodes is a slice.
 *
 * @example
 * sliceHostsOf({ tpuTopology: '4x4', ...pool }, nodesOfFourChips); // 4
 */
export function sliceHostsOf(
  { tpuTopology }: Pick<NodePool, 'tpuTopology'>,
  declared: InferenceClass,
): number | undefined {
  const chips = tpuChipsOf(declared);
  if (tpuTopology === undefined || chips === 0) return undefined;
  const hosts = chipsOfTopology(tpuTopology) / chips;
  return hosts > 1 ? hosts : undefined;
}
