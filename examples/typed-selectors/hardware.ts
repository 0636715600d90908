import { type Fleet, InferenceClass, InferenceCluster } from 'fleetwright/constructs';

/** Classes from the catalog: a macro is the same GPUs on GKE and on EKS. */
export function declareHardware(fleet: Fleet): void {
  const h100 = new InferenceClass(fleet, 'h100', { from: 'H100-8x' });
  const l4 = new InferenceClass(fleet, 'l4', { from: 'L4-4x' });
  const h200 = new InferenceClass(fleet, 'h200', { from: 'aws/p5en.48xlarge' });
  new InferenceCluster(fleet, 'gke-us-central', {
    cluster: { source: 'GKE', gke: { region: 'us-central1' } },
    nodePools: [
      { name: 'h100', className: h100, nodeCount: 1, zones: ['us-central1-a'] },
      { name: 'l4', className: l4, nodeCount: 2, zones: ['us-central1-a'] },
    ],
  });
  new InferenceCluster(fleet, 'eks-us-east', {
    cluster: { source: 'EKS', eks: { region: 'us-east-1' } },
    nodePools: [
      { name: 'h100', className: h100, nodeCount: 1, zones: ['us-east-1b'] },
      { name: 'h200', className: h200, nodeCount: 1, zones: ['us-east-1b'] },
      { name: 'l4', className: l4, nodeCount: 2, zones: ['us-east-1b'] },
    ],
  });
}
