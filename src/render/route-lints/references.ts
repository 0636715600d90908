import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { groupBy } from '../../base/order';
import type { JsonObject, Manifest } from '../../manifest/kubernetes/manifest';
import { SYSTEM_NAMESPACE } from '../../manifest/kubernetes/object-names';
import { findObjectRefs, type ObjectRef } from '../../manifest/kubernetes/references';
import { groupOf } from '../routing/routing-object';
import { listOf, namedTargetsOf, type RoutingObjects } from './routing-objects';

/** Finds references to missing objects: such a route returns 500, and such a Gateway does not run. */
export function* findDanglingReferences({ all, find }: RoutingObjects): Iterable<Diagnostic<Manifest>> {
  for (const object of all) {
    // `findPoliciesWithoutTarget` checks the references of policies.
    if (namedTargetsOf(object).length > 0) continue;
    for (const { kind, namespace, name } of findObjectRefs(object)) {
      if (!isGenerated(kind, namespace) || find(kind, namespace, name)) continue;
      yield errorAt(
        'dangling-reference',
        object,
        `it refers to ${kind} ${namespace}/${name}, which is not there`,
        'Correct the name, or add that',
      );
    }
  }
}

/**
 * Whether a reference is to a kind that is rendered together with its referrer. Gateways in other namespaces can come
 * from elsewhere.
 */
function isGenerated(kind: string, namespace: string): boolean {
  if (kind === 'Gateway') return namespace === SYSTEM_NAMESPACE;
  return kind === 'Backend' || kind === 'EnvoyProxy' || kind === 'HTTPRouteFilter';
}

/** Finds cross-namespace references without a ReferenceGrant: the route returns 500, or the policy is ignored. */
export function* findMissingGrants({ all }: RoutingObjects): Iterable<Diagnostic<Manifest>> {
  const grants = groupBy(
    all.filter(({ kind }) => kind === 'ReferenceGrant'),
    ({ metadata }) => metadata.namespace,
  );
  for (const object of all.filter(({ kind, metadata }) => kind !== 'ReferenceGrant' && metadata.namespace)) {
    const crossing = findObjectRefs(object).filter(({ kind, namespace }) => {
      // A Gateway declares which routes it accepts.
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
    listOf(spec, 'from').some((granted) => isGranted(granted, from)) &&
    listOf(spec, 'to').some((granted) => isGranted(granted, { group, kind: toKind, name }))
  );
}

/** A `to` entry without a name grants all names. */
function isGranted(granted: JsonObject, wanted: JsonObject): boolean {
  return Object.entries(wanted).every(([field, value]) => {
    const actual = granted[field] ?? (field === 'group' ? '' : undefined);
    return actual === value || (field === 'name' && actual === undefined);
  });
}
