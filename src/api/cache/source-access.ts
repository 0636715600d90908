import { addRegistry, isAirGapped } from '../image-names';
import type { InferenceCluster } from '../inference-cluster';
import type { ModelCache } from '../model-cache';

/** A source of caches. */
type CacheSource = ModelCache['spec']['source'];

/** A host of the internet that a cache reads from. */
export interface InternetSource {
  readonly source: CacheSource;

  /** As in `huggingface.co`. */
  readonly host: string;
}

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
const SOURCE_ACCESS: Readonly<Record<CacheSource, SourceAccess>> = {
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

/** The host of the internet that a cache reads from. Undefined: it reads from none that is known. */
export function internetSourceOf(spec: ModelCache['spec']): InternetSource | undefined {
  const host = SOURCE_ACCESS[spec.source].host(spec);
  return host === undefined ? undefined : { source: spec.source, host };
}

/** The sources that a cluster reaches although it uses mirrors instead of the internet. Undefined: it has the internet. */
export function reachableSourcesOf(cluster: InferenceCluster): ReadonlySet<CacheSource> | undefined {
  if (!isAirGapped(cluster)) return undefined;
  const all = Object.entries(SOURCE_ACCESS) as [CacheSource, SourceAccess][];
  return new Set(all.filter(([, { reached }]) => reached(cluster)).map(([source]) => source));
}

/** How to make a source reachable from a cluster without internet access, as an imperative. */
export function reachHintOf(source: CacheSource): string {
  return SOURCE_ACCESS[source].hint;
}
