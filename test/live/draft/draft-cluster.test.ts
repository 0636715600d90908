import { node, pod, slice } from '../../snapshot/build';
import type { Json } from '../doctor/build';
import { drafted, h100, labelled, type Options } from './build';

/** The cluster, the last document. */
function spec(options: Options): Json {
  return drafted(options).documents.at(-1)?.['spec'] as Json;
}

test('a cluster of one pool', () => {
  const { text } = drafted({});
  expect(text).toBe(`# Drafted by fleetwright doctor from what cluster lab reports. Review these guesses:
# - storage: no class of shared volumes was found, so caches cannot be on this cluster
# - gateway: none is declared, so requests do not reach replicas on this cluster (spec.gateway)
apiVersion: fleetwright.dev/v1alpha1
kind: InferenceClass
metadata:
  name: nvidia-h100-80gb-hbm3-8x
spec:
  description: Drafted from what the nodes report
  devices:
    - name: gpu
      driver: gpu.nvidia.com
      deviceClassName: gpu.nvidia.com
      count: 8
      attributes:
        architecture:
          string: Hopper
        cudaComputeCapability:
          version: 9.0.0
        productName:
          string: NVIDIA H100 80GB HBM3
        type:
          string: gpu
      capacity:
        memory:
          value: 81559Mi
---
apiVersion: fleetwright.dev/v1alpha1
kind: InferenceCluster
metadata:
  name: lab
spec:
  cluster:
    source: Existing
    existing:
      context: lab-context
      kubernetesVersion: "1.36"
  poolLabel: fleetwright.dev/pool
  nodePools:
    - name: h100
      className: nvidia-h100-80gb-hbm3-8x
      nodeCount: 2
`);
});

const clusters: Record<string, { of: Options; want: object; notes?: string[] }> = {
  'pools are those of the cloud where ours are not there, and pools alike share a class': {
    of: {
      nodes: ['a', 'b', 'c'].map((name) =>
        labelled(name, {
          'cloud.google.com/gke-nodepool': name === 'c' ? 'spot' : 'fixed',
          'topology.kubernetes.io/region': 'us-east1',
        }),
      ),
      slices: ['a', 'b', 'c'].map((name) => h100(name)),
    },
    want: {
      poolLabel: 'cloud.google.com/gke-nodepool',
      nodePools: [
        { name: 'fixed', className: 'nvidia-h100-80gb-hbm3-8x', nodeCount: 2 },
        { name: 'spot', className: 'nvidia-h100-80gb-hbm3-8x', nodeCount: 1 },
      ],
    },
    notes: ['pools: by the node label cloud.google.com/gke-nodepool'],
  },
  'nodes without a label in common are reported how to be labelled': {
    of: {
      nodes: [labelled('a', { 'fleetwright.dev/pool': 'x' }), labelled('b', {})],
      slices: [h100('a'), slice('b', { device: { attributes: { productName: { string: 'NVIDIA L4' } } } })],
    },
    want: {
      poolLabel: 'fleetwright.dev/pool',
      nodePools: [
        { name: 'pool-1', className: 'nvidia-h100-80gb-hbm3-8x', nodeCount: 1 },
        { name: 'pool-2', className: 'nvidia-l4-8x', nodeCount: 1 },
      ],
    },
    notes: [
      "pools: nodes have no pool label in common; run 'kubectl label node a fleetwright.dev/pool=pool-1'",
      "pools: nodes have no pool label in common; run 'kubectl label node b fleetwright.dev/pool=pool-2'",
    ],
  },
  'a label whose value is no name of a pool is of no use': {
    of: {
      nodes: [labelled('n0', { 'fleetwright.dev/pool': 'My_Pool', 'karpenter.sh/nodepool': 'gpu' })],
      slices: [h100('n0')],
    },
    want: { poolLabel: 'karpenter.sh/nodepool' },
  },
  'nodes without devices are left out': {
    of: { nodes: [node('n0'), node('n1'), labelled('system', { 'fleetwright.dev/pool': 'system' })] },
    want: { nodePools: [expect.objectContaining({ name: 'h100', nodeCount: 2 })] },
  },
  'what pods of others ask for is reserved': {
    of: {
      pods: [pod('a', 'n0', { requests: { cpu: '500m', memory: '1Gi' } }), pod('b', 'n1', { requests: { cpu: '2' } })],
    },
    want: { nodePools: [expect.objectContaining({ reserved: { cpu: '2', memory: '1Gi' } })] },
    notes: ['pool h100: reserved is what pods of other workloads request now'],
  },
  'taints of all nodes are declared; those of a state, and the one for GPUs, are not': {
    of: {
      nodes: ['n0', 'n1'].map((name) =>
        node(name, {
          spec: {
            taints: [
              { key: 'team', value: 'a', effect: 'NoSchedule' },
              { key: 'nvidia.com/gpu', value: 'present', effect: 'NoSchedule' },
              { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' },
              ...(name === 'n1' ? [{ key: 'mine', effect: 'NoExecute' }] : []),
            ],
          },
        }),
      ),
    },
    want: {
      nodePools: [expect.objectContaining({ taints: [{ key: 'team', value: 'a', effect: 'NoSchedule' }] })],
    },
    notes: ['pool h100: 1 node of 2 has the taint mine:NoExecute, which is not declared'],
  },
  'the class of shared volumes is known by its driver': {
    of: {
      storageClasses: [
        { metadata: { name: 'gp3' }, provisioner: 'ebs.csi.aws.com' },
        { metadata: { name: 'efs' }, provisioner: 'efs.csi.aws.com' },
      ],
    },
    want: { storage: { sharedFilesystem: { storageClassName: 'efs' } } },
    notes: ['storage: class efs is shared, by its driver'],
  },
  'the class of Azure Managed Lustre is one': {
    of: {
      storageClasses: [
        { metadata: { name: 'managed-csi' }, provisioner: 'disk.csi.azure.com' },
        { metadata: { name: 'lustre' }, provisioner: 'azurelustre.csi.azure.com' },
      ],
    },
    want: { storage: { sharedFilesystem: { storageClassName: 'lustre' } } },
    notes: ['storage: class lustre is shared, by its driver'],
  },
  'a version that is not reported is not declared': {
    of: { version: '' },
    want: { cluster: { source: 'Existing', existing: { context: 'lab-context' } } },
  },
};

test.each(Object.entries(clusters))('%s', (_, { of, want, notes = [] }) => {
  expect(spec(of)).toMatchObject(want);
  for (const note of notes) expect(drafted(of).notes).toContain(note);
});
