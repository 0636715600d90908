import type { InferenceCluster } from '../api/inference-cluster';
import { CLUSTER } from '../api/labels';
import type { Fleet } from '../fleet';
import { groupBy, sortedBy } from '../order';
import { KEPT, SYNC_WAVE } from './annotations';
import { type Labels, MANAGED_BY, podSecurityLabels, withUserLabels } from './labels';
import type { Manifest } from './manifest';
import { fitted } from './names';
import { STANDARDS, strictestLevel } from './pod-security';
import { podSpecsIn } from './pod-specs';

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
 * The namespaces of what is on a cluster, where they are ours to make. Each refuses pods below the strictest level
 * that all of ours in it pass.
 *
 * @param objects all that lands in them
 */
export function namespaces(
  { metadata, spec }: InferenceCluster,
  { settings }: Fleet,
  objects: readonly Manifest[],
): Manifest[] {
  if (spec.namespaces !== 'Managed') return [];
  const byNamespace = groupBy(objects, (object) => object.metadata.namespace ?? '');
  const labelsFor = (name: string): Labels => {
    const level = strictestLevel(podSpecsIn(byNamespace.get(name) ?? []));
    const ours = { ...MANAGED_BY, [CLUSTER]: fitted(metadata.name), ...podSecurityLabels(level, STANDARDS) };
    return withUserLabels(ours, settings?.spec.defaults.labels ?? {});
  };
  return sortedBy(byNamespace.keys(), (name) => name)
    .filter((name) => name !== '' && !BUILT_IN_NAMESPACES.has(name))
    .map((name) => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels: labelsFor(name), annotations: FIRST },
    }));
}
