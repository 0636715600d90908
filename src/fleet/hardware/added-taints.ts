import type { ClusterSource } from '../../api/cluster-source';
import type { InferenceClass } from '../../api/inference-class';
import type { InferenceCluster } from '../../api/inference-cluster';
import type { NodePool } from '../../api/node-pool';
import { NEURON_RESOURCE } from '../../catalog/neuron';
import { hasNeuronDevices } from './neuron-devices';

/** A taint that the nodes of some classes have on a cloud, whether their pool declares it or not. */
interface AddedTaint {
  readonly source: ClusterSource;
  readonly taint: NodePool['taints'][number];
  isOf(declared: InferenceClass): boolean;
}

const ADDED_TAINTS: readonly AddedTaint[] = [
  {
    // AKS documentation, "Add an Azure Spot node pool".
    source: 'AKS',
    taint: { key: 'kubernetes.azure.com/scalesetpriority', value: 'spot', effect: 'NoSchedule' },
    isOf: ({ spec }) => spec.provisioning?.aks?.spot === true,
  },
  {
    // The chart of the Neuron driver tolerates it.
    source: 'EKS',
    taint: { key: NEURON_RESOURCE, value: 'present', effect: 'NoSchedule' },
    isOf: hasNeuronDevices,
  },
];

/** Creates a function that adds such taints to the pools of a cluster, so that workloads on these pools tolerate them. */
export function createTaintAdder(classes: readonly InferenceClass[]): (cluster: InferenceCluster) => InferenceCluster {
  const used = ADDED_TAINTS.map(({ source, taint, isOf }) => ({
    source,
    taint,
    names: new Set(classes.filter(isOf).map(({ metadata }) => metadata.name)),
  })).filter(({ names }) => names.size > 0);
  return (cluster) => {
    const added = used.filter(({ source }) => source === cluster.spec.cluster.source);
    if (added.length === 0) return cluster;
    const nodePools = cluster.spec.nodePools.map((pool) => {
      const taints = added.filter(({ names }) => names.has(pool.className)).map(({ taint }) => taint);
      return taints.reduce(addTaint, pool);
    });
    return { ...cluster, spec: { ...cluster.spec, nodePools } };
  };
}

function addTaint(pool: NodePool, taint: NodePool['taints'][number]): NodePool {
  const isDeclared = pool.taints.some(({ key, effect }) => key === taint.key && effect === taint.effect);
  return isDeclared ? pool : { ...pool, taints: [...pool.taints, taint] };
}
