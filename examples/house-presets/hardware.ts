import { type Fleet, InferenceClass, InferenceCluster } from 'fleetwright/constructs';

/** The clusters of the house: alike but for their name and region. */
export function declareHardware(fleet: Fleet): void {
  const l40s = new InferenceClass(fleet, 'l40s', {
    devices: [
      {
        name: 'gpu',
        driver: 'gpu.nvidia.com',
        deviceClassName: 'gpu.nvidia.com',
        count: 4,
        capacity: { memory: { value: '46068Mi' } },
      },
    ],
  });
  for (const region of ['berlin', 'oslo']) {
    new InferenceCluster(fleet, region, {
      labels: { 'topology.kubernetes.io/region': region },
      cluster: { source: 'Existing', existing: { secretRef: { name: `${region}-kubeconfig` } } },
      namespaces: 'Managed',
      taints: [{ key: 'example.com/shared', effect: 'NoSchedule' }],
      nodePools: [{ name: 'l40s', className: l40s, nodeCount: 2 }],
    });
  }
}
