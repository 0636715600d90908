import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { groupBy } from '../../base/order';
import type { Manifest } from '../../manifest/kubernetes/manifest';
import { listOf, namedTargetsOf, type RoutingObjects } from './routing-objects';

/** The kinds of policies of which only one applies to a target. Others are ignored (Envoy Gateway 1.9). */
const EXCLUSIVE_POLICIES: ReadonlySet<string> = new Set([
  'BackendTrafficPolicy',
  'ClientTrafficPolicy',
  'EnvoyExtensionPolicy',
  'SecurityPolicy',
]);

/** Finds several policies of a kind for the same part of a route or Gateway, which Envoy Gateway does not merge. */
export function* findCompetingPolicies({ all, targetsOf }: RoutingObjects): Iterable<Diagnostic<Manifest>> {
  const attached = all
    .filter(({ kind }) => EXCLUSIVE_POLICIES.has(kind))
    .flatMap((policy) => targetsOf(policy).map((target) => ({ policy, target })));
  const byTarget = groupBy(attached, ({ policy: { kind, metadata }, target }) =>
    [kind, metadata.namespace, target.kind, target.name, target.section].join('/'),
  );
  for (const [first, ...others] of byTarget.values()) {
    for (const { policy, target } of others) {
      yield errorAt(
        'two-policies',
        policy,
        `${target.kind} ${policy.metadata.namespace}/${target.name} has a ${policy.kind} already, ${first?.policy.metadata.name}, and one of them counts for nothing`,
        'Make one policy of both',
      );
    }
  }
}

/** Finds routes with backends but without a traffic policy: Envoy ends their responses after 15 seconds. */
export function* findRoutesWithoutTrafficPolicy({
  routes,
  policiesOf,
  gatewaysOf,
}: RoutingObjects): Iterable<Diagnostic<Manifest>> {
  for (const route of routes) {
    const gateways = gatewaysOf(route);
    if (gateways.length === 0 || !hasBackends(route)) continue;
    if ([route, ...gateways].some((one) => policiesOf(one, 'BackendTrafficPolicy').length > 0)) continue;
    yield errorAt(
      'no-traffic-policy',
      route,
      'the route has no BackendTrafficPolicy: answers are cut after 15 seconds, and nobody asks what is behind whether it serves',
      'Add one that names it',
    );
  }
}

function hasBackends({ spec }: Manifest): boolean {
  return listOf(spec, 'rules').some((rule) => listOf(rule, 'backendRefs').length > 0);
}

/** Finds policies whose target does not exist. The gateway ignores them silently. */
export function* findPoliciesWithoutTarget({ all, find }: RoutingObjects): Iterable<Diagnostic<Manifest>> {
  for (const policy of all.filter(({ kind }) => kind.endsWith('Policy'))) {
    for (const { kind, name, section } of namedTargetsOf(policy)) {
      if (!KNOWN_TARGETS.has(kind)) continue;
      const target = find(kind, policy.metadata.namespace ?? '', name);
      if (target && hasSection(target, section)) continue;
      const part = target ? `has no part '${section}'` : 'is not there';
      yield errorAt(
        'no-policy-target',
        policy,
        `${kind} ${policy.metadata.namespace}/${name} ${part}, and a policy without its target is ignored in silence`,
        'Correct the name, and put the policy into the namespace of its target',
      );
    }
  }
}

/** The kinds of targets that are rendered together with their policies. Services can come from elsewhere. */
const KNOWN_TARGETS: ReadonlySet<string> = new Set(['Gateway', 'HTTPRoute', 'Backend']);

function hasSection({ kind, spec }: Manifest, section: string): boolean {
  const parts = { Gateway: 'listeners', HTTPRoute: 'rules' }[kind];
  return section === '' || parts === undefined || listOf(spec, parts).some(({ name }) => name === section);
}
