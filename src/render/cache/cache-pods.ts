import type { InferenceCluster } from '../../api/inference-cluster';
import { CACHE_WAIT_CONTAINER } from '../../engine/added-containers';
import type { JsonObject } from '../../manifest/kubernetes/manifest';
import { cacheMountOf, cacheVolumeOf, type MountedCache } from '../../replicas/mounted-caches';
import { avoidGpuPools, tolerateAllPools } from '../pod/scheduling';
import type { MountedVolume } from '../pod/shared-memory';
import { WAIT_SCRIPT } from './staging-scripts';

/** The mount path of the volume in the containers of caches. */
export const VOLUME_PATH = '/cache';

interface CacheContainer {
  readonly name: string;
  readonly image: string;
  readonly command: readonly string[];
  readonly args?: readonly string[];
  readonly env: readonly JsonObject[];
  readonly resources: JsonObject;
}

/** Runs on any node, but prefers nodes outside of pools, because engines need the CPUs of pool nodes. */
export function renderCachePod(
  cluster: InferenceCluster,
  claimName: string,
  container: CacheContainer,
  serviceAccountName?: string,
): JsonObject {
  return {
    restartPolicy: 'Never',
    ...(serviceAccountName !== undefined && { serviceAccountName }),
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    affinity: avoidGpuPools(cluster),
    tolerations: tolerateAllPools(cluster),
    securityContext: SECURE_POD,
    containers: [renderContainer(container)],
    volumes: [
      { name: 'cache', persistentVolumeClaim: { claimName } },
      { name: 'scratch', emptyDir: {} },
    ],
  };
}

function renderContainer({ name, image, command, args, ...rest }: CacheContainer): JsonObject {
  return {
    name,
    image,
    command,
    ...(args && { args }),
    ...rest,
    // If the program fails, its last log lines appear in the status of the pod.
    terminationMessagePolicy: 'FallbackToLogsOnError',
    securityContext: SECURE_CONTAINER,
    volumeMounts: [
      { name: 'cache', mountPath: VOLUME_PATH },
      { name: 'scratch', mountPath: '/tmp' },
    ],
  };
}

/**
 * The UID and GID that own staged files. Engines with another UID write to the volume as members of the group. The
 * strictest Pod Security level forbids root, and the image does not need to know the user.
 */
const CACHE_USER = 1000;

/** The security context of a container that needs only its volumes. It meets the strictest Pod Security level. */
const SECURE_CONTAINER: JsonObject = {
  runAsNonRoot: true,
  runAsUser: CACHE_USER,
  runAsGroup: CACHE_USER,
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

/** The security context of a pod of such containers. Its volumes belong to the group of the cache user. */
const SECURE_POD: JsonObject = {
  runAsNonRoot: true,
  fsGroup: CACHE_USER,
  // The volume of a large model has too many files to visit all of them on each mount.
  fsGroupChangePolicy: 'OnRootMismatch',
  seccompProfile: { type: 'RuntimeDefault' },
};

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
