import { resourceId } from '../api/kinds';
import type { ModelCache } from '../api/model-cache';
import type { Fleet } from '../fleet';
import { sortedBy } from '../order';
import { cacheClaimName } from './names';
import type { ComputedReplica } from './replica';

/** What the fleet declares that has no manifests yet, and what the user has to do about it: sentences for the plan. */
export function notRendered(fleet: Fleet, replicas: readonly ComputedReplica[]): string[] {
  return [...fleet.caches.map((cache) => stagedByHand(cache, replicas)), ...routes(fleet)];
}

function stagedByHand(cache: ModelCache, replicas: readonly ComputedReplica[]): string {
  const { namespace, name } = cache.metadata;
  const clusters = replicas
    .filter(({ deployment: { metadata, spec } }) => {
      return metadata.namespace === namespace && spec.template.spec.modelCacheRef?.name === name;
    })
    .map(({ cluster }) => cluster.metadata.name);
  const id = resourceId(cache);
  if (clusters.length === 0) return `${id} is not staged yet, and no replica mounts it.`;
  const where = sortedBy(new Set(clusters), (cluster) => cluster).join(', ');
  const claim = `PersistentVolumeClaim ${namespace}/${cacheClaimName(cache.metadata)}`;
  return `${id} is not staged yet. Make ${claim} (ReadWriteMany) with its files on ${where}.`;
}

function routes({ gateways, services, endpoints, grants }: Fleet): string[] {
  const declared = [...gateways, ...services, ...endpoints, ...grants].map(resourceId);
  if (declared.length === 0) return [];
  const more = declared.length - MOST_NAMED;
  const names = [...declared.slice(0, MOST_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(', ');
  return [
    `Routes are not made yet (${names}). Inside a cluster, the Service of a deployment reaches its replicas.`,
  ];
}

/** A note is one line, however many services a fleet has. */
const MOST_NAMED = 5;
