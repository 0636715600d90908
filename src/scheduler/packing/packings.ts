import type { Packing } from '../compiled-fleet';
import { countNodesBinPacked } from './bin-pack';
import { countNodesWorstCase, type PodLoad } from './worst-case';

/** How many nodes pods need, by what the cluster is trusted with: all of them, or where others stand already those asked. */
export const PACKINGS: Readonly<
  Record<
    Packing,
    (amounts: readonly number[], loads: readonly PodLoad[], included?: (load: PodLoad) => boolean) => number
  >
> = {
  /** The cluster may put pods anywhere: every pod keeps a sure place. */
  Spread: countNodesWorstCase,
  /** The cluster runs a scheduler that packs, the user says. */
  BinPack: (amounts, loads) => countNodesBinPacked(amounts, loads),
  /** A node for each pod. */
  Exclusive: (_, loads) => loads.reduce((sum, { pods }) => sum + pods, 0),
};

/** How many further pods of one need have a place beside `loads` on `nodes` nodes. */
export function countRoom(
  { packing, amounts, nodes }: { packing: Packing; amounts: readonly number[]; nodes: number },
  loads: readonly PodLoad[],
  footprint: PodLoad['footprint'],
): number {
  const fits = (pods: number): boolean =>
    PACKINGS[packing](amounts, [...loads, { footprint, pods }]) <= nodes;
  let high = 1;
  while (fits(high) && high <= nodes * MAX_PODS_PER_NODE) high *= 2;
  let low = 0;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** No node holds more pods with devices: 16 entries of 64 devices are the most a class can list. */
const MAX_PODS_PER_NODE = 1024;
