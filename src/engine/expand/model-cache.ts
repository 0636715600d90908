import { hasSharedStorage, isSelected } from '../../api/cluster-labels';
import { parseResource } from '../../api/kinds';
import type { ModelCache } from '../../api/model-cache';
import type { ModelDeployment } from '../../api/model-deployment';
import { API_VERSION } from '../../api/resource';
import type { Fleet } from '../../fleet/fleet';
import type { ModelLayouts } from '../../fleet/models/model-layouts';

/** Whether all clusters that a deployment may be on keep files on shared storage. */
export function isCacheable({ spec }: ModelDeployment, { layouts }: ModelLayouts, { clusters }: Fleet): boolean {
  const { clusterSelector, modelCacheRef } = spec.template.spec;
  const classes = new Set(layouts.flatMap((layout) => layout.classes));
  const possible = clusters.filter(
    (cluster) =>
      isSelected(cluster, clusterSelector) && cluster.spec.nodePools.some(({ className }) => classes.has(className)),
  );
  return !modelCacheRef && possible.length > 0 && possible.every(hasSharedStorage);
}

/** The cache of the files of a model: one of the namespace that has them, else a new one. Undefined: there is none. */
export function cacheOf(
  { metadata: { namespace = '' } }: ModelDeployment,
  chosen: ModelLayouts,
  { caches }: Pick<Fleet, 'caches'>,
): ModelCache | undefined {
  if (!chosen.cached) return undefined;
  const { repository, revision } = chosen;
  const declared = caches.find(
    ({ metadata, spec }) =>
      metadata.namespace === namespace &&
      spec.content === 'Model' &&
      spec.huggingFace?.repo === repository &&
      spec.huggingFace.revision === revision,
  );
  return declared ?? newCache(namespace, chosen);
}

/** Room for the files of two revisions, so that one can replace the other. */
const REVISIONS = 2;

function newCache(namespace: string, { repository, revision, filesGiB }: ModelLayouts): ModelCache {
  const parsed = parseResource({
    apiVersion: `fleetwright.dev/${API_VERSION}`,
    kind: 'ModelCache',
    metadata: { name: nameOf(repository, revision), namespace },
    spec: {
      source: 'HuggingFace',
      huggingFace: { repo: repository, ...(revision !== undefined && { revision }) },
      sizeGiB: Math.max(1, filesGiB * REVISIONS),
    },
  });
  if (!('resource' in parsed) || parsed.resource.kind !== 'ModelCache') {
    throw new Error(`bug: the cache of ${repository} is not valid`);
  }
  return parsed.resource;
}

const LONGEST_NAME = 52;

function nameOf(repository: string, revision: string | undefined): string {
  const plain = `${repository}${revision === undefined ? '' : `-${revision.slice(0, 8)}`}`.toLowerCase();
  const words = plain.split(/[^a-z0-9]+/).filter((word) => word !== '');
  const name = words.join('-').slice(-LONGEST_NAME);
  return name.startsWith('-') ? name.slice(1) : name;
}
