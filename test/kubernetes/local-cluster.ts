/** A class `h100` of eight GPUs, and a cluster `local` with a pool of it. Further fields of the cluster may follow. */
export function localCluster(nodes: number): string {
  return `apiVersion: fleetwright.dev/v1alpha1
kind: InferenceClass
metadata: { name: h100 }
spec:
  devices:
    - name: gpu
      driver: gpu.nvidia.com
      deviceClassName: gpu.nvidia.com
      count: 8
      attributes: { architecture: { string: Hopper } }
      capacity: { memory: { value: 81559Mi } }
  node: { allocatable: { cpu: "96", memory: 1000Gi } }
---
apiVersion: fleetwright.dev/v1alpha1
kind: InferenceCluster
metadata: { name: local }
spec:
  cluster: { source: Existing, existing: { context: local, kubernetesVersion: "1.36" } }
  nodePools: [{ name: h100, className: h100, nodeCount: ${nodes}, labels: { nvidia.com/gpu.present: "true" } }]
`;
}
