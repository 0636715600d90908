import { WAITING } from '../../engine/own-containers';
import type { JsonObject } from '../manifest';
import { cacheVolume, cacheMount, type MountedCache } from './mounted';
import type { MountedVolume } from '../volume';
import { CACHE_USER, SECURE_CONTAINER } from './secure';
import { WAIT } from './scripts';

/** The container of a pod that waits until its caches are staged. */
export const WAITS_FOR_CACHE = 'wait-for-cache';

/** What the caches of a replica add to each of its pods. */
export interface CacheParts {
  readonly volumes: readonly MountedVolume[];
  readonly initContainers: readonly JsonObject[];

  /** Groups that own the files. */
  readonly supplementalGroups: readonly number[];
}

/**
 * The caches of a replica in its pods: their volumes, and a container that ends once all of them are staged, so that
 * no engine starts on an empty folder.
 */
export function cacheParts(caches: readonly MountedCache[]): CacheParts {
  const staged = caches.filter(({ stagedBy }) => stagedBy !== undefined);
  const [first] = staged;
  return {
    volumes: caches.map((cache) => ({ volume: cacheVolume(cache), mount: cacheMount(cache) })),
    initContainers: first ? [waiting(first.stagedBy ?? '', staged)] : [],
    supplementalGroups: first ? [CACHE_USER] : [],
  };
}

function waiting(image: string, caches: readonly MountedCache[]): JsonObject {
  return {
    name: WAITS_FOR_CACHE,
    image,
    command: ['sh', '-c', WAIT, 'wait'],
    args: caches.map(({ volume, folder = '' }) => `/cache/${volume}/${folder}`),
    resources: WAITING.resources,
    securityContext: SECURE_CONTAINER,
    volumeMounts: caches.map(({ volume }) => ({
      name: volume,
      mountPath: `/cache/${volume}`,
      readOnly: true,
    })),
  };
}
