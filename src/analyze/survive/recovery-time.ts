import { deliveryOf } from '../../api/cache/delivery';
import type { ModelCache } from '../../api/model-cache';
import type { ModelDeployment } from '../../api/model-deployment';
import { qualifiedNameOf } from '../../api/resource';
import { stagingSecondsOf, startupSecondsOf } from '../../engine/startup-and-shutdown';
import { type Fleet, indexDeploymentsById } from '../../fleet/fleet';
import { locateCaches } from '../../replicas/cache-clusters';
import type { Placement } from '../../scheduler/placement';

/** Returns the most seconds that a new replica takes until it serves. */
export type RecoveryTime = (placement: Placement) => number;

/**
 * Creates a function that estimates recovery times from the startup budgets of engines. If the weights are not on the
 * cluster yet, the time to create and fill their volume is added, at the slowest rate observed for shared file systems.
 *
 * @param placements the replicas that serve before the loss; their caches are staged
 */
export function createRecoveryTime(fleet: Fleet, placements: readonly Placement[]): RecoveryTime {
  const deployments = indexDeploymentsById(fleet.deployments);
  const caches = new Map(fleet.caches.map((one) => [qualifiedNameOf(one), one]));
  const staged = stagedCachesOf(fleet, placements);
  return (placement) => {
    const deployment = deployments.get(placement.deployment);
    if (!deployment) return 0;
    const cache = cacheOf(deployment, caches);
    const isStaged = !cache || hasFiles(cache, staged.has(`${qualifiedNameOf(cache)} ${placement.cluster}`));
    const size = cache?.spec.sizeGiB;
    const starts = deployment.spec.template.spec.engines.map((engine) => startupSecondsOf(engine, size));
    return (isStaged || size === undefined ? 0 : stagingSecondsOf(size)) + Math.max(0, ...starts);
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
