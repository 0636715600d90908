import type { Diagnostic } from '../../base/diagnostic';
import { groupBy } from '../../base/order';
import type { JsonObject, Manifest } from '../../manifest/kubernetes/manifest';
import { findObjectRefs } from '../../manifest/kubernetes/references';

/** The objects of a cluster, with lookups by name, policy target and Gateway. */
export interface RoutingObjects {
  readonly all: readonly Manifest[];
  readonly routes: readonly Manifest[];
  readonly find: (kind: string, namespace: string, name: string) => Manifest | undefined;

  /** Returns the targets of a policy: those that it names, whether they exist or not, and those that it selects. */
  readonly targetsOf: (policy: Manifest) => readonly PolicyTarget[];

  /** Returns the policies of a kind that name or select a Gateway or route. */
  readonly policiesOf: (target: Manifest, kind: string) => readonly Manifest[];

  /** Returns the parent Gateways of a route that are among the objects. */
  readonly gatewaysOf: (route: Manifest) => readonly Manifest[];
}

/** The target of a policy: an object in the namespace of the policy, or a section of it. */
interface PolicyTarget {
  readonly kind: string;
  readonly name: string;

  /** The name of a route rule or Gateway listener. Empty: the whole object. */
  readonly section: string;
}

/** Indexes objects by kind and name, without the API group: the relevant kinds have distinct names. */
export function indexRoutingObjects(all: readonly Manifest[]): RoutingObjects {
  const byId = new Map(all.map((object) => [formatObjectId(object), object]));
  const find: RoutingObjects['find'] = (kind, namespace, name) =>
    byId.get(formatObjectId({ kind, metadata: { namespace, name } }));
  const policies = groupBy(
    all.flatMap((policy) => namedTargetsOf(policy).map((target) => ({ policy, target }))),
    ({ policy: { kind, metadata }, target }) => {
      return `${kind} ${formatObjectId({ kind: target.kind, metadata: { ...metadata, name: target.name } })}`;
    },
  );
  const bySelector = all.filter(({ spec }) => listOf(spec, 'targetSelectors').length > 0);
  return {
    all,
    find,
    targetsOf: (policy) => {
      const selected = bySelector.includes(policy) ? all.filter((object) => selects(policy, object)) : [];
      const targets = selected.map(({ kind, metadata: { name } }) => ({ kind, name, section: '' }));
      const named = namedTargetsOf(policy);
      return [...named, ...targets.filter((target) => !named.some((other) => isSameTarget(target, other)))];
    },
    routes: all.filter(({ kind }) => kind === 'HTTPRoute'),
    policiesOf: (target, kind) => {
      const named = policies.get(`${kind} ${formatObjectId(target)}`) ?? [];
      const selecting = bySelector.filter((policy) => policy.kind === kind && selects(policy, target));
      return [...new Set([...named.map(({ policy }) => policy), ...selecting])];
    },
    gatewaysOf: (route) =>
      findObjectRefs(route)
        .filter(({ kind }) => kind === 'Gateway')
        .flatMap(({ kind, namespace, name }) => find(kind, namespace, name) ?? []),
  };
}

/** Returns the ID of an object in messages: `HTTPRoute team-a/chat`. */
export function formatObjectId({ kind, metadata: { namespace, name } }: ObjectIdentity): string {
  return `${kind} ${namespace ? `${namespace}/` : ''}${name}`;
}

interface ObjectIdentity {
  readonly kind: string;
  readonly metadata: { readonly namespace?: string | undefined; readonly name: string };
}

export function namedTargetsOf({ spec }: Manifest): PolicyTarget[] {
  const refs = [...listOf(spec, 'targetRefs'), ...(spec?.['targetRef'] ? [spec['targetRef'] as JsonObject] : [])];
  return refs.map(({ kind, name, sectionName = '' }) => {
    return { kind: String(kind), name: String(name), section: String(sectionName) };
  });
}

function isSameTarget(a: PolicyTarget, b: PolicyTarget): boolean {
  return a.kind === b.kind && a.name === b.name && a.section === b.section;
}

function selects(policy: Manifest, { kind, metadata }: Manifest): boolean {
  if (policy.metadata.namespace !== metadata.namespace) return false;
  return listOf(policy.spec, 'targetSelectors').some((selector) => {
    const wanted = Object.entries((selector['matchLabels'] ?? {}) as JsonObject);
    return selector['kind'] === kind && wanted.every(([key, value]) => metadata.labels?.[key] === value);
  });
}

/** Returns the items of a list field. Empty if the field is absent. */
export function listOf(value: JsonObject | undefined, field: string): readonly JsonObject[] {
  const items = value?.[field];
  return Array.isArray(items) ? (items as readonly JsonObject[]) : [];
}

export type RouteLint = (objects: RoutingObjects) => Iterable<Diagnostic<Manifest>>;
