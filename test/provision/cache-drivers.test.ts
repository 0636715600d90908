import { BLOCK_STORAGE_CLASS } from '../../src/api/cluster-storage';
import { aksPlan } from '../../src/provision/aks/plan';
import { eksPlan } from '../../src/provision/eks/plan';
import { gkePlan } from '../../src/provision/gke/plan';
import { aCache, type Doc } from '../api/build';
import { aFleet } from './build';

const NO_HUB = { huggingFace: undefined };
const S3 = { ...NO_HUB, source: 'S3', s3: { uri: 's3://models/qwen' } };
const GCS = { ...NO_HUB, source: 'GCS', gcs: { uri: 'gs://models/qwen' } };
const MOUNT = { storage: 'ObjectStorageMount', sizeGiB: undefined };
const DISK = { storage: 'BlockDevice' };
const ELSEWHERE = { clusterSelector: { matchLabels: { place: 'elsewhere' } } };

const fuse: Record<string, { cache?: Doc; cloud?: Doc; want: boolean }> = {
  'not without caches': { want: false },
  'not for a bucket that is staged': { cache: GCS, want: false },
  'for a bucket that pods mount': { cache: { ...GCS, ...MOUNT }, want: true },
  'not for a bucket of another cloud': { cache: { ...S3, ...MOUNT }, want: false },
  'not for a cache that may not be there': { cache: { ...GCS, ...MOUNT, ...ELSEWHERE }, want: false },
  'where the cluster says so': { cloud: { addons: { gcsFuse: true } }, want: true },
};
test.each(Object.entries(fuse))('a cluster on GKE has the driver of buckets %s', (_, { cache, cloud = {}, want }) => {
  const { cluster, fleet } = aFleet('GKE', { cloud });
  const caches = cache ? [aCache('ml/weights', cache)] : [];
  const plan = gkePlan(cluster, { ...fleet, caches: caches as typeof fleet.caches }, 'chat');
  expect(plan.cluster.args.addonsConfig.gcsFuseCsiDriverConfig).toEqual({ enabled: want });
});

const BLOB = 'https://acme.blob.core.windows.net/models/qwen';
const ACCOUNT = '/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/acme';
const ON_AZURE = { ...NO_HUB, source: 'AzureBlob', azureBlob: { uri: BLOB, storageAccountId: ACCOUNT } };

const identities: Record<string, { cache?: Doc; want: string[] }> = {
  'no identity without caches': { want: [] },
  'an identity for a container whose account is named': {
    cache: ON_AZURE,
    want: [`${ACCOUNT}/blobServices/default/containers/models`],
  },
  'no identity for a container that others let pods read': {
    cache: { ...ON_AZURE, azureBlob: { uri: BLOB } },
    want: [],
  },
  'no identity for a cache that may not be there': { cache: { ...ON_AZURE, ...ELSEWHERE }, want: [] },
};
test.each(Object.entries(identities))('a cluster on AKS has %s', (_, { cache, want }) => {
  const { cluster, fleet } = aFleet('AKS');
  const caches = cache ? [aCache('ml/weights', cache)] : [];
  const plan = aksPlan(cluster, { ...fleet, caches: caches as typeof fleet.caches });
  expect(plan.cacheIdentities.map(({ role }) => role.args.scope)).toEqual(want);
});

const isDriver = (name: string): boolean => /-(ebs|s3)-csi-driver$/.test(name);
const EBS = { addons: ['aws-ebs-csi-driver'], roles: ['ebs-csi'], classes: [BLOCK_STORAGE_CLASS] };
const MOUNTPOINT = { addons: ['aws-mountpoint-s3-csi-driver'], roles: ['s3-csi'], classes: [] };
const NOTHING = { addons: [], roles: [], classes: [] };

const drivers: Record<string, { cache?: Doc; cluster?: Doc; want: object }> = {
  'nothing without caches': { want: NOTHING },
  'nothing for a bucket that is staged': { cache: S3, want: NOTHING },
  'Mountpoint and its role for a bucket that pods mount': { cache: { ...S3, ...MOUNT }, want: MOUNTPOINT },
  'nothing for a cache that may not be there': { cache: { ...S3, ...MOUNT, ...ELSEWHERE }, want: NOTHING },
  'the driver of EBS, its role and a class for disks': { cache: DISK, want: EBS },
  'nothing for disks of a class of its own': {
    cache: DISK,
    cluster: { storage: { blockDevice: { storageClassName: 'fast' } } },
    want: NOTHING,
  },
};
test.each(Object.entries(drivers))('a cluster on EKS has %s', (_, { cache, cluster: more = {}, want }) => {
  const { cluster, fleet } = aFleet('EKS', { cluster: more });
  const caches = cache ? [aCache('ml/weights', cache)] : [];
  const plan = eksPlan(cluster, { ...fleet, caches: caches as typeof fleet.caches });
  expect({
    addons: plan.addons.map(({ name }) => name).filter(isDriver),
    roles: plan.roles.map(({ name }) => name).filter((name) => /^(ebs|s3)-/.test(name)),
    classes: plan.blockStorage ? [plan.blockStorage.metadata.name] : [],
  }).toEqual(want);
});
