import { isAirGapped } from '../../api/image-registry';
import type { InferenceCluster } from '../../api/inference-cluster';
import { type Locate, resourceIdOf } from '../../api/kinds';
import type { ModelCache } from '../../api/model-cache';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { FleetwrightError } from '../../base/errors';
import { sharedStorageClassOf } from '../../fleet/hardware/shared-storage';
import type { CacheLocation } from '../../replicas/cache-clusters';

type Source = ModelCache['spec']['source'];
type Cloud = InferenceCluster['spec']['cluster']['source'];

/** What a source of files needs of the internet. */
interface SourceAccess {
  /** The host on the internet that a cache reads from, or nothing where it reads from another one. */
  readonly host: (spec: ModelCache['spec']) => string | undefined;

  /** Whether a cluster without the internet has a way to that host all the same. */
  readonly reached: (cluster: InferenceCluster) => boolean;

  /** What to do about it. */
  readonly hint: string;
}

/** How each source is reached. Clouds offer ways to their own stores that leave the internet out. */
const SOURCE_ACCESS: Readonly<Record<Source, SourceAccess>> = {
  HuggingFace: {
    host: () => 'huggingface.co',
    reached: ({ spec }) => spec.mirror.huggingFace !== undefined,
    hint: 'Name what answers like it there at spec.mirror.huggingFace of the cluster',
  },
  S3: {
    host: ({ s3 }) => (s3?.endpoint === undefined ? 'amazonaws.com' : undefined),
    reached: isOnCloud('EKS'),
    hint: 'Name a store that the cluster reaches at s3.endpoint',
  },
  GCS: {
    host: () => 'storage.googleapis.com',
    reached: isOnCloud('GKE'),
    hint: "Put the files where the cluster reaches them, as with 'source: S3' and s3.endpoint",
  },
  HTTP: {
    host: ({ http }) => publicHostOf(http?.url ?? ''),
    reached: () => false,
    hint: 'Name a copy that the cluster reaches',
  },
  ExistingPVC: { host: () => undefined, reached: () => true, hint: '' },
};

/** Where models and adapters are public. Of other hosts nobody can tell whether a cluster reaches them. */
const PUBLIC_HOSTS = [
  'civitai.com',
  'github.com',
  'githubusercontent.com',
  'hf.co',
  'huggingface.co',
  'modelscope.cn',
];

/**
 * Refuses caches on clusters that cannot hold them, or not fetch them.
 *
 * @throws FleetwrightError with every such cache and cluster
 */
export function refuseUnusableCaches(held: readonly CacheLocation[], locate: Locate): void {
  refuseCachesWithoutStorage(held, locate);
  refuseUnreachableCacheSources(held, locate);
}

/**
 * Refuses a cache that lands on a cluster without the internet and reads from a host there: its Job would try for ever.
 *
 * @throws FleetwrightError with every such cache and cluster
 */
function refuseUnreachableCacheSources(held: readonly CacheLocation[], locate: Locate): void {
  const problems = held.flatMap(({ cache, clusters }) =>
    clusters.filter(isAirGapped).flatMap((cluster) => findUnreachableSource(cache, cluster, locate)),
  );
  if (problems.length > 0) throw new FleetwrightError(problems);
}

function findUnreachableSource(cache: ModelCache, cluster: InferenceCluster, locate: Locate): Diagnostic[] {
  const { source } = cache.spec;
  const { host, reached, hint } = SOURCE_ACCESS[source];
  const needed = host(cache.spec);
  if (needed === undefined || reached(cluster)) return [];
  return [
    errorAt(
      'needs-internet',
      locate(cache, ['spec', 'source']),
      `it reads from ${needed}, and ${resourceIdOf(cluster)} has a mirror in place of the internet`,
      `${hint}, or keep the cache off it with clusterSelector`,
    ),
  ];
}

/** The host of an address, if it is a public one. */
function publicHostOf(url: string): string | undefined {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  return PUBLIC_HOSTS.some((one) => host === one || host.endsWith(`.${one}`)) ? host : undefined;
}

function isOnCloud(cloud: Cloud): SourceAccess['reached'] {
  return ({ spec }) => spec.cluster.source === cloud;
}

/**
 * Refuses a cache that a replica mounts on a cluster that cannot hold it. New replicas are kept off such a cluster;
 * those that are there stay, and their pods would wait for a volume for ever.
 *
 * @throws FleetwrightError with every such cluster
 */
function refuseCachesWithoutStorage(held: readonly CacheLocation[], locate: Locate): void {
  const problems = held.flatMap(({ cache, clusters }) =>
    clusters
      .filter((cluster) => cache.spec.source !== 'ExistingPVC' && sharedStorageClassOf(cluster) === undefined)
      .map((cluster) =>
        errorAt(
          'cache-without-storage',
          locate(cluster, ['spec', 'storage']),
          `replicas on ${resourceIdOf(cluster)} mount ${resourceIdOf(cache)}, and the cluster declares no shared file system`,
          'Name its class at spec.storage.sharedFilesystem.storageClassName, or move the replicas away with a taint',
        ),
      ),
  );
  if (problems.length > 0) throw new FleetwrightError(problems);
}
