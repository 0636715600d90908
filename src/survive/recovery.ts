import type { InferenceCluster } from '../api/inference-cluster';
import type { ModelCache } from '../api/model-cache';
import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedName } from '../api/resource';
import { deploymentsById } from '../deployments-by-id';
import { type CacheSize, stagingSeconds, startupSeconds } from '../engine/startup';
import type { Fleet } from '../fleet';
import { holdings } from '../plan/cache-notes';
import type { Placement } from '../scheduler/types';

/** How long a new replica takes at most until it serves, in seconds. */
export type Recovery = (placement: Placement) => number;

/**
 * Reckons with the budgets that engines have to start. Where the weights are not on the cluster yet, their volume is
 * made and filled first, at the slow end of what is seen of shared file systems.
 *
 * @param placements what serves before: their caches are staged
 */
export function recoveryIn(fleet: Fleet, placements: readonly Placement[]): Recovery {
  const deployments = deploymentsById(fleet.deployments);
  const clusters = new Map(fleet.clusters.map((one) => [one.metadata.name, one]));
  const caches = new Map(fleet.caches.map((one) => [qualifiedName(one), one]));
  const staged = stagedIn(fleet, placements, { deployments, clusters });
  return (placement) => {
    const deployment = deployments.get(placement.deployment);
    if (!deployment) return 0;
    const cache = cacheOf(deployment, caches);
    const there = !cache || staged.has(`${qualifiedName(cache)} ${placement.cluster}`);
    const size = cache && sizeOf(cache);
    const starts = deployment.spec.template.spec.engines.map((engine) => startupSeconds(engine, size));
    return (there || !size ? 0 : stagingSeconds(size)) + Math.max(0, ...starts);
  };
}

interface Declared {
  readonly deployments: ReadonlyMap<string, ModelDeployment>;
  readonly clusters: ReadonlyMap<string, InferenceCluster>;
}

/** Where caches are, as `namespace/name cluster`. */
function stagedIn(
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
    holdings(fleet, mounting).flatMap(({ cache, clusters: held }) =>
      held.map(({ metadata }) => `${qualifiedName(cache)} ${metadata.name}`),
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

function sizeOf({ spec: { sizeGiB } }: ModelCache): CacheSize | undefined {
  return sizeGiB === undefined ? undefined : { sizeGiB };
}
