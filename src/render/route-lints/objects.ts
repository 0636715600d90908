import { groupBy } from '../../order';
import type { JsonObject, Manifest } from '../manifest';
import { objectRefs } from '../object-refs';

/** The objects of a cluster, found by what they are called and by what applies to them. */
export interface Objects {
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
export function objectsAmong(all: readonly Manifest[]): Objects {
  const byId = new Map(all.map((one) => [idOf(one), one]));
  const find: Objects['find'] = (kind, namespace, name) =>
    byId.get(idOf({ kind, metadata: { namespace, name } }));
  const policies = groupBy(
    all.flatMap((policy) => namedBy(policy).map((target) => ({ policy, target }))),
    ({ policy: { kind, metadata }, target }) => {
      return `${kind} ${idOf({ kind: target.kind, metadata: { ...metadata, name: target.name } })}`;
    },
  );
  const bySelector = all.filter(({ spec }) => listOf(spec, 'targetSelectors').length > 0);
  return {
    all,
    find,
    targetsOf: (policy) => {
      const selected = bySelector.includes(policy) ? all.filter((one) => selects(policy, one)) : [];
      const whole = selected.map(({ kind, metadata: { name } }) => ({ kind, name, section: '' }));
      const named = namedBy(policy);
      return [...named, ...whole.filter((one) => !named.some((other) => sameTarget(one, other)))];
    },
    routes: all.filter(({ kind }) => kind === 'HTTPRoute'),
    policiesOf: (target, kind) => {
      const named = policies.get(`${kind} ${idOf(target)}`) ?? [];
      const selecting = bySelector.filter((one) => one.kind === kind && selects(one, target));
      return [...new Set([...named.map(({ policy }) => policy), ...selecting])];
    },
    gatewaysOf: (route) =>
      objectRefs(route)
        .filter(({ kind }) => kind === 'Gateway')
        .flatMap(({ kind, namespace, name }) => find(kind, namespace, name) ?? []),
  };
}

/** What people call an object: `HTTPRoute team-a/chat`. */
export function idOf({ kind, metadata: { namespace, name } }: Identified): string {
  return `${kind} ${namespace ? `${namespace}/` : ''}${name}`;
}

interface Identified {
  readonly kind: string;
  readonly metadata: { readonly namespace?: string | undefined; readonly name: string };
}

/** What a policy names as its targets. */
export function namedBy({ spec }: Manifest): PolicyTarget[] {
  const refs = [
    ...listOf(spec, 'targetRefs'),
    ...(spec?.['targetRef'] ? [spec['targetRef'] as JsonObject] : []),
  ];
  return refs.map(({ kind, name, sectionName = '' }) => {
    return { kind: String(kind), name: String(name), section: String(sectionName) };
  });
}

function sameTarget(a: PolicyTarget, b: PolicyTarget): boolean {
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
