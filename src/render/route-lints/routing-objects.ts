import type { Diagnostic } from '../../base/diagnostic';
import { groupBy } from '../../base/order';
import type { JsonObject, Manifest } from '../../manifest/kubernetes/manifest';
import { findObjectRefs } from '../../manifest/kubernetes/references';

/** The objects of a cluster, found by what they are called and by what applies to them. */
export interface RoutingObjects {
  readonly all: readonly Manifest[];
  readonly routes: readonly Manifest[];
  readonly find: (kind: string, namespace: string, name: string) => Manifest | undefined;

  /** What a policy applies to: what it names, there or not, and what it selects. */
  readonly targetsOf: (policy: Manifest) => readonly PolicyTarget[];

  /** The policies of a kind that name or select a Gateway or route. */
  readonly policiesOf: (target: Manifest, kind: string) => readonly Manifest[];

  /** The Gateways that a route is for, as far as they are here. */
  readonly gatewaysOf: (route: Manifest) => readonly Manifest[];
}

/** What a policy applies to: an object of its own namespace, or a part of it. */
export interface PolicyTarget {
  readonly kind: string;
  readonly name: string;

  /** A rule of a route, a listener of a Gateway. Empty: all of it. */
  readonly section: string;
}

/** Finds objects. Kinds are told apart without their group: no two of those that matter are alike. */
export function indexRoutingObjects(all: readonly Manifest[]): RoutingObjects {
  const byId = new Map(all.map((one) => [formatObjectId(one), one]));
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
      const selected = bySelector.includes(policy) ? all.filter((one) => selects(policy, one)) : [];
      const whole = selected.map(({ kind, metadata: { name } }) => ({ kind, name, section: '' }));
      const named = namedTargetsOf(policy);
      return [...named, ...whole.filter((one) => !named.some((other) => isSameTarget(one, other)))];
    },
    routes: all.filter(({ kind }) => kind === 'HTTPRoute'),
    policiesOf: (target, kind) => {
      const named = policies.get(`${kind} ${formatObjectId(target)}`) ?? [];
      const selecting = bySelector.filter((one) => one.kind === kind && selects(one, target));
      return [...new Set([...named.map(({ policy }) => policy), ...selecting])];
    },
    gatewaysOf: (route) =>
      findObjectRefs(route)
        .filter(({ kind }) => kind === 'Gateway')
        .flatMap(({ kind, namespace, name }) => find(kind, namespace, name) ?? []),
  };
}

/** What people call an object: `HTTPRoute team-a/chat`. */
export function formatObjectId({ kind, metadata: { namespace, name } }: IdentifiedObject): string {
  return `${kind} ${namespace ? `${namespace}/` : ''}${name}`;
}

interface IdentifiedObject {
  readonly kind: string;
  readonly metadata: { readonly namespace?: string | undefined; readonly name: string };
}

/** What a policy names as its targets. */
export function namedTargetsOf({ spec }: Manifest): PolicyTarget[] {
  const refs = [
    ...listOf(spec, 'targetRefs'),
    ...(spec?.['targetRef'] ? [spec['targetRef'] as JsonObject] : []),
  ];
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

/** The items of a field. None where it is absent. */
export function listOf(value: JsonObject | undefined, field: string): readonly JsonObject[] {
  const items = value?.[field];
  return Array.isArray(items) ? (items as readonly JsonObject[]) : [];
}

/** A rule about the objects of a cluster. */
export type RouteLint = (objects: RoutingObjects) => Iterable<Diagnostic<Manifest>>;
