import { aCluster, type Doc, parsed } from './build';
import { fullDocument } from './documents';
import { type BadRow, changed, reported } from './rows';

const ON_KAI = { 'spec.scheduler': { type: 'KAI', queue: 'inference' } };

const bad: Record<string, BadRow> = {
  'a pool has at most 10000 nodes': {
    change: { 'spec.nodePools.0.nodeCount': undefined, 'spec.nodePools.0.maxNodeCount': 10_001 },
    want: ['spec.nodePools.0.maxNodeCount: 10001 is greater than the maximum of 10000. Use at most 10000.'],
  },
  'a pool of fixed size has at most 10000 nodes': {
    change: { 'spec.nodePools': [{ name: 'p', className: 'x', zones: ['a'], nodeCount: 10_001 }] },
    want: ['spec.nodePools.0.nodeCount: 10001 is greater than the maximum of 10000. Use at most 10000.'],
  },
  'a pool is in at most 16 zones': {
    change: { 'spec.nodePools.0.zones': Array.from({ length: 17 }, (_, index) => `zone-${index}`) },
    want: ['spec.nodePools.0.zones: a list of 17 items is greater than the maximum of 16. List at most 16 items.'],
  },
  'a cluster has at most 64 pools': {
    change: {
      'spec.nodePools': Array.from({ length: 65 }, (_, i) => ({
        name: 'p' + i,
        className: 'x',
        zones: ['a'],
      })),
    },
    want: ['spec.nodePools: a list of 65 items is greater than the maximum of 64. List at most 64 items.'],
  },
  'a pool name is a DNS label': {
    change: { 'spec.nodePools.0.name': 'h200.a' },
    want: [
      "spec.nodePools.0.name: 'h200.a' is not a DNS label. Use lowercase letters, digits and '-', with a letter or digit at both ends.",
    ],
  },
  'a pool name has at most 40 characters': {
    change: { 'spec.nodePools.0.name': 'p'.repeat(41) },
    want: [
      'spec.nodePools.0.name: a text of 41 characters is greater than the maximum of 40. Shorten it to at most 40 characters.',
    ],
  },
  'so has one on a cluster that exists': {
    change: {
      'spec.cluster.source': 'Existing',
      'spec.storage': undefined,
      'spec.nodePools': [{ name: 'p'.repeat(41), className: 'x' }],
    },
    want: [
      'spec.nodePools.0.name: a text of 41 characters is greater than the maximum of 40. Shorten it to at most 40 characters.',
    ],
  },
  'pool names are distinct': {
    change: {
      'spec.nodePools': [
        { name: 'p', className: 'x', zones: ['a'] },
        { name: 'p', className: 'x', zones: ['a'] },
      ],
    },
    want: ["spec.nodePools.1.name: the name 'p' is listed twice, first as item 1. Rename or remove one of the two."],
  },
  'a pool has a class': {
    change: { 'spec.nodePools.0.className': undefined },
    want: ["spec.nodePools.0.className: the field 'className' is missing. Add the InferenceClass of its nodes."],
  },
  'the minimum of a pool is at most its count': {
    change: { 'spec.nodePools.0.minNodeCount': 3 },
    want: [
      'spec.nodePools.0.minNodeCount: minNodeCount 3 is more than nodeCount 2. Lower minNodeCount, or raise nodeCount.',
    ],
  },
  'the count of a pool is at most its maximum': {
    change: { 'spec.nodePools.0.nodeCount': 5 },
    want: [
      'spec.nodePools.0.nodeCount: nodeCount 5 is more than maxNodeCount 4. Lower nodeCount, or raise maxNodeCount.',
    ],
  },
  'the minimum of a pool is at most its maximum': {
    change: { 'spec.nodePools.0.nodeCount': undefined, 'spec.nodePools.0.minNodeCount': 5 },
    want: [
      'spec.nodePools.0.minNodeCount: minNodeCount 5 is more than maxNodeCount 4. Lower minNodeCount, or raise maxNodeCount.',
    ],
  },
  'a pool of a fixed size keeps no nodes in reserve': {
    change: { 'spec.nodePools': [{ name: 'p', className: 'x', zones: ['a'], overprovision: 1 }] },
    want: [
      'spec.nodePools.0.overprovision: the number of nodes is fixed, so no autoscaler keeps nodes in reserve. Remove it, or set a maxNodeCount above minNodeCount.',
    ],
  },
  'a pool keeps nodes for engines': {
    change: { 'spec.nodePools.0.overprovision': 4 },
    want: [
      'spec.nodePools.0.overprovision: 4 nodes without engines leave no node of maxNodeCount 4 for engines. Set it to 3 or less.',
    ],
  },
  'a pool that scales can have a node': {
    change: { 'spec.nodePools': [{ name: 'p', className: 'x', zones: ['a'], maxNodeCount: 0 }] },
    want: [
      'spec.nodePools.0.maxNodeCount: 0 is less than the minimum of 1. For a pool without nodes, set nodeCount: 0, and remove minNodeCount and maxNodeCount.',
    ],
  },
  'a pool that ran out of nodes has no bounds': {
    change: { 'spec.nodePools.0.nodeCount': 0, 'spec.nodePools.0.minNodeCount': 1 },
    want: [
      'spec.nodePools.0.minNodeCount: minNodeCount 1 is more than nodeCount 0. For a pool without nodes, set nodeCount: 0, and remove minNodeCount and maxNodeCount.',
    ],
  },
  'a count is not negative': {
    change: { 'spec.nodePools': [{ name: 'p', className: 'x', zones: ['a'], nodeCount: -1 }] },
    want: ['spec.nodePools.0.nodeCount: -1 is less than the minimum of 0. Use at least 0.'],
  },
  'a pool on EKS names its zones': {
    change: { 'spec.nodePools.0.zones': undefined },
    want: [
      "spec.nodePools.0.zones: the field 'zones' is missing. List the zones of the region that have the machine type. Pools on EKS require them.",
    ],
  },
  'a pool on GKE names its zones': {
    change: { 'spec.cluster.source': 'GKE', 'spec.nodePools': [{ name: 'p', className: 'x', zones: [] }] },
    want: [
      "spec.nodePools.0.zones: the field 'zones' is missing. List the zones of the region that have the machine type. Pools on GKE require them.",
    ],
  },
  'a capacity reservation has the form of AWS': {
    change: { 'spec.nodePools.0.capacityBlock.capacityReservationId': 'cr-XYZ' },
    want: [
      "spec.nodePools.0.capacityBlock.capacityReservationId: 'cr-XYZ' is not a capacity reservation. Use the ID from AWS, as in 'cr-0123456789abcdef0'.",
    ],
  },
  'InfiniBand is on AKS and Nebius only': {
    change: { 'spec.nodePools.0.fabric': { type: 'InfiniBand' } },
    want: [
      'spec.nodePools.0.fabric.type: a cluster with source EKS has no fabric InfiniBand. Remove it. Only AKS and Nebius have it.',
    ],
  },
  'an existing cluster has no fabric to ask for': {
    change: {
      'spec.cluster.source': 'Existing',
      'spec.storage': undefined,
      'spec.nodePools': [{ name: 'p', className: 'x', fabric: { type: 'EFA' } }],
    },
    want: [
      "spec.nodePools.0.fabric.type: Fleetwright does not configure the EFA of a cluster with source Existing. Remove it. Pods claim the network cards that its nodes have: see 'The network between nodes' in docs/gangs.md.",
    ],
  },
  'InfiniBand on Nebius names its fabric': {
    change: {
      'spec.cluster.source': 'Nebius',
      'spec.nodePools': [{ name: 'p', className: 'x', fabric: { type: 'InfiniBand' } }],
    },
    want: [
      "spec.nodePools.0.fabric.infiniband: the field 'infiniband' is missing. Set it to the name of the fabric that has the capacity, which Nebius requires.",
    ],
  },
  'only InfiniBand names a fabric': {
    change: { 'spec.nodePools.0.fabric.infiniband': { fabric: 'fabric-2' } },
    want: [
      "spec.nodePools.0.fabric.infiniband: a fabric of type EFA has no field 'infiniband'. Remove it, or set 'type: InfiniBand'.",
    ],
  },
  'a pool name on AKS has no dash': {
    change: { 'spec.cluster.source': 'AKS', 'spec.nodePools': [{ name: 'h-200', className: 'x' }] },
    want: [
      "spec.nodePools.0.name: 'h-200' is not a pool name on AKS. Use at most 12 lowercase letters and digits, starting with a letter.",
    ],
  },
  'a pool name on AKS has at most 12 characters': {
    change: { 'spec.cluster.source': 'AKS', 'spec.nodePools': [{ name: 'abcdefghijklm', className: 'x' }] },
    want: [
      "spec.nodePools.0.name: 'abcdefghijklm' is not a pool name on AKS. Use at most 12 lowercase letters and digits, starting with a letter.",
    ],
  },
  'a pool name on AKS starts with a letter': {
    change: { 'spec.cluster.source': 'AKS', 'spec.nodePools': [{ name: '8h200', className: 'x' }] },
    want: [
      "spec.nodePools.0.name: '8h200' is not a pool name on AKS. Use at most 12 lowercase letters and digits, starting with a letter.",
    ],
  },
  'a node taint has one of three effects': {
    change: { 'spec.nodePools.0.taints.0.effect': 'Never' },
    want: [
      "spec.nodePools.0.taints.0.effect: unknown value 'Never'. Use one of NoSchedule, PreferNoSchedule, NoExecute.",
    ],
  },
  'levels are distinct, and a node is the narrowest': {
    change: { ...ON_KAI, 'spec.nodePools.0.topology.levels': ['kubernetes.io/hostname', 'rack', 'rack'] },
    want: [
      'spec.nodePools.0.topology.levels.0: no level is narrower than a node. List levels from the widest to the narrowest: move it to the end.',
      "spec.nodePools.0.topology.levels.2: 'rack' is a level already. Remove one.",
    ],
  },
  'gangs are kept within levels that exist': {
    change: { ...ON_KAI, 'spec.nodePools.0.topology': { levels: ['rack'], required: 'block', preferred: 'row' } },
    want: ['required', 'preferred'].map((field) => {
      const level = field === 'required' ? 'block' : 'row';
      return `spec.nodePools.0.topology.${field}: '${level}' is not a level. Use a label that levels lists.`;
    }),
  },
  'what is preferred is narrower than what is required': {
    change: {
      ...ON_KAI,
      'spec.nodePools.0.topology': { levels: ['block', 'rack'], required: 'rack', preferred: 'block' },
    },
    want: [
      "spec.nodePools.0.topology.preferred: gangs stay within one 'rack' already, which is narrower. Remove it, or use a level after that of required.",
    ],
  },
  'only KAI keeps gangs within levels': {
    change: { 'spec.nodePools.0.topology': { levels: ['example.com/rack'] } },
    want: [
      "spec.nodePools.0.topology: only KAI keeps gangs within levels, and spec.scheduler.type is Kueue. Remove it, or set 'type: KAI' there.",
    ],
  },
  'gangs of kube-scheduler are pods that it schedules alone': {
    change: { 'spec.scheduler': { type: 'Kueue', queue: 'inference', gangs: true } },
    want: [
      "spec.scheduler.gangs: gangs of kube-scheduler are for pods that it schedules alone, and type is Kueue. Remove it, or set 'type: Default'.",
    ],
  },
  'a packing is one of three': {
    change: { 'spec.nodePools.0.packing': 'Binpack' },
    want: ["spec.nodePools.0.packing: unknown value 'Binpack': expected Spread, BinPack, Exclusive. Use 'BinPack'."],
  },
  'what is reserved is a quantity': {
    change: { 'spec.nodePools.0.reserved.cpu': 'two' },
    want: [
      "spec.nodePools.0.reserved.cpu: 'two' is not a Kubernetes quantity. Write a number and an optional unit without a space, as in '80Gi'.",
    ],
  },
  'at least one device is reserved where any is': {
    change: { 'spec.nodePools.0.reserved.devices': { gpu: 0 } },
    want: ['spec.nodePools.0.reserved.devices.gpu: 0 is less than the minimum of 1. Use at least 1.'],
  },
  'hardware in a pool belongs into the class': {
    change: { 'spec.nodePools.0.machineType': 'x', 'spec.nodePools.0.devices': [] },
    want: [
      "spec.nodePools.0.machineType: the field 'machineType' is not allowed here. Move it to spec.provisioning of the InferenceClass that className names.",
      "spec.nodePools.0.devices: the field 'devices' is not allowed here. Move it to spec.devices of the InferenceClass that className names.",
    ],
  },
};

describe('pools of an InferenceCluster', () => {
  test.each(Object.entries(bad))('%s', (_, { change, want }) => {
    expect(reported(changed(fullDocument('InferenceCluster'), change))).toEqual(want);
  });

  const sizes: Record<string, { pool: Doc; want: number }> = {
    'a pool without sizes has one node': { pool: {}, want: 1 },
    'a pool that scales from zero starts with one node': {
      pool: { minNodeCount: 0, maxNodeCount: 4 },
      want: 1,
    },
    'a pool starts with its minimum': { pool: { minNodeCount: 3, maxNodeCount: 4 }, want: 3 },
    'a pool may start empty': { pool: { nodeCount: 0, maxNodeCount: 4 }, want: 0 },
  };
  test.each(Object.entries(sizes))('%s', (_, { pool, want }) => {
    expect(aCluster('us', { pools: { p: pool } }).spec.nodePools[0]?.nodeCount).toBe(want);
  });

  test('a cluster without pools has none', () => {
    const kubeconfig = { source: 'Existing', existing: { secretRef: { name: 'kubeconfig' } } };
    expect(parsed('InferenceCluster', 'door', { cluster: kubeconfig }).spec.nodePools).toEqual([]);
    expect(aCluster('door', { nodePools: [] }).spec.nodePools).toEqual([]);
  });

  test('InfiniBand needs no name of a fabric on AKS', () => {
    const pools = { h200: { fabric: { type: 'InfiniBand' } } };
    expect(aCluster('eu', { source: 'AKS', pools }).spec.nodePools[0]?.fabric).toEqual({
      type: 'InfiniBand',
    });
  });
});
