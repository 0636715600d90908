import type { InferenceClass } from '../../api/inference-class';
import type { InferenceCluster } from '../../api/inference-cluster';

/** The label and the taint that AKS gives to spot nodes (AKS documentation, "Add an Azure Spot node pool"). */
export const AKS_SPOT = { key: 'kubernetes.azure.com/scalesetpriority', value: 'spot' } as const;

const SPOT_TAINT = { ...AKS_SPOT, effect: 'NoSchedule' } as const;

/** The names of classes whose nodes use spot capacity on AKS. */
export function listSpotClasses(classes: readonly InferenceClass[]): ReadonlySet<string> {
  const spot = classes.filter(({ spec }) => spec.provisioning?.aks?.spot);
  return new Set(spot.map(({ metadata }) => metadata.name));
}

/** Adds the taint of spot nodes to the pools of a cluster on AKS, so that workloads on these pools tolerate it. */
export function addSpotTaints(cluster: InferenceCluster, spotClasses: ReadonlySet<string>): InferenceCluster {
  const { spec } = cluster;
  if (spec.cluster.source !== 'AKS' || spotClasses.size === 0) return cluster;
  const nodePools = spec.nodePools.map((pool) => {
    const isDeclared = pool.taints.some(({ key, effect }) => key === SPOT_TAINT.key && effect === SPOT_TAINT.effect);
    return isDeclared || !spotClasses.has(pool.className) ? pool : { ...pool, taints: [...pool.taints, SPOT_TAINT] };
  });
  return { ...cluster, spec: { ...spec, nodePools } };
}
