import { cacheNeedOf } from '../../api/cache/delivery';
import { cureLack, LACKS, offersToCaches } from '../../api/cluster-storage';
import { internetSourceOf, reachableSourcesOf, reachHintOf } from '../../api/cache/source-access';
import type { InferenceCluster } from '../../api/inference-cluster';
import { type Locate, locateAll, type ResourcePath, resourceIdOf } from '../../api/kinds';
import type { ModelCache } from '../../api/model-cache';
import { qualifiedNameOf } from '../../api/resource';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { FleetwrightError } from '../../base/errors';
import type { Fleet } from '../../fleet/fleet';
import type { CacheLocation } from '../../replicas/cache-clusters';
import type { Schedule } from '../../scheduler/schedule-result';
import { type HeldDeployments, isImpossible } from '../held-deployments';

/** Where caches are, and which deployments have no place. */
interface ScheduledCaches {
  readonly located: readonly CacheLocation[];
  readonly shortfalls: Schedule['shortfalls'];
  readonly held: Pick<HeldDeployments, 'requested'>;
}

/**
 * Rejects caches on clusters that cannot hold or fetch them, and those without which their deployment has no place,
 * because no cluster that could run it reaches the source.
 *
 * @throws FleetwrightError with every cache and cluster that lacks storage, else with every one that lacks the internet
 */
export function refuseUnusableCaches(
  fleet: Pick<Fleet, 'caches' | 'clusters'>,
  { located, ...scheduled }: ScheduledCaches,
  locate: Locate,
): void {
  const placed = located.flatMap(({ cache, clusters }) => clusters.map((cluster) => ({ cache, cluster })));
  const unstored = placed.flatMap((one) => findMissingStorage(one, locate));
  if (unstored.length > 0) throw new FleetwrightError(unstored);
  const unreached = [...placed, ...listUnreached(fleet, scheduled)].flatMap(findUnreachableSource);
  const distinct = new Map(locateAll(unreached, locate).map((one) => [`${one.at} ${one.message}`, one]));
  if (distinct.size > 0) throw new FleetwrightError([...distinct.values()]);
}

interface CacheOnCluster {
  readonly cache: ModelCache;
  readonly cluster: InferenceCluster;
}

/** The caches of deployments without a place, on clusters that lack nothing else than the internet. */
function listUnreached(
  { caches, clusters }: Pick<Fleet, 'caches' | 'clusters'>,
  { shortfalls, held }: Omit<ScheduledCaches, 'located'>,
): CacheOnCluster[] {
  const impossible = shortfalls.filter((one) => !held.requested.has(one.deployment) && isImpossible(one));
  return impossible.flatMap(({ rejections }) =>
    rejections.flatMap(({ cluster: name, reason, also }) => {
      if (reason.filter !== 'cache' || reason.lacks !== 'internet' || also) return [];
      const cache = caches.find((one) => qualifiedNameOf(one) === reason.cache);
      const cluster = clusters.find(({ metadata }) => metadata.name === name);
      return cache && cluster ? [{ cache, cluster }] : [];
    }),
  );
}

/** Reports a cache that reads from the internet on a cluster without: its staging Job would never finish. */
function findUnreachableSource({ cache, cluster }: CacheOnCluster): Diagnostic<ResourcePath>[] {
  const needed = internetSourceOf(cache.spec);
  if (needed === undefined || reachableSourcesOf(cluster)?.has(needed.source) !== false) return [];
  const at = { resource: cache, path: ['spec', 'source'] };
  const what = `it reads from ${needed.host}, and ${resourceIdOf(cluster)} uses a mirror instead of the internet`;
  const hint = `${reachHintOf(needed.source)}, or exclude the cluster with clusterSelector`;
  return [errorAt('needs-internet', at, what, hint)];
}

/** Reports a cache on a cluster that lacks what it needs: pods of placed replicas would wait for its volume forever. */
function findMissingStorage({ cache, cluster }: CacheOnCluster, locate: Locate): Diagnostic[] {
  const need = cacheNeedOf(cache.spec);
  if (need === undefined || offersToCaches(cluster, need)) return [];
  const { what: lack, path } = LACKS[need];
  const what = `replicas on ${resourceIdOf(cluster)} mount ${resourceIdOf(cache)}, and the cluster ${lack}`;
  const hint = `${cureLack(need, cache.spec, [cluster])}, or first move the replicas off the cluster with clusterSelector and 'lock --finalize', in a change of its own`;
  return [errorAt('cache-without-storage', locate(cluster, path), what, hint)];
}
