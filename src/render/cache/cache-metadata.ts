import type { ModelCache } from '../../api/model-cache';
import {
  cacheLabelsOf,
  type Labels,
  mergeUserLabels,
  SYNC_WAVE,
} from '../../manifest/kubernetes/labels-and-annotations';
import type { ObjectMeta } from '../../manifest/kubernetes/manifest';
import type { ClusterContext } from '../routing/routing-object';

/** Caches precede workloads, whose pods wait for the files: a running pod stops only after the next files exist. */
const CACHE_ANNOTATIONS = { [SYNC_WAVE]: '-1' } as const;

/** The metadata of an object of a cache, in its namespace. */
export function renderCacheMetadata(cache: ModelCache, context: ClusterContext, name: string): ObjectMeta {
  const { namespace = 'default' } = cache.metadata;
  return { name, namespace, labels: renderCacheLabels(cache, context), annotations: CACHE_ANNOTATIONS };
}

export function renderCacheLabels({ metadata }: ModelCache, { cluster, settings }: ClusterContext): Labels {
  const generated = cacheLabelsOf(metadata.name, cluster.metadata.name);
  return mergeUserLabels(generated, settings?.spec.defaults.labels ?? {});
}
