import { groupBy, sortedBy } from '../../base/order';
import type { JsonObject, Manifest } from '../../manifest/kubernetes/manifest';
import { grantNameOf } from '../../manifest/kubernetes/object-names';
import { findObjectRefs } from '../../manifest/kubernetes/references';
import type { NamespacedName } from '../../routing/gateways';
import { type ClusterContext, groupOf, routeMetaOf, routingObject } from './routing-object';

/** Kinds whose references across namespaces need a ReferenceGrant. */
const KINDS_THAT_NEED_GRANTS: ReadonlySet<string> = new Set([
  'EnvoyExtensionPolicy',
  'HTTPRoute',
  'HTTPRouteFilter',
  'SecurityPolicy',
]);

/**
 * Renders the grants for references of a service's objects to other namespaces. Each grant lists object names. Without
 * a grant, a route returns 500, and a policy is ignored.
 */
export function renderReferenceGrants(
  service: NamespacedName,
  manifests: readonly Manifest[],
  context: ClusterContext,
): Manifest[] {
  const crossings = groupBy(
    manifests.filter(({ kind }) => KINDS_THAT_NEED_GRANTS.has(kind)).flatMap(crossNamespaceRefsOf),
    ({ namespace }) => namespace,
  );
  return sortedBy(crossings, ([namespace]) => namespace).map(([namespace, references]) =>
    routingObject('ReferenceGrant', routeMetaOf(service, context, grantNameOf(service, namespace), namespace), {
      from: dedupe(references.map(({ from }) => from)),
      to: dedupe(references.map(({ to }) => to)),
    }),
  );
}

function crossNamespaceRefsOf(manifest: Manifest) {
  const { apiVersion, kind, metadata } = manifest;
  const from = { group: groupOf(apiVersion), kind, namespace: metadata.namespace ?? '' };
  return findObjectRefs(manifest).flatMap(({ namespace, ...to }) =>
    // A Gateway declares which routes it accepts.
    namespace === from.namespace || to.kind === 'Gateway' ? [] : [{ from, to, namespace }],
  );
}

function dedupe<T extends JsonObject>(items: readonly T[]): T[] {
  const byText = new Map(items.map((item) => [JSON.stringify(item), item]));
  return sortedBy(byText, ([text]) => text).map(([, item]) => item);
}
