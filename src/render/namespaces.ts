import type { InferenceCluster } from '../api/inference-cluster';
import { CLUSTER } from '../api/labels';
import type { Fleet } from '../fleet';
import { sortedBy } from '../order';
import { MANAGED_BY, withUserLabels } from './labels';
import type { Manifest } from './manifest';
import { fitted } from './names';
import type { ComputedReplica } from './replica';

/** Namespaces that every cluster has, and that nobody can delete. */
const BUILT_IN = new Set(['default', 'kube-node-lease', 'kube-public', 'kube-system']);

/** Pruning a namespace would delete everything in it, also what is not ours: Argo CD leaves it alone. */
const KEEP = { 'argocd.argoproj.io/sync-options': 'Prune=false' } as const;

/** The namespaces of the deployments on a cluster, where they are ours to make. */
export function namespaces(
  { metadata, spec }: InferenceCluster,
  replicas: readonly ComputedReplica[],
  { settings }: Fleet,
): Manifest[] {
  if (spec.namespaces !== 'Managed') return [];
  const names = new Set(replicas.map(({ deployment }) => deployment.metadata.namespace ?? ''));
  const ours = { ...MANAGED_BY, [CLUSTER]: fitted(metadata.name) };
  const labels = withUserLabels(ours, settings?.spec.defaults.labels ?? {});
  return sortedBy(names, (name) => name)
    .filter((name) => !BUILT_IN.has(name))
    .map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels, annotations: KEEP } }));
}
