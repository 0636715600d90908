import type { InferenceClass } from '../api/inference-class';
import type { InferenceCluster } from '../api/inference-cluster';
import type { NodePool } from '../api/node-pool';
import { sortUnique } from '../base/order';

/** The number of nodes of a pool, in all zones. */
type PoolSize =
  | { readonly kind: 'Fixed'; readonly nodes: number }
  | { readonly kind: 'Autoscaled'; readonly initial: number; readonly min: number; readonly max: number };

/**
 * Returns the size of a pool, as the scheduler counts it. Without `maxNodeCount` the size is fixed, without an
 * autoscaler.
 *
 * @param least the minimum number of nodes from which the autoscaler of the cloud can add more
 */
export function poolSizeOf({ nodeCount, minNodeCount = 0, maxNodeCount }: NodePool, least: number): PoolSize {
  if (maxNodeCount === undefined) return { kind: 'Fixed', nodes: nodeCount };
  const min = Math.min(maxNodeCount, Math.max(least, minNodeCount));
  return { kind: 'Autoscaled', initial: Math.max(min, nodeCount), min, max: maxNodeCount };
}

/** The effects of taints in the APIs of Google Cloud and AWS. */
export const TAINT_EFFECTS = {
  NoSchedule: 'NO_SCHEDULE',
  PreferNoSchedule: 'PREFER_NO_SCHEDULE',
  NoExecute: 'NO_EXECUTE',
} as const;

/** Returns the zones of a pool, sorted and without duplicates. */
export function zonesOf({ zones }: { readonly zones: readonly string[] }): string[] {
  return sortUnique(zones);
}

/** Formats a machine type and its zones as a part of a name: `a3-highgpu-8g_us-central1-a`. */
export function formatMachineName(type: string, zones: readonly string[]): string {
  return [type, ...zones].join('_');
}

/**
 * The Pulumi options of pools. The timeout is how long a cloud can search for machines before a stockout is an error.
 * The old pool is deleted first, because the name of a pool is fixed and quota for twice its nodes is rare.
 */
export const POOL_OPTIONS = { customTimeouts: { create: '30m' }, deleteBeforeReplace: true };

/** The DRA driver of NVIDIA GPUs, which the NVIDIA chart installs. */
export const NVIDIA_DRIVER = 'gpu.nvidia.com';

/** Whether pods claim devices of a driver on nodes of a class, which needs a cluster with DRA. */
export function claimsDevicesOf(
  wanted: string,
  cluster: InferenceCluster,
  declared: InferenceClass | undefined,
): boolean {
  const devices = (cluster.spec.dra && declared?.spec.devices) || [];
  return devices.some(({ claim, driver }) => claim === 'DRA' && driver === wanted);
}
