import type { InferenceCluster } from '../api/inference-cluster';
import { CLUSTER } from '../api/labels';
import type { ModelCache } from '../api/model-cache';
import type { ModelDeployment } from '../api/model-deployment';
import type { Fleet } from '../fleet';
import { sortedBy } from '../order';
import { KEPT, SYNC_WAVE } from './annotations';
import { MANAGED_BY, withUserLabels } from './labels';
import type { Manifest } from './manifest';
import { fitted } from './names';

/** Namespaces that every cluster has, and that nobody can delete. */
export const BUILT_IN_NAMESPACES: ReadonlySet<string> = new Set([
  'default',
  'kube-node-lease',
  'kube-public',
  'kube-system',
]);

/**
 * Argo CD makes them before caches, which come before workloads. To prune one would delete everything in it, also what is
 * not ours.
 */
const FIRST = { ...KEPT, [SYNC_WAVE]: '-2' };

/**
 * The namespaces of what is on a cluster, where they are ours to make.
 *
 * @param owners the caches and deployments whose objects are there
 */
export function namespaces(
  { metadata, spec }: InferenceCluster,
  owners: readonly (ModelCache | ModelDeployment)[],
  { settings }: Fleet,
): Manifest[] {
  if (spec.namespaces !== 'Managed') return [];
  const names = new Set(owners.map((owner) => owner.metadata.namespace ?? ''));
  const ours = { ...MANAGED_BY, [CLUSTER]: fitted(metadata.name) };
  const labels = withUserLabels(ours, settings?.spec.defaults.labels ?? {});
  return sortedBy(names, (name) => name)
    .filter((name) => !BUILT_IN_NAMESPACES.has(name))
    .map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels, annotations: FIRST } }));
}
