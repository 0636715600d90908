import { cacheReferencesOf } from '../../api/cache/cache-references';
import { clusterLabelsOf, hasSharedStorage } from '../../api/cluster-labels';
import { resourceIdOf, type ResourcePath } from '../../api/kinds';
import { findUnmetRequirement } from '../../api/label-matching';
import type { ModelCache } from '../../api/model-cache';
import { qualifiedNameOf } from '../../api/resource';
import { type Diagnostic, warningAt } from '../../base/diagnostic';
import { pluralize } from '../../base/text';
import type { Fleet } from '../../fleet/fleet';

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
  const path = ['spec', 'huggingFace', ...(revision === undefined ? [] : ['revision'])];
  const named = revision === undefined ? 'the default branch' : `revision '${revision}'`;
  const what = `${named} may move, so clusters may serve different weights`;
  return [warningAt('unpinned-revision', { resource: cache, path }, what, 'Name a commit, with all of its 40 digits')];
}

function findUnverifiedFiles(cache: ModelCache): Diagnostic<ResourcePath>[] {
  if (cache.spec.source !== 'HTTP' || cache.spec.verify) return [];
  const at = { resource: cache, path: ['spec', 'http', 'url'] };
  const what = 'nothing says what the file must be, so clusters may serve different ones';
  return [warningAt('unverified-file', at, what, 'Write its checksum at spec.verify.sha256')];
}

function findUnplaceableCache(cache: ModelCache, { clusters }: Fleet): Diagnostic<ResourcePath>[] {
  const { clusterSelector, source } = cache.spec;
  const selected = clusters.filter((cluster) => !findUnmetRequirement(clusterSelector, clusterLabelsOf(cluster)));
  if (clusters.length === 0 || selected.some((one) => source === 'ExistingPVC' || hasSharedStorage(one))) return [];
  const what = `no cluster can hold ${resourceIdOf(cache)}`;
  if (selected.length === 0) {
    const at = { resource: cache, path: ['spec', 'clusterSelector'] };
    const hint = 'Correct spec.clusterSelector, or label a cluster';
    return [warningAt('cache-without-cluster', at, `${what}: none has the labels that it selects`, hint)];
  }
  const at = { resource: cache, path: ['metadata', 'name'] };
  const verb = selected.length === 1 ? 'declares' : 'declare';
  const why = `${pluralize(selected.length, 'cluster')} that it selects ${verb} no shared file system`;
  const hint = 'Name a storage class at spec.storage.sharedFilesystem.storageClassName of a cluster';
  return [warningAt('cache-without-cluster', at, `${what}: ${why}`, hint)];
}
