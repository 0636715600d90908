import type { NodePool } from '../api/node-pool';
import { sortUnique } from '../base/order';

/** How many nodes a pool has, over all zones. */
export type PoolSize =
  | { readonly kind: 'Fixed'; readonly nodes: number }
  | { readonly kind: 'Autoscaled'; readonly initial: number; readonly min: number; readonly max: number };

/**
 * The size of a pool, as placement counts it: without `maxNodeCount` it is fixed, and no autoscaler touches it.
 *
 * @param least the fewest nodes from which the cloud's autoscaler can add more
 */
export function poolSizeOf({ nodeCount, minNodeCount = 0, maxNodeCount }: NodePool, least: number): PoolSize {
  if (maxNodeCount === undefined) return { kind: 'Fixed', nodes: nodeCount };
  const min = Math.min(maxNodeCount, Math.max(least, minNodeCount));
  return { kind: 'Autoscaled', initial: Math.max(min, nodeCount), min, max: maxNodeCount };
}

/** The effects of taints as the APIs of Google and Amazon write them. */
export const TAINT_EFFECTS = {
  NoSchedule: 'NO_SCHEDULE',
  PreferNoSchedule: 'PREFER_NO_SCHEDULE',
  NoExecute: 'NO_EXECUTE',
} as const;

/** The zones of a pool, each once. */
export function zonesOf({ zones }: { readonly zones: readonly string[] }): string[] {
  return sortUnique(zones);
}

/** What a cloud is asked for, as a part of a name: `a3-highgpu-8g_us-central1-a`. */
export function formatMachineName(type: string, zones: readonly string[]): string {
  return [type, ...zones].join('_');
}

/**
 * How pools are made. So long a cloud may look for machines before a stockout is an error; and since a pool's name is
 * fixed, and quota for twice its nodes is rare, the old one goes before a new one comes.
 */
export const POOL_OPTIONS = { customTimeouts: { create: '30m' }, deleteBeforeReplace: true };
