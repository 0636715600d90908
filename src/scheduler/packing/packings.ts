import { bisectLast } from '../../base/order';
import type { Pool } from '../compiled-fleet';
import { countNodesBinPacked } from './bin-pack';
import { countNodesWorstCase, type PodLoad } from './worst-case';

/**
 * The number of nodes that pods need under each packing of a pool. Counts all pods, or only the `included` ones
 * while the others keep their nodes.
 */
export const PACKINGS: Readonly<Record<Pool['packing'], typeof countNodesWorstCase>> = {
  /** The cluster may put pods on any node: every pod has a guaranteed place. */
  Spread: countNodesWorstCase,
  /**
   * KAI packs pods, and does not move those that run. Pods of one shape leave no gaps on any node, so that the worst
   * arrangement is the packed one. Where shapes mix, pods that came earlier leave gaps.
   */
  KAI: countNodesWorstCase,
  /** The cluster runs a scheduler that packs pods, by the declaration of the user. */
  BinPack: (amounts, loads) => countNodesBinPacked(amounts, loads),
  /** One node for each pod. */
  Exclusive: (_, loads) => loads.reduce((sum, { pods }) => sum + pods, 0),
};

/** The number of further pods of one footprint that have a place in addition to `loads` on `nodes` nodes. */
export function countRoom(
  { packing, amounts, nodes }: { packing: Pool['packing']; amounts: readonly number[]; nodes: number },
  loads: readonly PodLoad[],
  footprint: PodLoad['footprint'],
): number {
  const fits = (pods: number): boolean => PACKINGS[packing](amounts, [...loads, { footprint, pods }]) <= nodes;
  let high = 1;
  while (fits(high) && high <= nodes * MAX_PODS_PER_NODE) high *= 2;
  return bisectLast(high - 1, (i) => fits(i + 1)) + 1;
}

/** The most pods with devices on a node: a class can list at most 16 entries of 64 devices. */
const MAX_PODS_PER_NODE = 1024;
