import type { InferenceCluster } from '../../api/inference-cluster';
import type { JsonObject } from '../../manifest/kubernetes/manifest';
import { avoidGpuPools, tolerateAllPools } from '../pod/scheduling';

/** Where programs of caches see the volume. */
export const VOLUME_PATH = '/cache';

/** What a program of a cache runs in. */
export interface CacheProgram {
  readonly name: string;
  readonly image: string;
  readonly command: readonly string[];
  readonly args?: readonly string[];
  readonly env: readonly JsonObject[];
  readonly resources: JsonObject;
}

/**
 * A pod that works on the volume of a cache. It may run on any node of the cluster, best on one of no pool, whose
 * processors engines do not need.
 */
export function renderCachePod(
  cluster: InferenceCluster,
  claimName: string,
  program: CacheProgram,
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
    containers: [container(program)],
    volumes: [
      { name: 'cache', persistentVolumeClaim: { claimName } },
      { name: 'scratch', emptyDir: {} },
    ],
  };
}

function container({ name, image, command, args, ...program }: CacheProgram): JsonObject {
  return {
    name,
    image,
    command,
    ...(args && { args }),
    ...program,
    // The last lines of a program that fails show in the status of its pod.
    terminationMessagePolicy: 'FallbackToLogsOnError',
    securityContext: SECURE_CONTAINER,
    volumeMounts: [
      { name: 'cache', mountPath: VOLUME_PATH },
      { name: 'scratch', mountPath: '/tmp' },
    ],
  };
}

/**
 * Who owns staged files. Engines that run as somebody else write beside them as members of the group.
 * Not root, as the strictest Pod Security level asks, and no user that an image would have to know.
 */
export const CACHE_USER = 1000;

/** A container that needs nothing but its volumes: fit for the strictest Pod Security level. */
export const SECURE_CONTAINER: JsonObject = {
  runAsNonRoot: true,
  runAsUser: CACHE_USER,
  runAsGroup: CACHE_USER,
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

/** A pod of such containers, to whose group its volumes belong. */
export const SECURE_POD: JsonObject = {
  runAsNonRoot: true,
  fsGroup: CACHE_USER,
  // The volume of a large model has too many files to visit all of them each time.
  fsGroupChangePolicy: 'OnRootMismatch',
  seccompProfile: { type: 'RuntimeDefault' },
};
