import { errorAt } from '../../base/diagnostic';
import { groupBy } from '../../base/order';
import type { JsonObject, Manifest } from '../../manifest/kubernetes/manifest';
import { SYSTEM_NAMESPACE } from '../../manifest/kubernetes/object-names';
import { findObjectRefs, type ObjectRef } from '../../manifest/kubernetes/references';
import { groupOf } from '../routing/routing-object';
import { listOf, namedTargetsOf, type RouteLint } from './routing-objects';

/** Finds references to missing objects: such a route returns 500, and such a Gateway does not run. */
export const findDanglingReferences: RouteLint = function* ({ all, find }) {
  for (const object of all) {
    // `findPoliciesWithoutTarget` checks the references of policies.
    if (namedTargetsOf(object).length > 0) continue;
    for (const { kind, namespace, name } of findObjectRefs(object)) {
      if (!isGenerated(kind, namespace) || find(kind, namespace, name)) continue;
      const message = `it refers to ${kind} ${namespace}/${name}, which does not exist`;
      yield errorAt('dangling-reference', object, message, 'Correct the name, or add the object');
    }
  }
};

/** Whether a kind is rendered together with its referrer. Gateways in other namespaces can come from elsewhere. */
function isGenerated(kind: string, namespace: string): boolean {
  if (kind === 'Gateway') return namespace === SYSTEM_NAMESPACE;
  return kind === 'Backend' || kind === 'EnvoyProxy' || kind === 'HTTPRouteFilter';
}

/** Finds cross-namespace references without a ReferenceGrant: the route returns 500, or the policy is ignored. */
export const findMissingGrants: RouteLint = function* ({ all }) {
  const grants = groupBy(
    all.filter(({ kind }) => kind === 'ReferenceGrant'),
    ({ metadata }) => metadata.namespace,
  );
  for (const object of all.filter(({ kind, metadata }) => kind !== 'ReferenceGrant' && metadata.namespace)) {
    for (const ref of findObjectRefs(object)) {
      // A Gateway declares which routes it accepts.
      if (ref.namespace === object.metadata.namespace || ref.kind === 'Gateway') continue;
      if ((grants.get(ref.namespace) ?? []).some((grant) => allows(grant, object, ref))) continue;
      const message = `it refers to ${ref.kind} ${ref.namespace}/${ref.name}, and no ReferenceGrant in namespace ${ref.namespace} allows it`;
      const hint = `Add one there, from ${object.kind} of namespace ${object.metadata.namespace}`;
      yield errorAt('no-reference-grant', object, message, hint);
    }
  }
};

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
