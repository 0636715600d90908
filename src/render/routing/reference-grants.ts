import { groupBy, sortedBy } from '../../base/order';
import type { JsonObject, Manifest } from '../../manifest/kubernetes/manifest';
import { grantNameOf } from '../../manifest/kubernetes/object-names';
import { findObjectRefs } from '../../manifest/kubernetes/references';
import type { NamespacedName } from '../../routing/gateways';
import { API_VERSIONS, groupOf } from './gateway-api-kinds';
import { type ClusterContext, routeMetaOf } from './metadata';

/** Kinds whose references across namespaces a ReferenceGrant has to allow. */
const KINDS_THAT_NEED_GRANTS: ReadonlySet<string> = new Set([
  'EnvoyExtensionPolicy',
  'HTTPRoute',
  'HTTPRouteFilter',
  'SecurityPolicy',
]);

/**
 * What allows the objects of a service to refer to others in other namespaces: each object by its name, and nothing
 * more. Without one a route answers 500, and a policy counts for nothing.
 */
export function renderReferenceGrants(
  service: NamespacedName,
  manifests: readonly Manifest[],
  place: ClusterContext,
): Manifest[] {
  const crossings = groupBy(
    manifests.filter(({ kind }) => KINDS_THAT_NEED_GRANTS.has(kind)).flatMap(crossNamespaceRefsOf),
    ({ namespace }) => namespace,
  );
  return sortedBy(crossings, ([namespace]) => namespace).map(([namespace, all]) => ({
    apiVersion: API_VERSIONS.grant,
    kind: 'ReferenceGrant',
    metadata: routeMetaOf(service, place, grantNameOf(service, namespace), namespace),
    spec: { from: dedupe(all.map(({ from }) => from)), to: dedupe(all.map(({ to }) => to)) },
  }));
}

function crossNamespaceRefsOf(manifest: Manifest) {
  const { apiVersion, kind, metadata } = manifest;
  const from = { group: groupOf(apiVersion), kind, namespace: metadata.namespace ?? '' };
  return findObjectRefs(manifest).flatMap(({ namespace, ...to }) =>
    // A Gateway says itself whose routes it takes.
    namespace === from.namespace || to.kind === 'Gateway' ? [] : [{ from, to, namespace }],
  );
}

function dedupe<T extends JsonObject>(items: readonly T[]): T[] {
  const byText = new Map(items.map((item) => [JSON.stringify(item), item]));
  return sortedBy(byText, ([text]) => text).map(([, item]) => item);
}
