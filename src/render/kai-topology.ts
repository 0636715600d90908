import { isGang } from '../api/engine-copies';
import type { InferenceCluster } from '../api/inference-cluster';
import { schedulerTypeOf } from '../api/kubernetes-features';
import type { NodePool } from '../api/node-pool';
import type { Labels } from '../manifest/kubernetes/labels-and-annotations';
import { topologyNameOf } from '../manifest/kubernetes/object-names';
import { backendOf, type ComputedEngine, type ComputedReplica } from '../replicas/replica';

/** The kind that says how nodes are connected (KAI 0.17, api/kai/v1alpha1). It is in no namespace. */
export const KAI_TOPOLOGY = { apiVersion: 'kai.scheduler/v1alpha1', kind: 'Topology' } as const;

/** The annotations of workloads that the default grouper of KAI reads (pkg/podgrouper, constants.go). */
const ANNOTATIONS = {
  topology: 'kai.scheduler/topology',
  required: 'kai.scheduler/topology-required-placement',
  preferred: 'kai.scheduler/topology-preferred-placement',
} as const;

/** Returns the annotations by which KAI keeps a gang close together. Empty for other workloads, and without levels. */
export function topologyAnnotationsOf(cluster: InferenceCluster, { engine, pool }: ComputedEngine): Labels {
  const { topology } = pool;
  if (!topology || !isGang(engine) || schedulerTypeOf(cluster) !== 'KAI') return {};
  const { levels, required, preferred = levels.at(-1) } = topology;
  return {
    [ANNOTATIONS.topology]: topologyNameOf(levels),
    ...(required !== undefined && { [ANNOTATIONS.required]: required }),
    ...(preferred !== undefined && preferred !== required && { [ANNOTATIONS.preferred]: preferred }),
  };
}

/** Returns the levels that gangs on a cluster are kept within, each list once. */
export function listTopologies(replicas: readonly ComputedReplica[]): (readonly string[])[] {
  const levels = replicas
    .filter((replica) => backendOf(replica) === 'Native')
    .flatMap(({ cluster, engines }) =>
      engines
        .filter((computed) => Object.keys(topologyAnnotationsOf(cluster, computed)).length > 0)
        .flatMap(({ pool }: { readonly pool: NodePool }) => (pool.topology ? [pool.topology.levels] : [])),
    );
  return [...new Map(levels.map((one) => [topologyNameOf(one), one])).values()];
}
