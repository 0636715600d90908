import type { Resource } from '../../src/api/kinds';
import { findFewerNodes } from '../../src/diff/fewer-nodes';
import { createDiffStatus } from '../../src/report/map/replica-status';
import { toDeploymentRows } from '../../src/report/pull-request/deployment-rows';
import { aClass, aCluster, aDeployment, anEngine, type Doc, gpus, MACHINES } from '../api/build';
import { diff, state } from './build';

type Source = keyof typeof MACHINES | 'Existing';

/** A fleet of one cluster with a pool of H100s and one of L4s. */
const fleet = (source: Source, h100: Doc | number, ...deployments: Resource[]): Resource[] => [
  aClass('h100', source === 'Existing' ? {} : { devices: [gpus(8)], provisioning: MACHINES[source] }),
  aClass('l4', { devices: [gpus(8, { architecture: 'Ada Lovelace' })] }),
  aCluster('us', { source, pools: { h100, ...(source === 'Existing' && { l4: 1 }) } }),
  ...deployments,
];
/** A fleet of one cluster that exists, whose label names its cloud. */
const onCloud = (provider: string, h100: number, ...deployments: Resource[]): Resource[] => [
  aClass('h100'),
  aCluster('us', { pools: { h100 }, labels: { 'fleetwright.dev/provider': provider } }),
  ...deployments,
];
const on = (architecture: string) => ({
  engines: [
    anEngine('main', {
      devices: [
        {
          name: 'gpu',
          count: 1,
          selectors: [{ cel: `device.attributes["gpu.nvidia.com"].architecture == "${architecture}"` }],
        },
      ],
    }),
  ],
});
const one = aDeployment('ml/one');
const two = aDeployment('ml/two', { replicas: 2 });
const [hopper, ada] = ['Hopper', 'Ada Lovelace'].map((name) => aDeployment('ml/one', on(name))) as [Resource, Resource];

const CHOSEN =
  "us/h100 loses 2 of its 3 nodes, and the cloud chooses which: replicas of ml/one, ml/two may restart; ml/one has no replica to spare. Before the pool is resized, choose 2 nodes without pods of ml/one, and in this order: 1. drain them with 'kubectl drain NODE --ignore-daemonsets --delete-emptydir-data'; 2. ";

const cases: Record<string, { was: Resource[]; is: Resource[]; want: string[] }> = {
  'GKE removes any nodes': {
    was: fleet('GKE', 3, one, two),
    is: fleet('GKE', 1, one, two),
    want: [`${CHOSEN}delete them with 'gcloud compute instance-groups managed delete-instances'`],
  },
  'EKS removes any nodes, and keeps a group at its minimum': {
    was: fleet('EKS', 3, one, two),
    is: fleet('EKS', 1, one, two),
    want: [
      `${CHOSEN}set minSize of the node group to 1 with 'aws eks update-nodegroup-config'; 3. delete them with 'aws autoscaling terminate-instance-in-auto-scaling-group --should-decrement-desired-capacity'`,
    ],
  },
  'AKS removes any nodes, of which replicas of a deployment may have both': {
    was: fleet('AKS', 3, two),
    is: fleet('AKS', 2, two),
    want: [
      "us/h100 loses 1 of its 3 nodes, and the cloud chooses which: replicas of ml/two may restart. Before the pool is resized, choose 1 node with the fewest pods of ml/two, and in this order: 1. drain it with 'kubectl drain NODE --ignore-daemonsets --delete-emptydir-data'; 2. delete it with 'az aks nodepool delete-machines'",
    ],
  },
  'no node may be without replicas that all have to serve': {
    was: fleet('AKS', 2, aDeployment('ml/two', { replicas: 2, minAvailable: 2 })),
    is: fleet('AKS', 1, aDeployment('ml/two', { replicas: 2, minAvailable: 2 })),
    want: [
      "us/h100 loses 1 of its 2 nodes, and the cloud chooses which: replicas of ml/two may restart; it has no replica to spare. Before the pool is resized, choose 1 node without pods of ml/two, if there is one, and in this order: 1. drain it with 'kubectl drain NODE --ignore-daemonsets --delete-emptydir-data'; 2. delete it with 'az aks nodepool delete-machines'",
    ],
  },
  'replicas that leave the pool make room for the pods of drained nodes': {
    was: fleet('AKS', 3, one, two),
    is: fleet('AKS', 2, two),
    want: [
      "us/h100 loses 1 of its 3 nodes, and the cloud chooses which: replicas of ml/two may restart. Before the pool is resized (best when the pods that this change takes off it are gone), choose 1 node with the fewest pods of ml/two, and in this order: 1. drain it with 'kubectl drain NODE --ignore-daemonsets --delete-emptydir-data'; 2. delete it with 'az aks nodepool delete-machines'",
    ],
  },
  'who removes nodes of a cluster that exists has to choose them': {
    was: fleet('Existing', 3, hopper),
    is: fleet('Existing', 1, hopper),
    want: [
      "us/h100 loses 2 of its 3 nodes: pods of ml/one on these nodes restart on the node that stays; it has no replica to spare. Neither merging nor 'pulumi up' removes nodes of this cluster. Before or after merging, as no manifest changes, choose 2 nodes without pods of ml/one, and in this order: 1. drain them with 'kubectl drain NODE --ignore-daemonsets --delete-emptydir-data' (one replica of a deployment at a time stops); 2. remove them, not with a lower node count, which may remove other nodes",
    ],
  },
  'a label names the cloud that deletes a chosen node of a cluster that exists': {
    was: onCloud('AKS', 3, one, two),
    is: onCloud('AKS', 2, two),
    want: [
      "us/h100 loses 1 of its 3 nodes: pods of ml/two on this node restart on the nodes that stay. Neither merging nor 'pulumi up' removes nodes of this cluster. Last, when manifests are applied and the pods that they stop are gone, choose 1 node with the fewest pods of ml/two, and in this order: 1. drain it with 'kubectl drain NODE --ignore-daemonsets --delete-emptydir-data' (one replica of a deployment at a time stops); 2. delete it with 'az aks nodepool delete-machines', not with a lower node count, which may remove another node",
    ],
  },
  'with all that this cloud needs': {
    was: onCloud('EKS', 3, two),
    is: onCloud('EKS', 2, two),
    want: [
      expect.stringMatching(
        /2[.] set minSize .* to 2 with 'aws .*'; 3[.] delete it with 'aws autoscaling .*', not with a /,
      ),
    ],
  },
  'an autoscaler removes empty nodes': {
    was: fleet('GKE', { nodeCount: 3, minNodeCount: 1, maxNodeCount: 3 }, one),
    is: fleet('GKE', { nodeCount: 1, minNodeCount: 0, maxNodeCount: 2 }, one),
    want: [],
  },
  'a pool that gets an autoscaler loses nodes as they are empty': {
    was: fleet('GKE', 3, one),
    is: fleet('GKE', { nodeCount: 1, maxNodeCount: 3 }, one),
    want: [],
  },
  'a pool with more nodes loses none': { was: fleet('GKE', 1, one), is: fleet('GKE', 3, one), want: [] },
  'a pool without replicas': { was: fleet('GKE', 3), is: fleet('GKE', 1), want: [] },
  'a replica that is new in the pool does not run yet': {
    was: fleet('GKE', 3),
    is: fleet('GKE', 1, one),
    want: [],
  },
  'all replicas leave the pool with the change': {
    was: fleet('Existing', 3, hopper),
    is: fleet('Existing', 1, ada),
    want: [],
  },
  'a replica that comes from another pool does not run there yet': {
    was: fleet('Existing', 3, ada),
    is: fleet('Existing', 1, hopper),
    want: [],
  },
  'all nodes are recreated': {
    was: fleet('GKE', { nodeCount: 3, zones: ['us-central1-a'] }, one),
    is: fleet('GKE', { nodeCount: 1, zones: ['us-central1-b'] }, one),
    want: [],
  },
};

test.each(Object.entries(cases))('%s', (_, { was, is, want }) => {
  const earlier = state('main', was);
  const later = state('here', is, earlier.decision.lock, earlier);
  const found = findFewerNodes(diff(was, is), { before: earlier.decision, after: later.decision, at: 'fleet' });
  expect(found.map(({ message, hint }) => `${message}. ${hint}`)).toEqual(want);
  expect(found.map(({ pool }) => pool)).toEqual(want.map(() => 'us/h100'));
  expect(found.map(({ at }) => at)).toEqual(want.map(() => 'InferenceCluster us spec.nodePools.0.nodeCount'));
});

test('replicas that may lose their nodes have their GPUs in the table, and a mark on the map', () => {
  const [was, is] = [fleet('GKE', 3, one, two), fleet('GKE', 1, one, two)];
  const changed = diff(was, is);
  const rows = toDeploymentRows(changed, state('here', is).decision.plan);
  expect(rows.map(({ deployments, accelerators }) => ({ deployments, accelerators }))).toEqual([
    { deployments: ['ml/one'], accelerators: { before: 1, after: 1, draining: 0, unreplaced: 0 } },
    { deployments: ['ml/two'], accelerators: { before: 2, after: 2, draining: 0, unreplaced: 0 } },
  ]);
  const { before, after } = createDiffStatus(changed);
  const marksOf = (index: number, deployment: string) =>
    [before, after].map((statusOf) => statusOf({ deployment, cluster: 'us', index }).mark);
  expect(marksOf(0, 'ml/one')).toEqual(['mayRestart', 'mayRestart']);
  expect(marksOf(1, 'ml/two')).toEqual(['mayRestart', 'mayRestart']);
});
