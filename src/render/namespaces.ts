import type { InferenceCluster } from '../api/inference-cluster';
import { CLUSTER_LABEL } from '../api/labels';
import { groupBy, sortedBy } from '../base/order';
import type { Fleet } from '../fleet/fleet';
import {
  type Labels,
  MANAGED_BY,
  mergeUserLabels,
  NEVER_PRUNED,
  podSecurityLabelsOf,
  SYNC_WAVE,
} from '../manifest/kubernetes/labels-and-annotations';
import { findPodSpecs, type Manifest } from '../manifest/kubernetes/manifest';
import { shortenName } from '../manifest/kubernetes/object-names';
import { POD_SECURITY_VERSION, strictestLevelOf } from './pod/pod-security-standards';

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
const NAMESPACE_ANNOTATIONS = { ...NEVER_PRUNED, [SYNC_WAVE]: '-2' };

/**
 * The namespaces of what is on a cluster, where they are ours to make. Each refuses pods below the strictest level
 * that all of ours in it pass.
 *
 * @param objects all that lands in them
 */
export function renderNamespaces(
  { metadata, spec }: InferenceCluster,
  { settings }: Fleet,
  objects: readonly Manifest[],
): Manifest[] {
  if (spec.namespaces !== 'Managed') return [];
  const byNamespace = groupBy(objects, (object) => object.metadata.namespace ?? '');
  const labelsFor = (name: string): Labels => {
    const level = strictestLevelOf(findPodSpecs(byNamespace.get(name) ?? []));
    const ours = {
      ...MANAGED_BY,
      [CLUSTER_LABEL]: shortenName(metadata.name),
      ...podSecurityLabelsOf(level, POD_SECURITY_VERSION),
    };
    return mergeUserLabels(ours, settings?.spec.defaults.labels ?? {});
  };
  return sortedBy(byNamespace.keys(), (name) => name)
    .filter((name) => name !== '' && !BUILT_IN_NAMESPACES.has(name))
    .map((name) => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels: labelsFor(name), annotations: NAMESPACE_ANNOTATIONS },
    }));
}
