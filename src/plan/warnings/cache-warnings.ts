import { formatCount } from '../../base/figures';
import { cacheReferencesOf } from '../../api/cache/cache-references';
import { cacheNeedOf, deliveryOf } from '../../api/cache/delivery';
import { isProvider } from '../../api/cloud-providers';
import { isSelected } from '../../api/cluster-labels';
import { cureLack, LACKS, offersToCaches } from '../../api/cluster-storage';
import type { InferenceCluster } from '../../api/inference-cluster';
import { resourceIdOf, type ResourcePath } from '../../api/kinds';
import type { ModelCache } from '../../api/model-cache';
import { qualifiedNameOf } from '../../api/resource';
import { type Diagnostic, warningAt } from '../../base/diagnostic';
import { joinNames } from '../../base/text';
import type { Fleet } from '../../fleet/fleet';
import { volumeRoundingOf } from '../../fleet/hardware/shared-storage';
import { locateCaches, type MountingReplica } from '../../replicas/cache-clusters';

export function findCacheWarnings(fleet: Fleet): Diagnostic<ResourcePath>[] {
  const used = new Set(
    fleet.deployments.flatMap((deployment) =>
      cacheReferencesOf(deployment).map(({ name }) => `${deployment.metadata.namespace}/${name}`),
    ),
  );
  return fleet.caches.flatMap((cache) => {
    const mounted = used.has(qualifiedNameOf(cache));
    const staged = mounted || cache.spec.stage === 'Everywhere';
    return [
      ...(staged ? [...findUnpinnedRevision(cache), ...findUnpinnedImage(cache), ...findUnverifiedFiles(cache)] : []),
      ...(mounted ? findUnplaceableCache(cache, fleet) : []),
    ];
  });
}

/** A full Git commit hash, which identifies fixed content. */
const COMMIT = /^[0-9a-f]{40}$/;

function findUnpinnedRevision(cache: ModelCache): Diagnostic<ResourcePath>[] {
  const { source, huggingFace } = cache.spec;
  const revision = huggingFace?.revision;
  if (source !== 'HuggingFace' || (revision !== undefined && COMMIT.test(revision))) return [];
  const path = ['spec', 'huggingFace', ...(revision === undefined ? [] : ['revision'])];
  const named = revision === undefined ? 'the default branch' : `revision '${revision}'`;
  const what = `${named} can change, so clusters may serve different weights`;
  return [warningAt('unpinned-revision', { resource: cache, path }, what, 'Use a commit, with all 40 digits')];
}

function findUnpinnedImage({ spec, ...cache }: ModelCache): Diagnostic<ResourcePath>[] {
  if (spec.source !== 'OCI' || spec.oci === undefined || /@sha256:[0-9a-f]{64}$/.test(spec.oci.image)) return [];
  const what = 'the tag can change, so nodes may serve different weights';
  const at = { resource: { spec, ...cache }, path: ['spec', 'oci', 'image'] };
  return [warningAt('unpinned-revision', at, what, "Use a digest, as in 'registry.example.com/model@sha256:...'")];
}

function findUnverifiedFiles(cache: ModelCache): Diagnostic<ResourcePath>[] {
  if (cache.spec.source !== 'HTTP' || cache.spec.verify) return [];
  const at = { resource: cache, path: ['spec', 'http', 'url'] };
  const what = 'the file has no checksum, so clusters may serve different files';
  return [warningAt('unverified-file', at, what, 'Set spec.verify.sha256')];
}

function findUnplaceableCache(cache: ModelCache, { clusters }: Fleet): Diagnostic<ResourcePath>[] {
  const need = cacheNeedOf(cache.spec);
  const { clusterSelector } = cache.spec;
  const selected = clusters.filter((cluster) => isSelected(cluster, clusterSelector));
  if (clusters.length === 0 || selected.some((one) => offersToCaches(one, need))) return [];
  const what = `no cluster can have ${resourceIdOf(cache)}`;
  if (selected.length === 0 || need === undefined) {
    const at = { resource: cache, path: ['spec', 'clusterSelector'] };
    const hint = 'Correct spec.clusterSelector, or label a cluster';
    return [warningAt('cache-without-cluster', at, `${what}: its clusterSelector matches no cluster`, hint)];
  }
  const at = { resource: cache, path: ['metadata', 'name'] };
  const { what: lack } = LACKS[need];
  const why =
    selected.length === 1
      ? `the cluster that it selects ${lack}`
      : `each of the ${selected.length} clusters that it selects ${lack}`;
  return [
    warningAt('cache-without-cluster', at, `${what}: ${why}`, `${cureLack(need, cache.spec, selected)} of a cluster`),
  ];
}

/** Finds file systems with less capacity than the caches that are staged in them. Nothing else limits their size. */
export function findFullFileSystems(fleet: Fleet, replicas: readonly MountingReplica[]): Diagnostic<ResourcePath>[] {
  const shared = fleet.clusters.filter((cluster) => volumeRoundingOf(cluster)?.shared !== undefined);
  if (shared.length === 0) return [];
  const staged = locateCaches(fleet, replicas).filter(({ cache }) => deliveryOf(cache.spec) === 'Staged');
  return shared.flatMap((resource) => {
    const sizes = staged.flatMap(({ cache, clusters }) =>
      clusters.includes(resource) ? (cache.spec.sizeGiB ?? 0) : [],
    );
    const needed = sizes.reduce((sum, size) => sum + size, 0);
    const { fileSystem, shared: capacity = 0 } = volumeRoundingOf(resource) ?? {};
    if (needed <= capacity) return [];
    const at = { resource, path: ['spec', 'storage', 'sharedFilesystem'] };
    const what = `the caches on the cluster need ${formatCount(needed)} GiB, and ${fileSystem} has ${formatCount(capacity)}`;
    return [warningAt('file-system-full', at, what, 'Use a larger file system, or fewer caches')];
  });
}

interface CloudIdentity {
  readonly cloud: string;

  /** The first part of its instance types. */
  readonly prefix: string;
  readonly clusters: InferenceCluster['spec']['cluster']['source'];
}

/** The clouds whose pods have an identity that reads buckets of a source. */
const CLOUD_IDENTITIES: Readonly<Partial<Record<ModelCache['spec']['source'], CloudIdentity>>> = {
  S3: { cloud: 'AWS', prefix: 'aws/', clusters: 'EKS' },
  GCS: { cloud: 'Google Cloud', prefix: 'gcp/', clusters: 'GKE' },
};

/** The hosts of AWS, which know the identities of AWS. Other stores with the API of S3 do not. */
const AWS_HOST = /\.amazonaws\.com(\.cn)?$/;

/** Finds buckets that pods read with a cloud identity, though their cluster is not in that cloud, or the bucket is not. */
export function findMissingIdentities(fleet: Fleet, replicas: readonly MountingReplica[]): Diagnostic<ResourcePath>[] {
  const machines = new Map(fleet.classes.map(({ metadata, spec }) => [metadata.name, spec]));
  const isInCloud = ({ spec }: InferenceCluster, { prefix, clusters }: CloudIdentity): boolean => {
    const { source } = spec.cluster;
    if (isProvider(source)) return source === clusters;
    const classes = spec.nodePools.map(({ className }) => machines.get(className));
    // The catalog gives a class with 'from' the provisioning of every cloud that has such machines.
    return classes.some((one) =>
      one?.from === undefined ? one?.provisioning !== undefined : one.from.startsWith(prefix),
    );
  };
  return locateCaches(fleet, replicas).flatMap(({ cache: resource, clusters }) => {
    const { source, s3, gcs } = resource.spec;
    const identity = CLOUD_IDENTITIES[source];
    const bucket = s3 ?? gcs;
    // Whoever names a service account has given it an identity, which a cluster elsewhere can have by federation.
    if (!identity || bucket?.secretRef || bucket?.serviceAccountName !== undefined) return [];
    const { cloud } = identity;
    const path = ['spec', source.toLowerCase()];
    const what = `it has no secretRef, so the identity of pods in ${cloud} reads the bucket`;
    const set = `Set ${path.join('.')}.secretRef`;
    const store = s3?.endpoint === undefined ? undefined : new URL(s3.endpoint).hostname;
    if (store !== undefined && !AWS_HOST.test(store)) {
      return [warningAt('no-cloud-identity', { resource, path }, `${what}, which ${store} does not know`, set)];
    }
    const without = clusters.filter((cluster) => !isInCloud(cluster, identity));
    if (without.length === 0) return [];
    const names = joinNames(without.map(({ metadata }) => metadata.name));
    const lack = `${what}, and no machine of ${names} is known to be there`;
    return [warningAt('no-cloud-identity', { resource, path }, lack, `${set}, unless the cluster runs in ${cloud}`)];
  });
}
