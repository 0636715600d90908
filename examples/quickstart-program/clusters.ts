import { type Fleet, InferenceCluster } from 'fleetwright/constructs';
import { declareClasses } from './classes';

export function declareClusters(fleet: Fleet): void {
  const { gkeL4, gkeH200, eksL4, eksH200, l40s } = declareClasses(fleet);
  new InferenceCluster(fleet, 'gke-us-central', {
    cluster: { source: 'GKE', gke: { region: 'us-central1' } },
    nodePools: [
      { name: 'h200', className: gkeH200, nodeCount: 2, zones: ['us-central1-b'] },
      {
        name: 'l4',
        className: gkeL4,
        minNodeCount: 1,
        maxNodeCount: 4,
        zones: ['us-central1-a', 'us-central1-b'],
      },
    ],
  });
  new InferenceCluster(fleet, 'eks-us-east', {
    cluster: { source: 'EKS', eks: { region: 'us-east-1' } },
    nodePools: [
      { name: 'h200', className: eksH200, nodeCount: 3, zones: ['us-east-1b'], fabric: { type: 'EFA' } },
      { name: 'l4', className: eksL4, minNodeCount: 1, maxNodeCount: 2, zones: ['us-east-1a', 'us-east-1b'] },
    ],
  });
  // A cluster that exists already. Its nodes carry the label fleetwright.dev/pool=l40s.
  new InferenceCluster(fleet, 'onprem', {
    labels: { 'topology.kubernetes.io/region': 'berlin' },
    cluster: { source: 'Existing', existing: { secretRef: { name: 'onprem-kubeconfig' } } },
    nodePools: [{ name: 'l40s', className: l40s, nodeCount: 3 }],
  });
}
