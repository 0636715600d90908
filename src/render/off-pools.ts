import type { InferenceCluster } from '../api/inference-cluster';
import type { JsonObject } from './manifest';
import { type NodeToleration, tolerationsOf } from './tolerations';

/** What leads a pod to nodes of no pool, where the cluster has any: engines need the processors of the others. */
export function offPools({ spec }: InferenceCluster): JsonObject {
  const preference = { matchExpressions: [{ key: spec.poolLabel, operator: 'DoesNotExist' }] };
  return {
    nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, preference }] },
  };
}

/** What gets a pod onto the nodes of any pool: a cluster may have no others. */
export function toleratesPools({ spec }: InferenceCluster): NodeToleration[] {
  const all = spec.nodePools.flatMap(tolerationsOf);
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}
