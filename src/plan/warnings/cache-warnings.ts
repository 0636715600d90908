import { cacheReferencesOf } from '../../api/cache/cache-references';
import { clusterLabelsOf, hasSharedStorage } from '../../api/cluster-labels';
import { resourceIdOf, type ResourcePath } from '../../api/kinds';
import { findUnmetRequirement } from '../../api/label-matching';
import type { ModelCache } from '../../api/model-cache';
import { qualifiedNameOf } from '../../api/resource';
import { type Diagnostic, warningAt } from '../../base/diagnostic';
import { pluralize } from '../../base/text';
import type { Fleet } from '../../fleet/fleet';

/** Finds possible problems of the caches of a fleet. */
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
      ...(staged ? [...findUnpinnedRevision(cache), ...findUnverifiedFiles(cache)] : []),
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
  return [
    warningAt(
      'unpinned-revision',
      { resource: cache, path: ['spec', 'huggingFace', ...(revision === undefined ? [] : ['revision'])] },
      `${revision === undefined ? 'the default branch' : `revision '${revision}'`} may move, so clusters may serve different weights`,
      'Name a commit, with all of its 40 digits',
    ),
  ];
}

function findUnverifiedFiles(cache: ModelCache): Diagnostic<ResourcePath>[] {
  if (cache.spec.source !== 'HTTP' || cache.spec.verify) return [];
  return [
    warningAt(
      'unverified-file',
      { resource: cache, path: ['spec', 'http', 'url'] },
      'nothing says what the file must be, so clusters may serve different ones',
      'Write its checksum at spec.verify.sha256',
    ),
  ];
}

function findUnplaceableCache(cache: ModelCache, { clusters }: Fleet): Diagnostic<ResourcePath>[] {
  const { clusterSelector, source } = cache.spec;
  const selected = clusters.filter((cluster) => !findUnmetRequirement(clusterSelector, clusterLabelsOf(cluster)));
  if (clusters.length === 0 || selected.some((one) => source === 'ExistingPVC' || hasSharedStorage(one))) return [];
  const found = selected.length > 0;
  return [
    warningAt(
      'cache-without-cluster',
      { resource: cache, path: found ? ['metadata', 'name'] : ['spec', 'clusterSelector'] },
      found
        ? `no cluster can hold ${resourceIdOf(cache)}: ${pluralize(selected.length, 'cluster')} that it selects ${selected.length === 1 ? 'declares' : 'declare'} no shared file system`
        : `no cluster can hold ${resourceIdOf(cache)}: none has the labels that it selects`,
      found
        ? 'Name a storage class at spec.storage.sharedFilesystem.storageClassName of a cluster'
        : 'Correct spec.clusterSelector, or label a cluster',
    ),
  ];
}
