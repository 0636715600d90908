import type { InferenceCluster } from '../api/inference-cluster';
import { resourceId } from '../api/kinds';
import type { Locate } from '../api/locate';
import { isAirGapped } from '../api/air-gapped';
import type { ModelCache } from '../api/model-cache';
import { FleetwrightError, type Problem } from '../errors';
import type { Holding } from './cache-notes';

type Source = ModelCache['spec']['source'];
type Cloud = InferenceCluster['spec']['cluster']['source'];

/** What a source of files needs of the internet. */
interface Way {
  /** The host on the internet that a cache reads from, or nothing where it reads from another one. */
  readonly host: (spec: ModelCache['spec']) => string | undefined;

  /** Whether a cluster without the internet has a way to that host all the same. */
  readonly reached: (cluster: InferenceCluster) => boolean;

  /** What to do about it. */
  readonly hint: string;
}

/** How each source is reached. Clouds offer ways to their own stores that leave the internet out. */
const WAYS: Readonly<Record<Source, Way>> = {
  HuggingFace: {
    host: () => 'huggingface.co',
    reached: ({ spec }) => spec.mirror.huggingFace !== undefined,
    hint: 'Name what answers like it there at spec.mirror.huggingFace of the cluster',
  },
  S3: {
    host: ({ s3 }) => (s3?.endpoint === undefined ? 'amazonaws.com' : undefined),
    reached: isOf('EKS'),
    hint: 'Name a store that the cluster reaches at s3.endpoint',
  },
  GCS: {
    host: () => 'storage.googleapis.com',
    reached: isOf('GKE'),
    hint: "Put the files where the cluster reaches them, as with 'source: S3' and s3.endpoint",
  },
  HTTP: {
    host: ({ http }) => publicHost(http?.url ?? ''),
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
 * Refuses a cache that lands on a cluster without the internet and reads from a host there: its Job would try for ever.
 *
 * @throws FleetwrightError with every such cache and cluster
 */
export function refuseUnreachable(held: readonly Holding[], locate: Locate): void {
  const problems = held.flatMap(({ cache, clusters }) =>
    clusters.filter(isAirGapped).flatMap((cluster) => unreachable(cache, cluster, locate)),
  );
  if (problems.length > 0) throw new FleetwrightError(problems);
}

function unreachable(cache: ModelCache, cluster: InferenceCluster, locate: Locate): Problem[] {
  const { source } = cache.spec;
  const { host, reached, hint } = WAYS[source];
  const needed = host(cache.spec);
  if (needed === undefined || reached(cluster)) return [];
  return [
    {
      code: 'needs-internet',
      where: locate(cache, ['spec', 'source']),
      what: `it reads from ${needed}, and ${resourceId(cluster)} has a mirror in place of the internet`,
      hint: `${hint}, or keep the cache off it with clusterSelector`,
    },
  ];
}

/** The host of an address, if it is a public one. */
function publicHost(url: string): string | undefined {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  return PUBLIC_HOSTS.some((one) => host === one || host.endsWith(`.${one}`)) ? host : undefined;
}

function isOf(cloud: Cloud): Way['reached'] {
  return ({ spec }) => spec.cluster.source === cloud;
}
