import { groupBy, sortedBy } from '../../order';
import type { Named } from '../../routing/places';
import type { JsonObject, Manifest } from '../manifest';
import { grantName } from '../names';
import { objectRefs } from '../object-refs';
import { API, groupOf } from './kinds';
import { type Place, routeMeta } from './meta';

/** Kinds whose references across namespaces a ReferenceGrant has to allow. */
const REFERRING: ReadonlySet<string> = new Set([
  'EnvoyExtensionPolicy',
  'HTTPRoute',
  'HTTPRouteFilter',
  'SecurityPolicy',
]);

/**
 * What allows the objects of a service to refer to others in other namespaces: each object by its name, and nothing
 * more. Without one a route answers 500, and a policy counts for nothing.
 */
export function grants(service: Named, manifests: readonly Manifest[], place: Place): Manifest[] {
  const crossings = groupBy(
    manifests.filter(({ kind }) => REFERRING.has(kind)).flatMap(crossingsOf),
    ({ namespace }) => namespace,
  );
  return sortedBy(crossings, ([namespace]) => namespace).map(([namespace, all]) => ({
    apiVersion: API.grant,
    kind: 'ReferenceGrant',
    metadata: routeMeta(service, place, grantName(service, namespace), namespace),
    spec: { from: distinct(all.map(({ from }) => from)), to: distinct(all.map(({ to }) => to)) },
  }));
}

function crossingsOf(manifest: Manifest) {
  const { apiVersion, kind, metadata } = manifest;
  const from = { group: groupOf(apiVersion), kind, namespace: metadata.namespace ?? '' };
  return objectRefs(manifest).flatMap(({ namespace, ...to }) =>
    // A Gateway says itself whose routes it takes.
    namespace === from.namespace || to.kind === 'Gateway' ? [] : [{ from, to, namespace }],
  );
}

function distinct<T extends JsonObject>(items: readonly T[]): T[] {
  const byText = new Map(items.map((item) => [JSON.stringify(item), item]));
  return sortedBy(byText, ([text]) => text).map(([, item]) => item);
}
