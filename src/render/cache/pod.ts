import type { InferenceCluster } from '../../api/inference-cluster';
import type { JsonObject } from '../manifest';
import { offPools, toleratesPools } from '../off-pools';
import { SECURE_CONTAINER, SECURE_POD } from './secure';

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
export function cachePod(
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
    affinity: offPools(cluster),
    tolerations: toleratesPools(cluster),
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
