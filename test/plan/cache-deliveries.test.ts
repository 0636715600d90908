import type { Resource } from '../../src/api/kinds';
import { formatDiagnostic } from '../../src/base/diagnostic';
import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import { formatRejectionReason } from '../../src/plan/rejection-messages';
import { renderCluster } from '../../src/render/cluster';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';
import { aCache, aClass, aCluster, aDeployment, byPath, type Doc, listProblems, MACHINES } from '../api/build';

const H100 = aClass('h100', { provisioning: { ...MACHINES.GKE, ...MACHINES.EKS } });
const on = (name: string, more: Parameters<typeof aCluster>[1] = {}) => aCluster(name, { pools: { h100: 4 }, ...more });
const version = (kubernetesVersion: string) => ({
  cluster: { source: 'Existing', existing: { secretRef: { name: 'x' }, kubernetesVersion } },
});
const gke = on('gke', { source: 'GKE' });
const eks = on('eks', { source: 'EKS', pools: { h100: { nodeCount: 4, zones: ['us-east-1a', 'us-east-1b'] } } });
const bare = on('bare', {});

const NO_HUB = { huggingFace: undefined, sizeGiB: undefined };
const IMAGE = { ...NO_HUB, source: 'OCI', oci: { image: `registry.example.com/q@sha256:${'a'.repeat(64)}` } };
const GCS = { ...NO_HUB, source: 'GCS', gcs: { uri: 'gs://models/q' }, storage: 'ObjectStorageMount' };
const S3 = { ...NO_HUB, source: 'S3', s3: { uri: 's3://models/q' }, storage: 'ObjectStorageMount' };
const PINNED = { huggingFace: { repo: 'a/b', revision: 'a'.repeat(40) } };
const DISK = { ...PINNED, storage: 'BlockDevice' };
const SNAPSHOT = { ...DISK, blockDevice: { snapshot: { name: 'weights' } } };
const INLINE = { ...NO_HUB, source: 'Inline', content: 'Bytes', inline: { files: { a: 'x' } } };

function decided(cache: Doc, clusters: Resource[], replicas = 1, lock = EMPTY_LOCK) {
  const deployment = aDeployment('ml/q', { replicas, cache: 'weights', clusterSelector: { matchLabels: {} } });
  return decide(assemble([H100, ...clusters, aCache('ml/weights', cache), deployment]), byPath, lock);
}

const places: Record<string, { cache: Doc; clusters: Resource[]; want: string }> = {
  'an image is mounted where Kubernetes does it by default': {
    cache: IMAGE,
    clusters: [on('a', version('1.34')), on('b', version('1.35'))],
    want: 'b',
  },
  'an image is mounted where the version is not known': { cache: IMAGE, clusters: [bare], want: 'bare' },
  'no cluster of an earlier version mounts an image': {
    cache: IMAGE,
    clusters: [on('a', version('1.34'))],
    want: 'cache ml/weights needs Kubernetes 1.35, which mounts images by default: this cluster has an earlier version',
  },
  'a bucket is mounted in its cloud': { cache: S3, clusters: [gke, eks], want: 'eks' },
  'the bucket of another cloud as well': { cache: GCS, clusters: [eks, gke], want: 'gke' },
  'a bucket is mounted where a cluster says that it has the driver': {
    cache: S3,
    clusters: [on('a'), on('b', { storage: { objectStorageMount: { sources: ['S3'] } } })],
    want: 'b',
  },
  'no cluster without the driver mounts a bucket': {
    cache: GCS,
    clusters: [eks],
    want: 'cache ml/weights needs the driver gcsfuse.csi.storage.gke.io, which this cluster does not declare',
  },
  'disks are where a class is declared': {
    cache: DISK,
    clusters: [bare, on('own', { storage: { blockDevice: { storageClassName: 'disks' } } })],
    want: 'own',
  },
  'disks are on clusters of clouds with a class of their own': { cache: DISK, clusters: [eks], want: 'eks' },
  'no cluster without a class has disks': {
    cache: DISK,
    clusters: [bare],
    want: 'cache ml/weights needs disks, and this cluster declares no storage class for disks',
  },
  'no disk of EBS is for many nodes': {
    cache: SNAPSHOT,
    clusters: [eks],
    want: 'cache ml/weights needs a disk that several nodes can read, which this cluster does not declare',
  },
  'a disk of Google is for many nodes': { cache: SNAPSHOT, clusters: [gke, eks], want: 'gke' },
  'a ConfigMap is anywhere': { cache: INLINE, clusters: [bare], want: 'bare' },
};
test.each(Object.entries(places))('%s', (_, { cache, clusters, want }) => {
  const { plan, replicas } = decided(cache, clusters);
  const rejections = plan.deployments.flatMap(({ shortfall }) => shortfall?.rejections ?? []);
  const found = replicas.map(({ cluster }) => cluster.metadata.name);
  expect(found.length > 0 ? found : rejections.map(({ reason }) => formatRejectionReason({ reason }))).toEqual([want]);
});

test('a replica whose cluster mounts no buckets stops the plan, and its shared file system helps first', () => {
  const shared = { storage: { sharedFilesystem: { storageClassName: 'nfs' } } };
  const mounted = { ...shared.storage, objectStorageMount: { sources: ['S3'] } };
  const { lock } = decided(S3, [on('a', { storage: mounted })]);
  expect(listProblems(() => decided(S3, [on('a', shared)], 1, lock))).toEqual([
    "InferenceCluster a spec.storage: replicas on InferenceCluster a mount ModelCache ml/weights, and the cluster declares no driver that mounts S3 buckets. Remove 'storage: ObjectStorageMount' from the cache, and set 'sizeGiB', because a has a shared file system. Or install s3.csi.aws.com, and set spec.storage.objectStorageMount to 'sources: [S3]', or first move the replicas off the cluster with clusterSelector and 'lock --finalize', in a change of its own.",
  ]);
});

test('a replica whose cluster mounts no images stops the plan, with its place and what helps', () => {
  const { lock } = decided(IMAGE, [on('a', version('1.35'))]);
  expect(listProblems(() => decided(IMAGE, [on('a', version('1.34'))], 1, lock))).toEqual([
    "InferenceCluster a spec.cluster: replicas on InferenceCluster a mount ModelCache ml/weights, and the cluster has a Kubernetes version before 1.35, which does not mount images by default. Use Kubernetes 1.35 or later, or first move the replicas off the cluster with clusterSelector and 'lock --finalize', in a change of its own.",
  ]);
});

const cut = (images?: string) => on('cut', { mirror: { charts: 'oci://m.example.com', ...(images && { images }) } });

test('an image of a public registry needs a mirror where there is no internet', () => {
  const hub = { ...IMAGE, oci: { image: 'models/q:1' } };
  expect(listProblems(() => decided(hub, [cut()]))).toEqual([
    'ModelCache ml/weights spec.source: it reads from docker.io, and InferenceCluster cut uses a mirror instead of the internet. Set spec.mirror.images of the cluster to a mirror of images, or exclude the cluster with clusterSelector.',
  ]);
  expect(() => decided(hub, [cut('m.example.com')])).not.toThrow();
});

test('a tag of an image may move, a digest does not', () => {
  const warnings = (image: string) => decided({ ...IMAGE, oci: { image } }, [bare]).plan.warnings.map(formatDiagnostic);
  expect(warnings('registry.example.com/q:1')).toEqual([
    "ModelCache ml/weights spec.oci.image: the tag can change, so nodes may serve different weights. Use a digest, as in 'registry.example.com/model@sha256:...'.",
  ]);
  expect(warnings(IMAGE.oci.image)).toEqual([]);
});

const needs: Record<string, { cache: Doc; cluster: Resource; want: string[] }> = {
  'the driver of buckets on a cluster that exists': {
    cache: S3,
    cluster: on('own', { storage: { objectStorageMount: { sources: ['S3'] } } }),
    want: ['CSIDriver s3.csi.aws.com', 'Namespace ml'],
  },
  'no driver on a cluster that is made with it': { cache: S3, cluster: eks, want: [] },
  'the snapshot, and no class of disks that GKE itself has': {
    cache: SNAPSHOT,
    cluster: gke,
    want: ['VolumeSnapshot ml/weights'],
  },
  'the snapshot and another class of its disks': {
    cache: SNAPSHOT,
    cluster: on('gke', {
      source: 'GKE',
      storage: { blockDevice: { storageClassName: 'hyperdisk' } },
    }),
    want: ['StorageClass hyperdisk', 'VolumeSnapshot ml/weights'],
  },
  'no ConfigMap that is rendered': { cache: INLINE, cluster: gke, want: [] },
  'a ConfigMap that is not': {
    cache: { ...INLINE, source: 'ConfigMap', inline: undefined, configMap: { name: 'files' } },
    cluster: gke,
    want: ['ConfigMap ml/files'],
  },
};
test.each(Object.entries(needs))('what must exist: %s', (_, { cache, cluster, want }) => {
  const { plan } = decided(cache, [cluster]);
  const found = plan.mustExist.flatMap(({ objects }) =>
    objects.map(({ kind, namespace, name }) => `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`),
  );
  expect(found.sort()).toEqual(want);
});

const costs: Record<string, { cache: Doc; cluster: Resource; want: object[] }> = {
  'a disk for each pod, at an unknown price': { cache: DISK, cluster: eks, want: [{ sizeGiB: 40 }] },
  'one disk for all pods': { cache: SNAPSHOT, cluster: gke, want: [{ sizeGiB: 20 }] },
  'nothing for a bucket that exists': { cache: GCS, cluster: gke, want: [] },
  'nothing for an image': { cache: IMAGE, cluster: gke, want: [] },
};
test.each(Object.entries(costs))('what is bought for a cache: %s', (_, { cache, cluster, want }) => {
  const { cost } = decided(cache, [cluster], 2).plan;
  expect(cost.clusters.flatMap(({ volumes }) => volumes)).toEqual(
    want.map((one) => expect.objectContaining({ ...one, cost: expect.objectContaining({ unknown: 1 }) })),
  );
});

const kinds: Record<string, { cache: Doc; cluster: typeof gke; want: string[] }> = {
  'a bucket of S3: its volume and its claim': {
    cache: S3,
    cluster: eks,
    want: ['PersistentVolume', 'PersistentVolumeClaim'],
  },
  'a bucket of Cloud Storage: nothing': { cache: GCS, cluster: gke, want: [] },
  'an image: nothing': { cache: IMAGE, cluster: gke, want: [] },
  'files in a manifest: a ConfigMap': { cache: INLINE, cluster: gke, want: ['ConfigMap'] },
  'a snapshot: a claim': { cache: SNAPSHOT, cluster: gke, want: ['PersistentVolumeClaim'] },
  'disks of pods: nothing': { cache: DISK, cluster: gke, want: [] },
};
test.each(Object.entries(kinds))('the objects of %s', (_, { cache, cluster, want }) => {
  const { fleet, replicas, routing } = decided(cache, [cluster]);
  const objects = renderCluster(cluster, replicas, { fleet, routing });
  const ofCaches = objects.filter(({ metadata }) => metadata.labels['fleetwright.dev/cache'] === 'weights');
  expect(ofCaches.map(({ kind }) => kind)).toEqual(want);
});
