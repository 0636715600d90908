import type { Resource } from '../../src/api/kinds';
import { CONTROL_PLANE_KINDS } from '../../src/provision/cloud-resources';
import { formatCloudChanges } from '../../src/report/diff/cloud-changes-text';
import { terminalLines } from '../../src/report/document/write-terminal';
import { aClass, aCluster, type Doc, gpus, MACHINES, parsed } from '../api/build';
import { diff } from './build';

/** A class of eight GPUs that a cloud makes. */
function made(cloud: 'GKE' | 'EKS', machine: Doc = {}, more: Doc = {}): Resource {
  const key = cloud.toLowerCase();
  const own = MACHINES[cloud] as unknown as Record<string, Doc>;
  return aClass('h100', { provisioning: { provider: cloud, [key]: { ...own[key], ...machine } }, ...more });
}

const gke = (options: Doc = {}, pool: Doc = {}): Resource =>
  aCluster('us', { source: 'GKE', pools: { h100: { nodeCount: 4, ...pool } }, ...options });
const eks = (options: Doc = {}, pool: Doc = {}): Resource =>
  aCluster('us', { source: 'EKS', pools: { h100: { nodeCount: 4, ...pool } }, ...options });
const aks = (pool: Doc = {}): Resource =>
  aCluster('us', { source: 'AKS', pools: { h100: { nodeCount: 4, zones: ['1'], ...pool } } });
const AKS = aClass('h100', {
  provisioning: {
    provider: 'AKS',
    aks: { vmSize: 'Standard_ND96isr_H100_v5', accelerator: { type: 'nvidia-h100', count: 8 } },
  },
});
const GKE = made('GKE');
const EKS = made('EKS');

function lines(before: Resource[], after: Resource[]): string[] {
  return terminalLines(formatCloudChanges(diff(before, after).cloud))
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

const cases: Record<string, { before: Resource[]; after: Resource[]; want: unknown[] }> = {
  'nothing, where nothing changed': { before: [GKE, gke()], after: [GKE, gke()], want: [] },
  'nothing on a cluster that others make': {
    before: [GKE, aCluster('us', { pools: { h100: 4 } })],
    after: [GKE, aCluster('us', { pools: { h100: 9 } })],
    want: [],
  },
  'more nodes of a pool on GKE': {
    before: [GKE, gke()],
    after: [GKE, gke({}, { nodeCount: 6 })],
    want: [
      'cloud resources of us   1 changed; 4 -> 6 nodes',
      '~ NodePool h100, 4 -> 6 nodes of a3-highgpu-8g; because InferenceCluster us nodePools[h100].nodeCount: 4 -> 6 (InferenceCluster us spec.nodePools.0.nodeCount)',
      'nodeCount: 4 -> 6',
    ],
  },
  'more nodes of a pool on AKS': {
    before: [AKS, aks()],
    after: [AKS, aks({ nodeCount: 6 })],
    want: [
      'cloud resources of us   1 changed; 4 -> 6 nodes',
      expect.stringContaining('~ AgentPool h100, 4 -> 6 nodes of Standard_ND96isr_H100_v5; because'),
      'count: 4 -> 6',
    ],
  },
  'other zones make another pool on AKS': {
    before: [AKS, aks()],
    after: [AKS, aks({ zones: ['2'] })],
    want: expect.arrayContaining([expect.stringMatching(/^cloud resources of us {3}1 replaced/)]),
  },
  'a pool that an autoscaler sizes has bounds': {
    before: [GKE, gke()],
    after: [GKE, gke({}, { minNodeCount: 1, maxNodeCount: 8 })],
    want: [
      'cloud resources of us   1 changed; 4 -> 1 to 8 nodes',
      expect.stringContaining('~ NodePool h100, 4 -> 1 to 8 nodes of a3-highgpu-8g; because'),
      expect.stringContaining('autoscaling: '),
      'nodeCount: was 4, removed',
    ],
  },
  'another machine on GKE makes nodes again in the pool that stays': {
    before: [GKE, gke()],
    after: [
      made('GKE', {
        machineType: 'a3-megagpu-8g',
        accelerator: { type: 'nvidia-h100-mega-80gb', count: 8 },
      }),
      gke(),
    ],
    want: [
      'cloud resources of us   1 replaced',
      expect.stringMatching(
        /^± NodePool h100, 4 nodes of a3-megagpu-8g, replaced: deleted before its replacement is created; because InferenceClass h100 /,
      ),
      'nodeConfig.machineType: a3-highgpu-8g -> a3-megagpu-8g',
      'nodeConfig.guestAccelerators[0].type: nvidia-h100-80gb -> nvidia-h100-mega-80gb',
    ],
  },
  'a larger disk on GKE makes nodes again in the pool that stays': {
    before: [GKE, gke()],
    after: [made('GKE', { diskSizeGb: 500 }), gke()],
    want: [
      'cloud resources of us   1 recreated',
      expect.stringMatching(/^~ NodePool h100, 4 nodes of a3-highgpu-8g, its nodes are recreated; because/),
      expect.stringMatching(/^nodeConfig\.diskSizeGb: \d+ -> 500$/),
    ],
  },
  'zones of a pool on GKE change where it is': {
    before: [GKE, gke()],
    after: [GKE, gke({}, { zones: ['us-central1-b'] })],
    want: [
      'cloud resources of us   1 changed',
      expect.stringContaining('~ NodePool h100, 4 nodes of a3-highgpu-8g; because'),
      'nodeLocations: -us-central1-a +us-central1-b',
    ],
  },
  'zones of a pool on EKS are another pool': {
    before: [EKS, eks()],
    after: [EKS, eks({}, { zones: ['us-east-1b'] })],
    want: expect.arrayContaining([
      expect.stringMatching(
        /^± NodeGroup h100, 4 nodes of p5\.48xlarge, replaced: deleted before its replacement is created; because InferenceCluster us nodePools\[h100\]\.zones/,
      ),
      'subnetIds: -private-us-east-1a +private-us-east-1b',
    ]) as unknown as unknown[],
  },
  'a zone more on EKS moves nothing of the cluster itself': {
    before: [EKS, eks({}, { zones: ['us-east-1b', 'us-east-1c'] })],
    after: [EKS, eks({}, { zones: ['us-east-1a', 'us-east-1b', 'us-east-1c'] })],
    want: [
      'cloud resources of us   5 created, 1 replaced',
      expect.stringMatching(/^\+ Subnet public-us-east-1a, private-us-east-1a;/),
      expect.stringMatching(/^\+ RouteTableAssociation public-us-east-1a, private-us-east-1a;/),
      expect.stringMatching(/^± NodeGroup h100, /),
      'subnetIds: +private-us-east-1a',
      expect.stringMatching(/^\+ MountTarget private-us-east-1a;/),
    ],
  },
  'another machine on EKS makes nodes again in the pool that stays': {
    before: [EKS, eks()],
    after: [made('EKS', { instanceType: 'p5en.48xlarge' }, { devices: [gpus(8, { memory: '141Gi' })] }), eks()],
    want: [
      'cloud resources of us   1 recreated',
      expect.stringMatching(
        /^~ NodeGroup h100, 4 nodes of p5en\.48xlarge, its nodes are recreated; because InferenceClass/,
      ),
      'launchTemplate.instanceType: p5.48xlarge -> p5en.48xlarge',
    ],
  },
  'spot on EKS is another pool': {
    before: [EKS, eks()],
    after: [made('EKS', { spot: true }), eks()],
    want: [
      'cloud resources of us   1 replaced',
      expect.stringMatching(/^± NodeGroup h100, /),
      'capacityType: ON_DEMAND -> SPOT',
    ],
  },
  'what the autoscaler decides is no change': {
    before: [EKS, eks({}, { minNodeCount: 1, maxNodeCount: 8, nodeCount: 2 })],
    after: [EKS, eks({}, { minNodeCount: 1, maxNodeCount: 8, nodeCount: 3 })],
    want: [],
  },
  'a second pool, and one that is gone': {
    before: [GKE, gke({ pools: { a: { nodeCount: 1, className: 'h100' } } })],
    after: [GKE, gke({ pools: { b: { nodeCount: 2, className: 'h100' } } })],
    want: [
      'cloud resources of us   1 created, 1 deleted; 1 -> 2 nodes',
      expect.stringMatching(
        /^\+ NodePool b, 2 nodes of a3-highgpu-8g; because InferenceCluster us spec\.nodePools\[b\]: new /,
      ),
      expect.stringMatching(
        /^- NodePool a, 1 node of a3-highgpu-8g; because InferenceCluster us spec\.nodePools\[a\]: removed /,
      ),
    ],
  },
  'a new cluster has a line for each kind': {
    before: [GKE],
    after: [GKE, gke()],
    want: expect.arrayContaining([
      '+ Network us; because InferenceCluster us is new (InferenceCluster us )',
      '+ NodePool system; because InferenceCluster us is new (InferenceCluster us )',
      '+ NodePool h100, 4 nodes of a3-highgpu-8g; because InferenceCluster us is new (InferenceCluster us )',
      '+ StorageClass fleetwright-shared; because InferenceCluster us is new (InferenceCluster us )',
    ]) as unknown as unknown[],
  },
  'a cluster that is gone takes all of it along': {
    before: [GKE, gke()],
    after: [GKE],
    want: expect.arrayContaining([
      '- NodePool h100, 4 nodes of a3-highgpu-8g; because InferenceCluster us is gone (InferenceCluster us )',
      '- Network us; because InferenceCluster us is gone (InferenceCluster us )',
    ]) as unknown as unknown[],
  },
  'the tier of shared storage is another class of it': {
    before: [GKE, gke()],
    after: [GKE, gke({ storage: { sharedFilesystem: { tier: 'Zonal' } } })],
    want: [
      'cloud resources of us   1 replaced',
      expect.stringMatching(/^± StorageClass fleetwright-shared, replaced: .*; because InferenceCluster us /),
      'parameters.tier: enterprise -> zonal',
    ],
  },
  'another version of Kubernetes is a change of the control plane alone': {
    before: [GKE, gke({ cluster: { source: 'GKE', gke: { region: 'us-central1', kubernetesVersion: '1.34' } } })],
    after: [GKE, gke({ cluster: { source: 'GKE', gke: { region: 'us-central1', kubernetesVersion: '1.35' } } })],
    want: [
      'cloud resources of us   1 changed',
      expect.stringMatching(
        /^~ Cluster us; because InferenceCluster us cluster\.gke\.kubernetesVersion: 1\.34 -> 1\.35/,
      ),
      'minMasterVersion: 1.34 -> 1.35',
    ],
  },
  'what the fleet is called is on every cluster that is made': {
    before: [GKE, gke()],
    after: [GKE, gke(), parsed('Fleet', 'models', {})],
    want: [
      'cloud resources of us   3 changed, 1 replaced',
      '~ Cluster us; because Fleet models is new (Fleet models )',
      'resourceLabels.fleetwright-fleet: models, new',
      '~ NodePool system; because Fleet models is new (Fleet models )',
      'nodeConfig.resourceLabels.fleetwright-fleet: models, new',
      '~ NodePool h100, 4 nodes of a3-highgpu-8g; because Fleet models is new (Fleet models )',
      'nodeConfig.resourceLabels.fleetwright-fleet: models, new',
      '± StorageClass fleetwright-shared, replaced: deleted before its replacement is created; because Fleet models is new (Fleet models )',
      'parameters.labels: fleetwright-cluster=us -> fleetwright-fleet=models,fleetwright-cluster=us',
    ],
  },
};

describe('what happens to cloud resources, and because of which line', () => {
  test.each(Object.entries(cases))('%s', (_, { before, after, want }) => {
    expect(lines(before, after)).toEqual(want);
  });
});

test('a pool is recreated for another machine, and not for its number of nodes next to it', () => {
  const larger = made('EKS', { instanceType: 'p5en.48xlarge' }, { devices: [gpus(8, { memory: '141Gi' })] });
  const changes = diff([EKS, eks()], [larger, eks({}, { nodeCount: 5 })]).cloud.filter(({ name }) => name === 'h100');
  const ids = changes.flatMap(({ action, causes }) => causes.map(({ id }) => `${action} ${id}`));
  expect(new Set(ids)).toEqual(new Set(['roll InferenceClass h100']));
});

/** What an edit of a cluster does to its control plane, as the table of docs/pull-requests.md has it. */
const EDITS: Readonly<Record<string, { source: 'GKE' | 'EKS' | 'AKS'; cloud?: Doc; network?: Doc; want: string }>> = {
  'another region on GKE replaces the cluster': { source: 'GKE', cloud: { region: 'europe-west4' }, want: 'replace' },
  'a zonal control plane on GKE replaces the cluster': {
    source: 'GKE',
    cloud: { region: 'us-central1', zone: 'us-central1-a' },
    want: 'replace',
  },
  'private nodes on GKE replace the cluster': { source: 'GKE', network: { private: true }, want: 'replace' },
  'another version on GKE keeps the cluster': {
    source: 'GKE',
    cloud: { region: 'us-central1', kubernetesVersion: '1.34' },
    want: 'change',
  },
  'other networks with access on GKE keep the cluster': {
    source: 'GKE',
    network: { authorizedNetworks: ['10.1.0.0/16'] },
    want: 'change',
  },
  'another region on EKS replaces the cluster': { source: 'EKS', cloud: { region: 'eu-west-1' }, want: 'replace' },
  'other networks with access on EKS keep the cluster': {
    source: 'EKS',
    network: { authorizedNetworks: ['10.1.0.0/16'] },
    want: 'change',
  },
  'another location on AKS replaces the cluster': { source: 'AKS', cloud: { location: 'westeurope' }, want: 'replace' },
  'other networks with access on AKS keep the cluster': {
    source: 'AKS',
    network: { authorizedNetworks: ['10.1.0.0/16'] },
    want: 'change',
  },
};
const PLACES = {
  GKE: { key: 'gke', where: { region: 'us-central1' } },
  EKS: { key: 'eks', where: { region: 'us-east-1' } },
  AKS: { key: 'aks', where: { location: 'eastus' } },
} as const;

test.each(Object.entries(EDITS))('%s', (_, { source, cloud, network = {}, want }) => {
  const { key, where } = PLACES[source];
  const cluster = (place: Doc, more: Doc): Resource =>
    parsed('InferenceCluster', 'us', { cluster: { source, [key]: place }, network: more });
  const changes = diff([cluster(where, {})], [cluster(cloud ?? where, network)]).cloud;
  const controlPlane = changes.filter(({ kind }) => CONTROL_PLANE_KINDS.has(kind));
  expect(controlPlane.map(({ action }) => action)).toEqual([want]);
});
