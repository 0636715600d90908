import { deliveryOf } from '../../api/cache/delivery';
import type { ModelCache } from '../../api/model-cache';
import type { ModelDeployment } from '../../api/model-deployment';
import { qualifiedNameOf } from '../../api/resource';
import { stagingSecondsOf, startupSecondsOf } from '../../engine/startup-and-shutdown';
import { type Fleet, indexDeploymentsById } from '../../fleet/fleet';
import { BUILT_IN_MODELS } from '../../fleet/models/model-book';
import type { Downtime } from '../../diff/downtime';
import { locateCaches } from '../../replicas/cache-clusters';
import { type CacheIndex, indexCaches, listMountedCaches } from '../../replicas/mounted-caches';
import { type ReplicaStart, replicaStartOf } from '../../replicas/start-time';
import type { Placement } from '../../scheduler/placement';

/** How long a new replica takes until it serves. */
export interface Recovery {
  /** The most seconds, by the startup budgets of its engines. */
  readonly seconds: number;

  /** How long its pods usually take. Absent: it loads weights of an unknown size, or its pods have no known pool. */
  readonly start?: Downtime;
}

/** Returns how long a new replica takes until it serves. */
export type RecoveryTime = (placement: Placement) => Recovery;

/**
 * Creates a function that estimates recovery times. If the weights are not on the cluster yet, the time to create and fill
 * their volume is added to the most seconds, at the slowest rate observed for shared file systems.
 *
 * @param placements the replicas that serve before the loss; their caches are staged
 */
export function createRecoveryTime(fleet: Fleet, placements: readonly Placement[]): RecoveryTime {
  const deployments = indexDeploymentsById(fleet.deployments);
  const index = indexCaches(fleet);
  const staged = stagedCachesOf(fleet, placements);
  const findStart = createStartFinder(fleet, index);
  return (placement) => {
    const deployment = deployments.get(placement.deployment);
    if (!deployment) return { seconds: 0 };
    const cache = cacheOf(deployment, index.byName);
    const isStaged = !cache || hasFiles(cache, staged.has(`${qualifiedNameOf(cache)} ${placement.cluster}`));
    const size = cache?.spec.sizeGiB;
    const starts = deployment.spec.template.spec.engines.map((engine) => startupSecondsOf(engine, size));
    const start = findStart(deployment, placement);
    return {
      seconds: (isStaged || size === undefined ? 0 : stagingSecondsOf(size)) + Math.max(0, ...starts),
      ...(start?.least !== undefined && { start: { ...start, ...(!isStaged && { waits: ['cache'] as const }) } }),
    };
  };
}

/** Creates a function that estimates how long the pods of a replica usually take on nodes where it did not run. */
function createStartFinder(fleet: Fleet, caches: CacheIndex) {
  const clusters = new Map(fleet.clusters.map((one) => [one.metadata.name, one]));
  const models = fleet.models ?? BUILT_IN_MODELS;
  return (deployment: ModelDeployment, { cluster: name, pools }: Placement): ReplicaStart | undefined => {
    const cluster = clusters.get(name);
    const declared = deployment.spec.template.spec.engines;
    const engines = declared.flatMap((engine) => {
      const pool = cluster?.spec.nodePools.find((one) => one.name === pools[engine.name]);
      return pool ? [{ engine, pool }] : [];
    });
    if (!cluster || engines.length < declared.length) return undefined;
    const mounted = listMountedCaches(deployment, cluster, caches);
    return replicaStartOf({ deployment, engines, caches: mounted }, 'other-nodes', models);
  };
}

/** Whether a new replica finds the files: on its disk it does not, and mounts always have them. */
function hasFiles({ spec }: ModelCache, isStaged: boolean): boolean {
  const delivery = deliveryOf(spec);
  return delivery === 'Staged' ? isStaged : delivery !== 'PodDisk';
}

/** The staged caches with their clusters, as `namespace/name cluster`. */
function stagedCachesOf(fleet: Fleet, placements: readonly Placement[]): Set<string> {
  const deployments = indexDeploymentsById(fleet.deployments);
  const clusters = new Map(fleet.clusters.map((one) => [one.metadata.name, one]));
  const mounting = placements.flatMap((placement) => {
    const deployment = deployments.get(placement.deployment);
    const cluster = clusters.get(placement.cluster);
    return deployment && cluster ? [{ deployment, cluster }] : [];
  });
  return new Set(
    locateCaches(fleet, mounting).flatMap(({ cache, clusters: holders }) =>
      holders.map(({ metadata }) => `${qualifiedNameOf(cache)} ${metadata.name}`),
    ),
  );
}

/** The cache of the model of a deployment. Adapters are small in comparison and do not count. */
function cacheOf({ metadata, spec }: ModelDeployment, caches: ReadonlyMap<string, ModelCache>): ModelCache | undefined {
  const name = spec.template.spec.modelCacheRef?.name;
  return name === undefined ? undefined : caches.get(`${metadata.namespace}/${name}`);
}
