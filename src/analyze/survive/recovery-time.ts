import type { InferenceCluster } from '../../api/inference-cluster';
import type { ModelCache } from '../../api/model-cache';
import type { ModelDeployment } from '../../api/model-deployment';
import { qualifiedNameOf } from '../../api/resource';
import { type CacheSize, stagingSecondsOf, startupSecondsOf } from '../../engine/startup-and-shutdown';
import { type Fleet, indexDeploymentsById } from '../../fleet/fleet';
import { locateCaches } from '../../replicas/cache-clusters';
import type { Placement } from '../../scheduler/schedule-result';

/** How long a new replica takes at most until it serves, in seconds. */
export type RecoveryTime = (placement: Placement) => number;

/**
 * Reckons with the budgets that engines have to start. Where the weights are not on the cluster yet, their volume is
 * made and filled first, at the slow end of what is seen of shared file systems.
 *
 * @param placements what serves before: their caches are staged
 */
export function createRecoveryTime(fleet: Fleet, placements: readonly Placement[]): RecoveryTime {
  const deployments = indexDeploymentsById(fleet.deployments);
  const clusters = new Map(fleet.clusters.map((one) => [one.metadata.name, one]));
  const caches = new Map(fleet.caches.map((one) => [qualifiedNameOf(one), one]));
  const staged = stagedCachesOf(fleet, placements, { deployments, clusters });
  return (placement) => {
    const deployment = deployments.get(placement.deployment);
    if (!deployment) return 0;
    const cache = cacheOf(deployment, caches);
    const there = !cache || staged.has(`${qualifiedNameOf(cache)} ${placement.cluster}`);
    const size = cache && cacheSizeOf(cache);
    const starts = deployment.spec.template.spec.engines.map((engine) => startupSecondsOf(engine, size));
    return (there || !size ? 0 : stagingSecondsOf(size)) + Math.max(0, ...starts);
  };
}

interface Declared {
  readonly deployments: ReadonlyMap<string, ModelDeployment>;
  readonly clusters: ReadonlyMap<string, InferenceCluster>;
}

/** Where caches are, as `namespace/name cluster`. */
function stagedCachesOf(
  fleet: Fleet,
  placements: readonly Placement[],
  { deployments, clusters }: Declared,
): Set<string> {
  const mounting = placements.flatMap((placement) => {
    const deployment = deployments.get(placement.deployment);
    const cluster = clusters.get(placement.cluster);
    return deployment && cluster ? [{ deployment, cluster }] : [];
  });
  return new Set(
    locateCaches(fleet, mounting).flatMap(({ cache, clusters: held }) =>
      held.map(({ metadata }) => `${qualifiedNameOf(cache)} ${metadata.name}`),
    ),
  );
}

/** The cache of its model: adapters are small beside it. */
function cacheOf(
  { metadata, spec }: ModelDeployment,
  caches: ReadonlyMap<string, ModelCache>,
): ModelCache | undefined {
  const name = spec.template.spec.modelCacheRef?.name;
  return name === undefined ? undefined : caches.get(`${metadata.namespace}/${name}`);
}

function cacheSizeOf({ spec: { sizeGiB } }: ModelCache): CacheSize | undefined {
  return sizeGiB === undefined ? undefined : { sizeGiB };
}
