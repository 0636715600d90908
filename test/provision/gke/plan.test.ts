import type { NetworkArgs } from '@pulumi/gcp/compute/network';
import type { RouterArgs } from '@pulumi/gcp/compute/router';
import type { RouterNatArgs } from '@pulumi/gcp/compute/routerNat';
import type { SubnetworkArgs } from '@pulumi/gcp/compute/subnetwork';
import type { ClusterArgs } from '@pulumi/gcp/container/cluster';
import type { NodePoolArgs } from '@pulumi/gcp/container/nodePool';
import type { IAMMemberArgs } from '@pulumi/gcp/projects/iammember';
import type { ServiceArgs } from '@pulumi/gcp/projects/service';
import type { AccountArgs } from '@pulumi/gcp/serviceaccount/account';
import { type GkePlan, gkePlan } from '../../../src/provision/gke/plan';
import { aFleet, type Declared, type Row, valuesAt } from '../build';

function planned(declared: Declared = {}): GkePlan {
  const { cluster, fleet } = aFleet('GKE', declared);
  return gkePlan(cluster, fleet, 'chat');
}

const pool = 'pools/0/args';
const node = `${pool}/nodeConfig`;

const rows: Record<string, Row> = {
  'a control plane is regional, protected and open to whoever can log in': {
    want: {
      'cluster/args/location': 'us-central1',
      'cluster/args/deletionProtection': true,
      'cluster/args/masterAuthorizedNetworksConfig': undefined,
      'cluster/args/privateClusterConfig': undefined,
      'cluster/args/minMasterVersion': '1.35',
      'cluster/args/datapathProvider': 'ADVANCED_DATAPATH',
      'cluster/args/gatewayApiConfig': { channel: 'CHANNEL_DISABLED' },
      'subnet/args/privateIpGoogleAccess': true,
      'systemPool/args/initialNodeCount': 1,
      router: undefined,
    },
  },
  'a zonal control plane has its pools in its place': {
    cloud: { zone: 'us-central1-a' },
    want: {
      'cluster/args/location': 'us-central1-a',
      [`${pool}/location`]: 'us-central1-a',
      'systemPool/args/initialNodeCount': 2,
    },
  },
  'protection can be given up, and who reaches the control plane restricted': {
    cluster: { deletionProtection: false, network: { authorizedNetworks: ['192.0.2.0/24'] } },
    want: {
      'cluster/args/deletionProtection': false,
      'cluster/args/masterAuthorizedNetworksConfig': { cidrBlocks: [{ cidrBlock: '192.0.2.0/24' }] },
    },
  },
  "a network is the cluster's own, without the subnets that Google makes by itself": {
    want: {
      'network/args': { name: 'us', project: 'chat', autoCreateSubnetworks: false, routingMode: 'REGIONAL' },
      'cluster/args/network': 'us',
      'cluster/args/subnetwork': 'us',
      'cluster/args/networkingMode': 'VPC_NATIVE',
    },
  },
  'the pool that every cluster begins with goes, and what it was made with is not missed': {
    want: {
      'cluster/args/removeDefaultNodePool': true,
      'cluster/args/initialNodeCount': 1,
      'cluster/args/nodeConfig': { serviceAccount: 'us-nodes@chat.iam.gserviceaccount.com' },
      'cluster/options/ignoreChanges': ['initialNodeCount', 'nodeConfig'],
    },
  },
  'Google upgrades a control plane, by its regular channel': {
    want: { 'cluster/args/releaseChannel': { channel: 'REGULAR' } },
  },
  'private nodes have a way out': {
    cluster: { network: { private: true } },
    want: {
      'cluster/args/privateClusterConfig': { enablePrivateNodes: true, enablePrivateEndpoint: false },
      'nat/args': {
        name: 'us',
        project: 'chat',
        region: 'us-central1',
        router: 'us',
        natIpAllocateOption: 'AUTO_ONLY',
        sourceSubnetworkIpRangesToNat: 'ALL_SUBNETWORKS_ALL_IP_RANGES',
      },
      'router/args/network': 'us',
    },
  },
  'nodes, services and pods share the declared range': {
    cluster: { network: { cidr: '10.16.0.0/16' } },
    want: {
      'subnet/args/ipCidrRange': '10.16.0.0/18',
      'subnet/args/secondaryIpRanges': [
        { rangeName: 'pods', ipCidrRange: '10.16.128.0/17' },
        { rangeName: 'services', ipCidrRange: '10.16.64.0/18' },
      ],
      'cluster/args/ipAllocationPolicy': {
        clusterSecondaryRangeName: 'pods',
        servicesSecondaryRangeName: 'services',
      },
    },
  },
  'a large range has no more services than GKE takes': {
    cluster: { network: { cidr: '10.0.0.0/8' } },
    want: {
      'subnet/args/ipCidrRange': '10.0.0.0/10',
      'subnet/args/secondaryIpRanges': [
        { rangeName: 'pods', ipCidrRange: '10.128.0.0/9' },
        { rangeName: 'services', ipCidrRange: '10.64.0.0/16' },
      ],
    },
  },
  'volumes are made in the network of the cluster': {
    want: {
      'storage/manifest/parameters': { tier: 'enterprise', network: 'us', labels: 'fleetwright-cluster=us' },
      'storage/manifest/metadata/name': 'fleetwright-shared',
      'storage/manifest/provisioner': 'filestore.csi.storage.gke.io',
      'storage/manifest/volumeBindingMode': 'Immediate',
      'storage/manifest/allowVolumeExpansion': true,
      'cluster/args/addonsConfig/gcpFilestoreCsiDriverConfig': { enabled: true },
      'network/args/name': 'us',
    },
  },
  'a cluster has the driver of disks, and not that of buckets': {
    want: {
      'cluster/args/addonsConfig/gcePersistentDiskCsiDriverConfig': { enabled: true },
      'cluster/args/addonsConfig/gcsFuseCsiDriverConfig': { enabled: false },
    },
  },
  'drivers of volumes are switched on and off': {
    cloud: { addons: { persistentDisk: false, gcsFuse: true } },
    want: {
      'cluster/args/addonsConfig/gcePersistentDiskCsiDriverConfig': { enabled: false },
      'cluster/args/addonsConfig/gcsFuseCsiDriverConfig': { enabled: true },
    },
  },
  'a storage class that the user makes is not made': {
    cluster: { storage: { sharedFilesystem: { storageClassName: 'ours' } } },
    want: { storage: undefined },
  },
  'nodes run as an account of their own that can write logs and read images': {
    want: {
      [`${node}/serviceAccount`]: 'us-nodes@chat.iam.gserviceaccount.com',
      'systemPool/args/nodeConfig/serviceAccount': 'us-nodes@chat.iam.gserviceaccount.com',
      'account/args/accountId': 'us-nodes',
      'roles/0/args': {
        project: 'chat',
        role: 'roles/artifactregistry.reader',
        member: 'serviceAccount:us-nodes@chat.iam.gserviceaccount.com',
      },
      [`${node}/workloadMetadataConfig`]: { mode: 'GKE_METADATA' },
      'cluster/args/workloadIdentityConfig': { workloadPool: 'chat.svc.id.goog' },
    },
  },
  'a resource says whose it is': {
    fleet: {},
    want: {
      'cluster/args/resourceLabels': { 'fleetwright-cluster': 'us', 'fleetwright-fleet': 'prod-example' },
      [`${node}/resourceLabels`]: { 'fleetwright-cluster': 'us', 'fleetwright-fleet': 'prod-example' },
      'systemPool/args/nodeConfig/resourceLabels/fleetwright-fleet': 'prod-example',
      'storage/manifest/parameters/labels': 'fleetwright-fleet=prod-example,fleetwright-cluster=us',
    },
  },
  'the APIs stay on when the cluster goes: others in the project may use them': {
    want: {
      services: ['cloudresourcemanager', 'compute', 'container', 'file', 'iam'].map((api) => ({
        name: `${api}.googleapis.com`,
        args: { project: 'chat', service: `${api}.googleapis.com`, disableOnDestroy: false },
      })),
    },
  },
  'a cluster without pools has a pool for itself': {
    pools: {},
    want: { pools: [], 'systemPool/args/name': 'system', 'systemPool/args/autoscaling/totalMinNodeCount': 2 },
  },
};

test.each(Object.entries(rows))('%s', (_name, { want, ...declared }) => {
  expect(valuesAt(planned(declared), want)).toEqual(want);
});

test.each([
  ['BasicHDD', 'standard', 1024],
  ['BasicSSD', 'premium', 2560],
  ['Zonal', 'zonal', 1024],
  ['Regional', 'regional', 1024],
  ['Enterprise', 'enterprise', 1024],
  [undefined, 'enterprise', 1024],
])('the tier %s of Filestore is %s to its driver, with volumes of %i GiB and more', (tier, parameter, least) => {
  const { storage } = planned({ cluster: { storage: { sharedFilesystem: { tier } } } });
  expect(storage).toMatchObject({ minimumGiB: least, manifest: { parameters: { tier: parameter } } });
});

test('nodes may write logs and metrics and read images, and nothing else', () => {
  expect(planned().roles.map(({ args }) => args.role)).toEqual([
    'roles/artifactregistry.reader',
    'roles/logging.logWriter',
    'roles/monitoring.metricWriter',
    'roles/monitoring.viewer',
    'roles/stackdriver.resourceMetadata.writer',
  ]);
});

test('the arguments are those of the provider, without casts', () => {
  // Checked by the compiler.
  const plan = planned({ cluster: { network: { private: true } } });
  plan.network.args satisfies NetworkArgs;
  plan.subnet.args satisfies SubnetworkArgs;
  plan.router?.args satisfies RouterArgs | undefined;
  plan.nat?.args satisfies RouterNatArgs | undefined;
  plan.account.args satisfies AccountArgs;
  plan.cluster.args satisfies ClusterArgs;
  plan.systemPool.args satisfies NodePoolArgs;
  plan.services.map(({ args }) => args satisfies ServiceArgs);
  plan.roles.map(({ args }) => args satisfies IAMMemberArgs);
  plan.pools.map(({ args }) => args satisfies NodePoolArgs);
  expect(plan.pools).toHaveLength(1);
});

test('a long name of a cluster is cut where an account takes no more, and still tells clusters apart', () => {
  const ids = ['a', 'b'].map(
    (end) => planned({ name: `a-cluster-with-quite-a-long-name-${end}` }).account.args.accountId,
  );
  expect(ids).toEqual([expect.stringMatching(/^.{20,30}$/), expect.stringMatching(/^.{20,30}$/)]);
  expect(new Set(ids).size).toBe(2);
});

test('a project of a domain has its accounts under that domain', () => {
  const { cluster, fleet } = aFleet('GKE');
  const { systemPool } = gkePlan(cluster, fleet, 'example.com:chat');
  expect(systemPool.args.nodeConfig.serviceAccount).toBe('us-nodes@chat.example.com.iam.gserviceaccount.com');
});

test('pools come by name, whatever their order in the document', () => {
  const [one, other] = [
    ['b', 'a'],
    ['a', 'b'],
  ].map((names) => planned({ pools: Object.fromEntries(names.map((name) => [name, {}])) }));
  expect(one).toEqual(other);
});

test('a cluster elsewhere is a bug of the caller', () => {
  const { cluster, fleet } = aFleet('EKS');
  expect(() => gkePlan(cluster, fleet, 'chat')).toThrow('bug');
});
