import type { ModelCache } from '../../../src/api/model-cache';
import type { Manifest } from '../../../src/manifest/kubernetes/manifest';
import { renderCluster } from '../../../src/render/cluster';
import { aCache, aCluster, type Doc, settings } from '../../api/build';
import { aReplica, fleetOf, type GKE, ofKind, withContainer } from '../build';
import { expand } from './expand';

/** A cluster that exists, with two pools and a class of its own. */
export const OWN = aCluster('own', {
  pools: {
    l4: { nodeCount: 1, taints: [{ key: 'spot', effect: 'NoExecute' }] },
    h100: { nodeCount: 2, taints: [{ key: 'team', value: 'ml', effect: 'NoSchedule' }] },
  },
  storage: { sharedFilesystem: { storageClassName: 'nfs' } },
});

interface Options {
  cluster?: typeof GKE;
  defaults?: Doc;
}

/** What a cluster gets to stage a cache that one of its replicas mounts. */
export function staged(cache: ModelCache, { cluster = OWN, defaults = {} }: Options = {}): Manifest[] {
  const replica = aReplica(withContainer({}, { cache: cache.metadata.name }), { cluster, caches: [cache] });
  const all = renderCluster(cluster, [replica], {
    fleet: fleetOf(cluster, cache, settings('fleet', defaults)),
  });
  return all.filter(({ metadata }) => metadata.labels['app.kubernetes.io/component'] === 'cache');
}

/** The cache `ml/weights`, as the row says. */
export function cacheOf(spec: Doc): ModelCache {
  return aCache('ml/weights', { huggingFace: undefined, ...spec });
}

/** The pod of the Job, and its container. */
export function jobOf(cache: ModelCache, options: Options = {}) {
  const [job] = ofKind(staged(cache, options), 'Job') as (Manifest & { spec: Doc })[];
  const { template } = job!.spec as {
    template: { metadata: { labels: Doc }; spec: Doc & { containers: [Container] } };
  };
  const { metadata, spec: pod } = template;
  return { job: job!, labels: metadata.labels, pod, container: pod.containers[0] };
}

/** The container of a Job. */
export interface Container extends Doc {
  image: string;
  command: string[];
  args: string[];
  env: { name: string; value?: string; valueFrom?: Doc }[];
}

/** The environment of the Job as its program sees it. References to Secrets are `SECRET/KEY`. */
export function environmentOf({ env }: Container): Record<string, string> {
  return Object.fromEntries(
    env.map(({ name, value, valueFrom }) => {
      const { name: secret, key } = (valueFrom?.['secretKeyRef'] ?? {}) as Record<string, string>;
      return [name, value === undefined ? `${secret}/${key}` : expand(value)];
    }),
  );
}

/** A cache of a branch. */
export const QWEN = cacheOf({ huggingFace: { repo: 'Qwen/Qwen3-8B', revision: 'main' } });
