import { cacheNeedOf } from '../../api/cache/delivery';
import { LACKS, offersToCaches } from '../../api/cluster-storage';
import { addRegistry, isAirGapped } from '../../api/image-names';
import type { InferenceCluster } from '../../api/inference-cluster';
import { type Locate, locateOne, resourceIdOf } from '../../api/kinds';
import type { ModelCache } from '../../api/model-cache';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { FleetwrightError } from '../../base/errors';
import type { CacheLocation } from '../../replicas/cache-clusters';

/** How a cache source depends on the internet. */
interface SourceAccess {
  /** The internet host that a cache reads from, or `undefined` if it reads from no known internet host. */
  readonly host: (spec: ModelCache['spec']) => string | undefined;

  /** Whether a cluster without internet access can still reach the host. */
  readonly reached: (cluster: InferenceCluster) => boolean;

  /** How to make the source reachable. */
  readonly hint: string;
}

const IN_CLUSTER: SourceAccess = { host: () => undefined, reached: () => true, hint: '' };

/** The access to each source. Clouds offer private access to their own object stores. */
const SOURCE_ACCESS: Readonly<Record<ModelCache['spec']['source'], SourceAccess>> = {
  HuggingFace: {
    host: () => 'huggingface.co',
    reached: ({ spec }) => spec.mirror.huggingFace !== undefined,
    hint: 'Set spec.mirror.huggingFace of the cluster to a server with the same API',
  },
  S3: {
    host: ({ s3 }) => (s3?.endpoint === undefined ? 'amazonaws.com' : undefined),
    reached: ({ spec }) => spec.cluster.source === 'EKS',
    hint: 'Set s3.endpoint to a store that the cluster reaches',
  },
  GCS: {
    host: () => 'storage.googleapis.com',
    reached: ({ spec }) => spec.cluster.source === 'GKE',
    hint: "Move the files to a store that the cluster reaches, for example with 'source: S3' and s3.endpoint",
  },
  AzureBlob: {
    host: () => 'blob.core.windows.net',
    reached: ({ spec }) => spec.cluster.source === 'AKS',
    hint: "Move the files to a store that the cluster reaches, for example with 'source: S3' and s3.endpoint",
  },
  HTTP: {
    host: ({ http }) => publicHostOf(http?.url ?? ''),
    reached: () => false,
    hint: 'Use a copy that the cluster reaches',
  },
  OCI: {
    host: ({ oci }) => publicRegistryOf(oci?.image ?? ''),
    reached: ({ spec }) => spec.mirror.images !== undefined,
    hint: 'Set spec.mirror.images of the cluster to a mirror of images',
  },
  ExistingPVC: IN_CLUSTER,
  ConfigMap: IN_CLUSTER,
  Inline: IN_CLUSTER,
};

/** Public hosts of models and adapters. It is not known whether a cluster reaches other hosts. */
const PUBLIC_HOSTS = ['civitai.com', 'github.com', 'githubusercontent.com', 'hf.co', 'huggingface.co', 'modelscope.cn'];

/**
 * Rejects caches on clusters that cannot hold or fetch them.
 *
 * @throws FleetwrightError with every cache and cluster that lacks storage, else with every one that lacks the internet
 */
export function refuseUnusableCaches(held: readonly CacheLocation[], locate: Locate): void {
  for (const find of [findMissingStorage, findUnreachableSource]) {
    const problems = held.flatMap(({ cache, clusters }) => clusters.flatMap((one) => find(cache, one, locate)));
    if (problems.length > 0) throw new FleetwrightError(problems);
  }
}

/** Reports a cache that reads from the internet on a cluster without: its staging Job would never finish. */
function findUnreachableSource(cache: ModelCache, cluster: InferenceCluster, locate: Locate): Diagnostic[] {
  const { host, reached, hint } = SOURCE_ACCESS[cache.spec.source];
  const needed = host(cache.spec);
  if (!isAirGapped(cluster) || needed === undefined || reached(cluster)) return [];
  const at = { resource: cache, path: ['spec', 'source'] };
  const what = `it reads from ${needed}, and ${resourceIdOf(cluster)} uses a mirror instead of the internet`;
  const remedy = `${hint}, or exclude the cluster with clusterSelector`;
  return [locateOne(errorAt('needs-internet', at, what, remedy), locate)];
}

/** Public registries. It is not known whether a cluster reaches other registries. */
const PUBLIC_REGISTRIES = ['docker.io', 'gcr.io', 'ghcr.io', 'nvcr.io', 'public.ecr.aws', 'quay.io', 'registry.k8s.io'];

/** Returns the registry of an image if it is public. Images that name none come from Docker Hub. */
function publicRegistryOf(image: string): string | undefined {
  const [registry = ''] = addRegistry(image, 'docker.io').split('/');
  return PUBLIC_REGISTRIES.find((one) => one === registry);
}

/** Returns the host of a URL if it is a public host. */
function publicHostOf(url: string): string | undefined {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  return PUBLIC_HOSTS.some((one) => host === one || host.endsWith(`.${one}`)) ? host : undefined;
}

/** Reports a cache on a cluster that lacks what it needs: pods of placed replicas would wait for its volume forever. */
function findMissingStorage(cache: ModelCache, cluster: InferenceCluster, locate: Locate): Diagnostic[] {
  const need = cacheNeedOf(cache.spec);
  if (need === undefined || offersToCaches(cluster, need)) return [];
  const { what: lack, cure, path } = LACKS[need];
  const what = `replicas on ${resourceIdOf(cluster)} mount ${resourceIdOf(cache)}, and the cluster ${lack}`;
  const hint = `${cure}, or first move the replicas off the cluster with clusterSelector and 'lock --finalize', in a change of its own`;
  return [errorAt('cache-without-storage', locate(cluster, path), what, hint)];
}
