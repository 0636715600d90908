import { findProvisioningErrors, findProvisioningWarnings } from '../../src/provision/check-provisioning';
import { aCluster } from '../api/build';
import { aFleet, faultsOf, lines, type Refused } from './build';

const FLEX = { machine: { flexStart: true } };

const TPU_TAINT = { key: 'google.com/tpu', value: 'present', effect: 'NoSchedule' };
const TPU = {
  machine: { machineType: 'ct6e-standard-4t', accelerator: { type: 'tpu-v6e-slice', count: 4 } },
  class: { devices: [{ name: 'tpu', driver: 'tpu.google.com', deviceClassName: 'tpu.google.com', count: 4 }] },
};

const rows: Record<string, Refused> = {
  'a good cluster on GKE has no problems': { on: 'GKE', machine: { driver: 'SelfManaged' }, want: [] },
  'a good cluster on EKS has no problems': { on: 'EKS', want: [] },
  'a zone of another region is reported, on GKE': {
    on: 'GKE',
    pools: { l4: { zones: ['us-central2-a'] } },
    want: [
      "InferenceCluster us spec.nodePools.0.zones.0: 'us-central2-a' is not a zone of the region us-central1. Did you mean 'us-central1-a'?",
    ],
  },
  'a zone of another region is reported, on EKS': {
    on: 'EKS',
    pools: { l4: { zones: ['us-east-1a', 'us-east-2a'], nodeCount: 2 } },
    want: [
      "InferenceCluster us spec.nodePools.0.zones.1: 'us-east-2a' is not a zone of the region us-east-1. List its zones as in 'us-east-1a', or correct the region.",
    ],
  },
  'a region that is misspelled is reported once, and not its zones': {
    on: 'GKE',
    cloud: { region: 'us-cental1' },
    pools: { l4: { zones: ['us-central1-a'] }, other: { zones: ['us-central1-b'] } },
    want: [
      "InferenceCluster us spec.cluster.gke.region: GKE has no known region 'us-cental1', and 'us-central1-a' is a zone of us-central1. Did you mean 'us-central1'?",
    ],
  },
  'a zone in place of the region is one': {
    on: 'GKE',
    cloud: { region: 'us-central1-a' },
    want: [
      "InferenceCluster us spec.cluster.gke.region: 'us-central1-a' is a zone of us-central1, not a region. Did you mean 'us-central1'?",
    ],
  },
  'a zone that is listed twice is reported': {
    on: 'EKS',
    pools: { l4: { zones: ['us-east-1a', 'us-east-1a'] } },
    want: ["InferenceCluster us spec.nodePools.0.zones.1: the zone 'us-east-1a' is listed twice. Remove one."],
  },
  'no pool takes the name of the one for the cluster itself': {
    on: 'EKS',
    pools: { system: {} },
    want: [
      "InferenceCluster us spec.nodePools.0.name: 'system' is the name of the pool for the cluster itself. Use another name.",
    ],
  },
  'a pool on GKE begins with a letter': {
    on: 'GKE',
    pools: { '8x': {} },
    want: ["InferenceCluster us spec.nodePools.0.name: '8x' is not a pool name on GKE. Start it with a letter."],
  },
  'a fixed size can be shared out over the zones of GKE': {
    on: 'GKE',
    pools: { l4: { nodeCount: 3, zones: ['us-central1-a', 'us-central1-b'] } },
    want: [
      'InferenceCluster us spec.nodePools.0.nodeCount: 3 nodes cannot be split evenly over 2 zones, as GKE requires. Use a multiple of 2, or set maxNodeCount for autoscaling.',
    ],
  },
  'EKS shares out any size': {
    on: 'EKS',
    pools: { l4: { nodeCount: 3, zones: ['us-east-1a', 'us-east-1b'] } },
    want: [],
  },
  'flexible start begins without nodes': {
    on: 'GKE',
    ...FLEX,
    pools: { a: {}, b: { minNodeCount: 1, maxNodeCount: 2 }, c: { maxNodeCount: 2 } },
    want: [
      "InferenceCluster us spec.nodePools.0.maxNodeCount: flexStart requires autoscaling from zero nodes, and pool 'a' has a fixed minimum. Set maxNodeCount, and remove minNodeCount.",
      "InferenceCluster us spec.nodePools.1.minNodeCount: flexStart requires autoscaling from zero nodes, and pool 'b' has a fixed minimum. Set maxNodeCount, and remove minNodeCount.",
    ],
  },
  'nodes that stand close together are in one zone, on GKE': {
    on: 'GKE',
    machine: { compactPlacement: true },
    pools: { l4: { zones: ['us-central1-a', 'us-central1-b'] } },
    want: [
      "InferenceCluster us spec.nodePools.0.zones: compactPlacement requires one zone, and pool 'l4' has several. Declare a pool for each zone.",
    ],
  },
  'a TPU slice of several nodes is in one zone': {
    on: 'GKE',
    ...TPU,
    pools: { l4: { tpuTopology: '2x4', taints: [TPU_TAINT], zones: ['us-central1-a', 'us-central1-b'] } },
    want: [
      "InferenceCluster us spec.nodePools.0.zones: a TPU slice of several nodes requires one zone, and pool 'l4' has several. Declare a pool for each zone.",
    ],
  },
  'pods tolerate the taint that GKE sets on nodes with TPUs only if it is declared': {
    on: 'GKE',
    ...TPU,
    want: [
      "InferenceCluster us spec.nodePools.0.taints: GKE taints nodes with TPUs, and pool 'l4' does not declare the taint. Add '{ key: google.com/tpu, value: present, effect: NoSchedule }'.",
    ],
  },
  'a placement group and a capacity block are in one zone': {
    on: 'EKS',
    machine: { placementGroup: true },
    pools: {
      a: { zones: ['us-east-1a', 'us-east-1b'] },
      b: { zones: ['us-east-1a', 'us-east-1b'], capacityBlock: { capacityReservationId: 'cr-01' } },
    },
    want: [
      "InferenceCluster us spec.nodePools.0.zones: placementGroup requires one zone, and pool 'a' has several. Declare a pool for each zone.",
      "InferenceCluster us spec.nodePools.1.zones: capacityBlock requires one zone, and pool 'b' has several. Declare a pool for each zone.",
    ],
  },
  'a capacity block is paid for, and not on spot': {
    on: 'EKS',
    machine: { spot: true },
    pools: { a: {}, b: { capacityBlock: { capacityReservationId: 'cr-01' } } },
    want: [
      "InferenceCluster us spec.nodePools.1.capacityBlock: nodes of pool 'b' cannot come from a capacity block, because InferenceClass 'gpu' uses spot. Use a class without spot, or remove it.",
    ],
  },
  'what a cluster says for EKS is nothing to GKE': {
    on: 'GKE',
    cluster: {
      cluster: {
        source: 'GKE',
        gke: { region: 'us-central1' },
        eks: { region: 'us-east-1', zones: ['us-east-2b'] },
      },
    },
    want: [],
  },
  'a zone of Google for accelerators alone is one of its region': {
    on: 'GKE',
    pools: { l4: { zones: ['us-central1-ai1a'] } },
    want: [],
  },
};

test.each(Object.entries(rows))('%s', (_name, { on, want, ...declared }) => {
  expect(faultsOf(aFleet(on, declared).fleet)).toEqual(want);
});

test('clusters that exist, or that no one makes here, are left alone', () => {
  const { fleet } = aFleet('GKE');
  const clusters = [aCluster('oslo', { source: 'Nebius' }), aCluster('lab', { pools: { x: 1 } })];
  expect(faultsOf({ ...fleet, clusters })).toEqual([]);
});

test('what a cloud would refuse is an error under our group, and a warning under the alias group', () => {
  const { fleet } = aFleet('EKS', { pools: { system: {} } });
  const clusters = fleet.clusters.map((cluster) => ({ ...cluster, group: 'modelplane.ai' as const }));
  const alias = { ...fleet, clusters };
  const want = faultsOf(fleet);
  expect(want).toHaveLength(1);
  expect([lines(findProvisioningErrors(fleet)), lines(findProvisioningWarnings(fleet))]).toEqual([want, []]);
  expect([lines(findProvisioningErrors(alias)), lines(findProvisioningWarnings(alias))]).toEqual([[], want]);
});
