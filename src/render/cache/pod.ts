import type { InferenceCluster } from '../../api/inference-cluster';
import type { JsonObject } from '../manifest';
import { type NodeToleration, tolerationsOf } from '../tolerations';
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
    tolerations: tolerations(cluster),
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

function offPools({ spec }: InferenceCluster): JsonObject {
  const preference = { matchExpressions: [{ key: spec.poolLabel, operator: 'DoesNotExist' }] };
  return {
    nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, preference }] },
  };
}

/** What gets a pod onto the nodes of any pool: a cluster may have no others. */
function tolerations({ spec }: InferenceCluster): NodeToleration[] {
  const all = spec.nodePools.flatMap(tolerationsOf);
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}
