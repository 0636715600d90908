import { eksPlan } from '../../../src/provision/eks/plan';
import { aFleet, anyGpus, type Row, valuesAt } from '../build';

const pool = 'pools/0/args';
const template = 'launchTemplates/1';
const GPU_TAINT = { key: 'nvidia.com/gpu', value: 'present', effect: 'NO_SCHEDULE' };

const rows: Record<string, Row> = {
  'a pool without maxNodeCount has a truly fixed size': {
    want: {
      [`${pool}/scalingConfig`]: { minSize: 2, maxSize: 2, desiredSize: 2 },
      'pools/0/options/ignoreChanges': undefined,
    },
  },
  'a pool may have no nodes at all': {
    pools: { l4: { nodeCount: 0 } },
    want: { [`${pool}/scalingConfig`]: { minSize: 0, maxSize: 1, desiredSize: 0 } },
  },
  'an autoscaled pool keeps a node, by which the autoscaler knows its devices': {
    pools: { l4: { minNodeCount: 0, nodeCount: 0, maxNodeCount: 4 } },
    want: {
      [`${pool}/scalingConfig`]: { minSize: 1, maxSize: 4, desiredSize: 1 },
      'pools/0/options/ignoreChanges': ['scalingConfig.desiredSize'],
      'pools/0/options/customTimeouts': { create: '30m' },
    },
  },
  'without claims the autoscaler knows the GPUs of nodes that are not there': {
    cluster: { dra: false },
    pools: { l4: { minNodeCount: 0, nodeCount: 0, maxNodeCount: 4 } },
    want: { [`${pool}/scalingConfig`]: { minSize: 0, maxSize: 4, desiredSize: 0 } },
  },
  'nodes have the version of their control plane, and are upgraded with it': {
    cloud: { kubernetesVersion: '1.35' },
    want: { [`${pool}/version`]: '1.35', 'systemPool/args/version': '1.35' },
  },
  'bounds that are declared hold': {
    pools: { l4: { minNodeCount: 2, nodeCount: 3, maxNodeCount: 4 } },
    want: { [`${pool}/scalingConfig`]: { minSize: 2, maxSize: 4, desiredSize: 3 } },
  },
  'nodes have a driver and no device plugin, and tell the chart of the driver that they have GPUs': {
    pools: { l4: { labels: { rack: 'a' } } },
    want: {
      [`${pool}/amiType`]: 'AL2023_x86_64_NVIDIA',
      [`${pool}/labels`]: { 'fleetwright.dev/pool': 'l4', 'nvidia.com/gpu.present': 'true', rack: 'a' },
      [`${pool}/capacityType`]: 'ON_DEMAND',
    },
  },
  'nodes without devices for claims lack the label of the driver': {
    class: { devices: [{ name: 'host', claim: 'Synthetic', driver: 'node.example' }] },
    want: { [`${pool}/labels`]: { 'fleetwright.dev/pool': 'l4' } },
  },
  'a processor of Arm has an image of its own': {
    machine: { instanceType: 'p6e-gb200.36xlarge' },
    want: { [`${pool}/amiType`]: 'AL2023_ARM_64_NVIDIA' },
  },
  'a class may say which image': {
    machine: { instanceType: 'g5g.xlarge', amiType: 'AL2023_ARM_64_NVIDIA' },
    want: { [`${pool}/amiType`]: 'AL2023_ARM_64_NVIDIA' },
  },
  'nodes with Neuron devices have their driver, and their own taint instead of that of GPUs': {
    machine: { instanceType: 'trn2.48xlarge' },
    class: { devices: [{ ...anyGpus(16), driver: 'neuron.aws.com', deviceClassName: 'neuron.aws.com' }] },
    want: {
      [`${pool}/amiType`]: 'AL2023_x86_64_NEURON',
      [`${pool}/labels`]: { 'fleetwright.dev/pool': 'l4' },
      [`${pool}/taints`]: [{ key: 'aws.amazon.com/neuron', value: 'present', effect: 'NO_SCHEDULE' }],
    },
  },
  'Neuron devices that pods count, not claim, have the same nodes': {
    machine: { instanceType: 'trn2.48xlarge' },
    class: { devices: [{ ...anyGpus(16), driver: 'other', extendedResource: 'aws.amazon.com/neuron' }] },
    want: { [`${pool}/amiType`]: 'AL2023_x86_64_NEURON' },
  },
  'EFA of Trainium is one interface for each of its cards': {
    machine: { instanceType: 'trn1.32xlarge' },
    class: { devices: [{ ...anyGpus(16), driver: 'neuron.aws.com', deviceClassName: 'neuron.aws.com' }] },
    pools: { l4: { fabric: { type: 'EFA' } } },
    want: {
      [`${template}/networkInterfaces/7/interfaceType`]: 'efa-only',
      [`${template}/networkInterfaces/8`]: undefined,
    },
  },
  'pods without GPUs are kept away, next to the declared taints': {
    pools: { l4: { taints: [{ key: 'team', effect: 'NoExecute' }] } },
    want: { [`${pool}/taints`]: [{ key: 'team', effect: 'NO_EXECUTE' }, GPU_TAINT] },
  },
  'a declared taint for GPUs is the only one': {
    pools: { l4: { taints: [{ key: 'nvidia.com/gpu', value: 'yes', effect: 'NoSchedule' }] } },
    want: { [`${pool}/taints`]: [{ ...GPU_TAINT, value: 'yes' }] },
  },
  'type and disk are in the template': {
    machine: { diskSizeGb: 300 },
    want: {
      [`${template}/args/instanceType`]: 'g6.xlarge',
      [`${template}/args/blockDeviceMappings`]: [
        {
          deviceName: '/dev/xvda',
          ebs: { volumeSize: 300, volumeType: 'gp3', encrypted: 'true', deleteOnTermination: 'true' },
        },
      ],
      [`${template}/args/metadataOptions`]: {
        httpEndpoint: 'enabled',
        httpTokens: 'required',
        httpPutResponseHopLimit: 2,
      },
      [`${template}/networkInterfaces`]: [],
      [`${template}/refs`]: { securityGroups: [] },
      'pools/0/refs/launchTemplate': 'l4',
      efa: undefined,
      'placementGroups/0': undefined,
    },
  },
  'an upgrade needs no spare quota, and whose a node and its disk are is on them': {
    want: {
      [`${pool}/updateConfig`]: { maxUnavailable: 1, updateStrategy: 'MINIMAL' },
      [`${template}/args/tagSpecifications`]: ['instance', 'volume'].map((resourceType) => ({
        resourceType,
        tags: { 'fleetwright-cluster': 'us' },
      })),
    },
  },
  'the pool for the cluster itself has machines without GPUs, in all its zones': {
    want: {
      'systemPool/args': {
        nodeGroupName: 'system',
        version: '1.36',
        amiType: 'AL2023_x86_64_STANDARD',
        scalingConfig: { minSize: 2, maxSize: 4, desiredSize: 2 },
        labels: { 'fleetwright.dev/pool': 'system' },
        tags: { 'fleetwright-cluster': 'us' },
      },
      'systemPool/refs/launchTemplate': 'system',
      'systemPool/options/ignoreChanges': ['scalingConfig.desiredSize', 'subnetIds'],
      'launchTemplates/0/name': 'system',
      'launchTemplates/0/args/instanceType': 'm6i.xlarge',
    },
  },
  'nodes on spot are on spot': { machine: { spot: true }, want: { [`${pool}/capacityType`]: 'SPOT' } },
  'nodes of a capacity block come from it alone': {
    pools: { l4: { capacityBlock: { capacityReservationId: 'cr-01' } } },
    want: {
      [`${pool}/capacityType`]: 'CAPACITY_BLOCK',
      [`${template}/args/instanceMarketOptions`]: { marketType: 'capacity-block' },
      [`${template}/args/capacityReservationSpecification`]: {
        capacityReservationPreference: 'capacity-reservations-only',
        capacityReservationTarget: { capacityReservationId: 'cr-01' },
      },
    },
  },
  'EFA is one interface for each card, of which the first alone has addresses': {
    machine: { instanceType: 'p4d.24xlarge' },
    pools: { l4: { fabric: { type: 'EFA' } } },
    want: {
      [`${template}/networkInterfaces`]: [0, 1, 2, 3].map((card) => ({
        networkCardIndex: card,
        deviceIndex: card === 0 ? 0 : 1,
        interfaceType: card === 0 ? 'efa' : 'efa-only',
        deleteOnTermination: 'true',
        associatePublicIpAddress: 'false',
      })),
      [`${template}/refs/securityGroups`]: ['efa', 'cluster'],
      'efa/ingress/args/ipProtocol': '-1',
      'efa/ingress/refs': { securityGroupId: 'efa', referencedSecurityGroupId: 'efa' },
      'efa/egress/refs': { securityGroupId: 'efa', referencedSecurityGroupId: 'efa' },
      'efa/securityGroup/refs': { vpcId: 'vpc' },
    },
  },
  'a machine that no one knows has one card': {
    machine: { instanceType: 'p9.48xlarge' },
    pools: { l4: { fabric: { type: 'EFA' } } },
    want: {
      [`${template}/networkInterfaces/0/interfaceType`]: 'efa',
      [`${template}/networkInterfaces/1`]: undefined,
    },
  },
  'nodes that stand close together share a placement group': {
    machine: { placementGroup: true },
    want: {
      'placementGroups/0/args/strategy': 'cluster',
      [`${template}/refs/placementGroup`]: 'l4',
    },
  },
  'those of a capacity block do anyway, and get no group that it knows nothing of': {
    machine: { placementGroup: true },
    pools: { l4: { capacityBlock: { capacityReservationId: 'cr-01' } } },
    want: { placementGroups: [], [`${template}/refs/placementGroup`]: undefined },
  },
};

test.each(Object.entries(rows))('%s', (_name, { want, ...declared }) => {
  const { fleet } = aFleet('EKS', declared);
  expect(valuesAt(eksPlan(fleet.clusters[0]!, fleet), want)).toEqual(want);
});
