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
import { shortenName, SYSTEM_NAMESPACE } from '../manifest/kubernetes/object-names';
import { POD_SECURITY_VERSION, strictestLevelOf } from './pod/pod-security-standards';

/** Namespaces that every cluster has and that cannot be deleted. */
export const BUILT_IN_NAMESPACES: ReadonlySet<string> = new Set([
  'default',
  'kube-node-lease',
  'kube-public',
  'kube-system',
]);

/**
 * Argo CD creates namespaces before caches, and caches before workloads. Pruning a namespace would delete everything
 * in it, including objects that Fleetwright does not manage.
 */
const NAMESPACE_ANNOTATIONS = { ...NEVER_PRUNED, [SYNC_WAVE]: '-2' };

/** All pods that Fleetwright and Envoy Gateway create in the namespace of gateways meet this level. */
const SYSTEM_LEVEL = 'restricted';

/** Kinds that have no pods, of which a fleet with routes has most. To look for pods in them takes long. */
const WITHOUT_PODS: ReadonlySet<string> = new Set([
  'gateway.envoyproxy.io/v1alpha1 Backend',
  'gateway.envoyproxy.io/v1alpha1 BackendTrafficPolicy',
  'gateway.envoyproxy.io/v1alpha1 HTTPRouteFilter',
  'gateway.envoyproxy.io/v1alpha1 SecurityPolicy',
  'gateway.networking.k8s.io/v1 BackendTLSPolicy',
  'gateway.networking.k8s.io/v1 HTTPRoute',
  'gateway.networking.k8s.io/v1beta1 ReferenceGrant',
  'networking.k8s.io/v1 NetworkPolicy',
  'resource.k8s.io/v1 ResourceClaimTemplate',
  'v1 Service',
]);

function mayHavePods({ apiVersion, kind }: Manifest): boolean {
  return !WITHOUT_PODS.has(`${apiVersion} ${kind}`);
}

/**
 * Renders the namespaces of the objects on a cluster, if Fleetwright manages its namespaces. Each namespace enforces
 * the strictest Pod Security level that all its pods meet. That of the namespace with the keys of gateways is fixed: no
 * object lowers it.
 *
 * @param objects all objects in these namespaces
 */
export function renderNamespaces(
  { metadata, spec }: InferenceCluster,
  { settings }: Pick<Fleet, 'settings'>,
  objects: readonly Manifest[],
): Manifest[] {
  if (spec.namespaces !== 'Managed') return [];
  const byNamespace = groupBy(objects, (object) => object.metadata.namespace ?? '');
  const labelsFor = (name: string): Labels => {
    const level =
      name === SYSTEM_NAMESPACE
        ? SYSTEM_LEVEL
        : strictestLevelOf(findPodSpecs((byNamespace.get(name) ?? []).filter(mayHavePods)));
    const generated = {
      ...MANAGED_BY,
      [CLUSTER_LABEL]: shortenName(metadata.name),
      ...podSecurityLabelsOf(level, POD_SECURITY_VERSION),
    };
    return mergeUserLabels(generated, settings?.spec.defaults.labels ?? {});
  };
  return sortedBy(byNamespace.keys(), (name) => name)
    .filter((name) => name !== '' && !BUILT_IN_NAMESPACES.has(name))
    .map((name) => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels: labelsFor(name), annotations: NAMESPACE_ANNOTATIONS },
    }));
}
