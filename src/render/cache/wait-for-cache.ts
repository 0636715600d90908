import { CACHE_WAIT_CONTAINER } from '../../engine/added-containers';
import type { JsonObject } from '../../manifest/kubernetes/manifest';
import { cacheMountOf, cacheVolumeOf, type MountedCache } from '../../replicas/mounted-caches';
import type { MountedVolume } from '../pod/shared-memory';
import { CACHE_USER, SECURE_CONTAINER } from './staging-pod';
import { WAIT_SCRIPT } from './staging-scripts';

/** The name of the container that waits until the caches of a pod are staged. */
export const WAIT_CONTAINER_NAME = 'wait-for-cache';

interface CacheParts {
  readonly volumes: readonly MountedVolume[];
  readonly initContainers: readonly JsonObject[];

  /** The groups that own the staged files. */
  readonly supplementalGroups: readonly number[];
}

/** The init container ends after all caches are staged, so that no engine starts on an empty folder. */
export function renderCacheParts(caches: readonly MountedCache[]): CacheParts {
  const staged = caches.filter(({ stagedBy }) => stagedBy !== undefined);
  const [first] = staged;
  return {
    volumes: caches.map((cache) => ({ volume: cacheVolumeOf(cache), mount: cacheMountOf(cache) })),
    initContainers: first ? [renderWaitContainer(first.stagedBy ?? '', staged)] : [],
    supplementalGroups: first ? [CACHE_USER] : [],
  };
}

function renderWaitContainer(image: string, caches: readonly MountedCache[]): JsonObject {
  return {
    name: WAIT_CONTAINER_NAME,
    image,
    command: ['sh', '-c', WAIT_SCRIPT, 'wait'],
    args: caches.map(({ volume, folder = '' }) => `/cache/${volume}/${folder}`),
    resources: CACHE_WAIT_CONTAINER.resources,
    securityContext: SECURE_CONTAINER,
    volumeMounts: caches.map(({ volume }) => ({ name: volume, mountPath: `/cache/${volume}`, readOnly: true })),
  };
}
