import type { InferenceClass } from '../api/inference-class';
import type { InferenceCluster } from '../api/inference-cluster';
import type { NodePool } from '../api/node-pool';
import type { Provisioning } from '../api/provisioning';
import { sortedBy } from '../base/order';
import type { Fleet } from '../fleet/fleet';

/** The pool for the system pods of a cluster. No declared pool can have this name. */
export const SYSTEM_POOL = 'system';

/** A declared pool with its class, and the settings of the class for a cloud. */
export interface CloudPool<Cloud extends keyof Provisioning> {
  readonly pool: NodePool;
  readonly machine: NonNullable<Provisioning[Cloud]>;
  readonly declared: InferenceClass;
}

/** Returns the pools of a cluster on a cloud, sorted by name. */
export function listCloudPools<Cloud extends 'aks' | 'eks' | 'gke'>(
  { metadata, spec }: InferenceCluster,
  { classes }: Pick<Fleet, 'classes'>,
  cloud: Cloud,
): CloudPool<Cloud>[] {
  const byName = new Map(classes.map((declared) => [declared.metadata.name, declared]));
  return sortedBy(spec.nodePools, ({ name }) => name).map((pool) => {
    const declared = byName.get(pool.className);
    const machine = declared?.spec.provisioning?.[cloud];
    if (!machine) throw new Error(`bug: pool ${metadata.name}/${pool.name} has no class for ${cloud.toUpperCase()}`);
    return { pool, machine, declared };
  });
}

/** The number of nodes of a pool, in all zones. `min` and `max` are equal for a fixed size, without an autoscaler. */
interface PoolSize {
  readonly initial: number;
  readonly min: number;
  readonly max: number;
}

/**
 * Returns the size of a pool, as the scheduler counts it. Without `maxNodeCount` the size is fixed.
 *
 * @param least the minimum number of nodes from which the autoscaler of the cloud can add more
 */
export function poolSizeOf({ nodeCount, minNodeCount = 0, maxNodeCount }: NodePool, least: number): PoolSize {
  if (maxNodeCount === undefined) return { initial: nodeCount, min: nodeCount, max: nodeCount };
  const min = Math.min(maxNodeCount, Math.max(least, minNodeCount));
  return { initial: Math.max(min, nodeCount), min, max: maxNodeCount };
}

/**
 * Returns the minimum number of nodes of an autoscaled pool on EKS and AKS. Their autoscalers do not know the devices of
 * new nodes, so they infer them from existing nodes: an empty pool with claims would stay empty.
 */
export function minAutoscaledNodesOf({ spec }: InferenceCluster): number {
  return spec.dra ? 1 : 0;
}

const CLOUDS_THAT_KEEP_A_NODE: ReadonlySet<string> = new Set(['EKS', 'AKS', 'Custom']);

/** The fewest nodes of an autoscaled pool without `minNodeCount`, as its cluster is created. GKE knows empty pools. */
export function leastAutoscaledNodesOf(cluster: InferenceCluster): number {
  return CLOUDS_THAT_KEEP_A_NODE.has(cluster.spec.cluster.source) ? minAutoscaledNodesOf(cluster) : 0;
}

/** The effects of taints in the APIs of Google Cloud and AWS. */
export const TAINT_EFFECTS = {
  NoSchedule: 'NO_SCHEDULE',
  PreferNoSchedule: 'PREFER_NO_SCHEDULE',
  NoExecute: 'NO_EXECUTE',
} as const;

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

/**
 * Returns the labels of the nodes of a pool: those that it declares, that by which the chart of NVIDIA's DRA driver
 * selects nodes, and the name of the pool.
 */
export function nodeLabelsOf(
  cluster: InferenceCluster,
  pool: NodePool,
  declared: InferenceClass | undefined,
): Record<string, string> {
  return {
    ...pool.labels,
    ...(claimsDevicesOf(NVIDIA_DRIVER, cluster, declared) && { 'nvidia.com/gpu.present': 'true' }),
    [cluster.spec.poolLabel]: pool.name,
  };
}

/** Returns the labels that identify the owner of a resource: the fleet, if it has a name, and the cluster. */
export function ownershipLabelsOf(
  cluster: InferenceCluster,
  { settings }: Pick<Fleet, 'settings'>,
): Record<string, string> {
  return {
    // Google Cloud does not allow dots in label values.
    ...(settings && { 'fleetwright-fleet': settings.metadata.name.replaceAll('.', '-').slice(0, 63) }),
    'fleetwright-cluster': cluster.metadata.name,
  };
}
