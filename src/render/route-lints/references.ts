import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { groupBy } from '../../base/order';
import type { JsonObject, Manifest } from '../../manifest/kubernetes/manifest';
import { SYSTEM_NAMESPACE } from '../../manifest/kubernetes/object-names';
import { findObjectRefs, type ObjectRef } from '../../manifest/kubernetes/references';
import { groupOf } from '../routing/gateway-api-kinds';
import { listOf, namedTargetsOf, type RoutingObjects } from './routing-objects';

/** What routes and Gateways refer to that is not there: a route answers 500 then, or nobody serves it. */
export function* findDanglingReferences({ all, find }: RoutingObjects): Iterable<Diagnostic<Manifest>> {
  for (const object of all) {
    // Those of policies are `noTarget`'s.
    if (namedTargetsOf(object).length > 0) continue;
    for (const { kind, namespace, name } of findObjectRefs(object)) {
      if (!isMadeByUs(kind, namespace) || find(kind, namespace, name)) continue;
      yield errorAt(
        'dangling-reference',
        object,
        `it refers to ${kind} ${namespace}/${name}, which is not there`,
        'Correct the name, or add that',
      );
    }
  }
}

/** Gateways elsewhere may be somebody else's; the other kinds are made together with what refers to them. */
function isMadeByUs(kind: string, namespace: string): boolean {
  if (kind === 'Gateway') return namespace === SYSTEM_NAMESPACE;
  return kind === 'Backend' || kind === 'EnvoyProxy' || kind === 'HTTPRouteFilter';
}

/** References across namespaces that no ReferenceGrant allows: a route answers 500 then, a policy counts for nothing. */
export function* findMissingGrants({ all }: RoutingObjects): Iterable<Diagnostic<Manifest>> {
  const grants = groupBy(
    all.filter(({ kind }) => kind === 'ReferenceGrant'),
    ({ metadata }) => metadata.namespace,
  );
  for (const object of all.filter(({ kind, metadata }) => kind !== 'ReferenceGrant' && metadata.namespace)) {
    const crossing = findObjectRefs(object).filter(({ kind, namespace }) => {
      // A Gateway says itself whose routes it takes.
      return namespace !== object.metadata.namespace && kind !== 'Gateway';
    });
    for (const ref of crossing) {
      if ((grants.get(ref.namespace) ?? []).some((grant) => allows(grant, object, ref))) continue;
      yield errorAt(
        'no-reference-grant',
        object,
        `it refers to ${ref.kind} ${ref.namespace}/${ref.name}, and no ReferenceGrant in namespace ${ref.namespace} allows it`,
        `Add one there, from ${object.kind} of namespace ${object.metadata.namespace}`,
      );
    }
  }
}

function allows({ spec }: Manifest, { apiVersion, kind, metadata }: Manifest, ref: ObjectRef): boolean {
  const from = { group: groupOf(apiVersion), kind, namespace: metadata.namespace };
  const { group, kind: toKind, name } = ref;
  return (
    listOf(spec, 'from').some((one) => isGranted(one, from)) &&
    listOf(spec, 'to').some((one) => isGranted(one, { group, kind: toKind, name }))
  );
}

/** A `to` without a name means all. */
function isGranted(granted: JsonObject, wanted: JsonObject): boolean {
  return Object.entries(wanted).every(([field, value]) => {
    const said = granted[field] ?? (field === 'group' ? '' : undefined);
    return said === value || (field === 'name' && said === undefined);
  });
}
