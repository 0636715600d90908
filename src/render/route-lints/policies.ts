import { errorAt } from '../../base/diagnostic';
import { groupBy } from '../../base/order';
import type { JsonObject, Manifest } from '../../manifest/kubernetes/manifest';
import { findObjectRefs } from '../../manifest/kubernetes/references';
import { listOf, namedTargetsOf, type RouteLint, type RoutingObjects } from './routing-objects';

/** The fields of a SecurityPolicy that authenticate clients. One with only CORS also replaces that of the Gateway. */
const AUTHENTICATION_FIELDS = ['apiKeyAuth', 'authorization', 'basicAuth', 'extAuth', 'jwt', 'oidc'];

/** Finds routes that accept every client: without a key or token, at a Gateway without client certificates. */
export const findOpenRoutes: RouteLint = function* (objects) {
  const { routes, policiesOf, gatewaysOf } = objects;
  for (const route of routes) {
    const open = gatewaysOf(route).find((gateway) => {
      const routePolicies = policiesOf(route, 'SecurityPolicy');
      const policies = routePolicies.length > 0 ? routePolicies : policiesOf(gateway, 'SecurityPolicy');
      return !policies.some(authenticatesClients) && !requiresClientCertificate(gateway, objects);
    });
    if (!open) continue;
    const message = `the route accepts requests from everyone who reaches Gateway ${open.metadata.name}`;
    yield errorAt('open-route', route, message, 'Add a SecurityPolicy for the route, with API keys or a JWT');
  }
};

function authenticatesClients({ spec }: Manifest): boolean {
  return AUTHENTICATION_FIELDS.some((field) => spec?.[field] !== undefined);
}

function requiresClientCertificate(gateway: Manifest, { policiesOf }: RoutingObjects): boolean {
  return policiesOf(gateway, 'ClientTrafficPolicy').some(({ spec }) => {
    const tls = spec?.['tls'] as JsonObject | undefined;
    return tls?.['clientValidation'] !== undefined;
  });
}

/** Finds routes that add the credential of a provider to requests from outside the cluster. */
export const findExposedCredentials: RouteLint = function* (objects) {
  const { routes, find, gatewaysOf } = objects;
  for (const route of routes) {
    const filters = findObjectRefs(route).filter(({ kind }) => kind === 'HTTPRouteFilter');
    const injectsCredential = filters.some(({ kind, namespace, name }) => {
      return find(kind, namespace, name)?.spec?.['credentialInjection'] !== undefined;
    });
    const open =
      injectsCredential && gatewaysOf(route).find((gateway) => serviceTypeOf(gateway, objects) !== 'ClusterIP');
    if (!open) continue;
    const message = `the route adds a credential to requests from outside the cluster: the Service of Gateway ${open.metadata.name} is not of type ClusterIP`;
    yield errorAt('exposed-credential', route, message, 'Add credentials only at Gateway fleetwright-egress');
  }
};

/** Returns the type of the Service of a Gateway. Without an EnvoyProxy, Envoy Gateway defaults to LoadBalancer. */
function serviceTypeOf({ metadata }: Manifest, { find }: RoutingObjects): unknown {
  const proxy = find('EnvoyProxy', metadata.namespace ?? '', metadata.name);
  const provider = proxy?.spec?.['provider'] as { kubernetes?: { envoyService?: JsonObject } } | undefined;
  return provider?.kubernetes?.envoyService?.['type'];
}

/** Finds TLS backends that accept any certificate of their authority. */
export const findUnverifiedBackends: RouteLint = function* ({ all }) {
  for (const object of all.filter(({ kind }) => kind === 'BackendTLSPolicy')) {
    const validation = object.spec?.['validation'] as JsonObject | undefined;
    if (validation?.['hostname'] !== undefined) continue;
    const message = 'it has no host name, and accepts all certificates of the authority';
    yield errorAt('unproven-backend', object, message, 'Set validation.hostname');
  }
};

/** The kinds of policies of which only one applies to a target. Others are ignored (Envoy Gateway 1.9). */
const EXCLUSIVE_POLICIES: ReadonlySet<string> = new Set([
  'BackendTrafficPolicy',
  'ClientTrafficPolicy',
  'EnvoyExtensionPolicy',
  'SecurityPolicy',
]);

/** Finds several policies of a kind for the same part of a route or Gateway, which Envoy Gateway does not merge. */
export const findCompetingPolicies: RouteLint = function* ({ all, targetsOf }) {
  const attached = all
    .filter(({ kind }) => EXCLUSIVE_POLICIES.has(kind))
    .flatMap((policy) => targetsOf(policy).map((target) => ({ policy, target })));
  const byTarget = groupBy(attached, ({ policy: { kind, metadata }, target }) =>
    [kind, metadata.namespace, target.kind, target.name, target.section].join('/'),
  );
  for (const [first, ...others] of byTarget.values()) {
    for (const { policy, target } of others) {
      const message = `${target.kind} ${policy.metadata.namespace}/${target.name} has a ${policy.kind} already, ${first?.policy.metadata.name}, and only one of them takes effect`;
      yield errorAt('two-policies', policy, message, 'Merge the two policies');
    }
  }
};

/** Finds routes with backends but without a traffic policy: Envoy ends their responses after 15 seconds. */
export const findRoutesWithoutTrafficPolicy: RouteLint = function* ({ routes, policiesOf, gatewaysOf }) {
  for (const route of routes) {
    const gateways = gatewaysOf(route);
    const hasBackends = listOf(route.spec, 'rules').some((rule) => listOf(rule, 'backendRefs').length > 0);
    if (gateways.length === 0 || !hasBackends) continue;
    if ([route, ...gateways].some((one) => policiesOf(one, 'BackendTrafficPolicy').length > 0)) continue;
    const message =
      'the route has no BackendTrafficPolicy: responses time out after 15 seconds, and backends have no health checks';
    yield errorAt('no-traffic-policy', route, message, 'Add one for the route');
  }
};

/** Finds policies whose target does not exist. The gateway ignores them silently. */
export const findPoliciesWithoutTarget: RouteLint = function* ({ all, find }) {
  for (const policy of all.filter(({ kind }) => kind.endsWith('Policy'))) {
    for (const { kind, name, section } of namedTargetsOf(policy)) {
      if (!KNOWN_TARGETS.has(kind)) continue;
      const target = find(kind, policy.metadata.namespace ?? '', name);
      if (target && hasSection(target, section)) continue;
      const part = target ? `has no section '${section}'` : 'does not exist';
      const message = `${kind} ${policy.metadata.namespace}/${name} ${part}, and Envoy Gateway silently ignores a policy without a target`;
      const hint = 'Correct the name, and move the policy to the namespace of its target';
      yield errorAt('no-policy-target', policy, message, hint);
    }
  }
};

/** The kinds of targets that are rendered together with their policies. Services can come from elsewhere. */
const KNOWN_TARGETS: ReadonlySet<string> = new Set(['Gateway', 'HTTPRoute', 'Backend']);

function hasSection({ kind, spec }: Manifest, section: string): boolean {
  const parts = { Gateway: 'listeners', HTTPRoute: 'rules' }[kind];
  return section === '' || parts === undefined || listOf(spec, parts).some(({ name }) => name === section);
}

const RETRY_TRIGGER = 'retriable-status-codes';

/** Finds retries by status code that never happen, because status codes have no effect without their trigger. */
export const findIneffectiveRetryCodes: RouteLint = function* ({ all }) {
  for (const object of all.filter(({ kind }) => kind === 'BackendTrafficPolicy')) {
    const retry = object.spec?.['retry'] as { retryOn?: JsonObject } | undefined;
    const { httpStatusCodes, triggers } = retry?.retryOn ?? {};
    const codes = Array.isArray(httpStatusCodes) ? httpStatusCodes : [];
    if (codes.length === 0 || (Array.isArray(triggers) && triggers.includes(RETRY_TRIGGER))) continue;
    const message = `the codes ${codes.join(', ')} are never retried without the trigger ${RETRY_TRIGGER}`;
    yield errorAt('retry-without-trigger', object, message, `Add ${RETRY_TRIGGER} to retry.retryOn.triggers`);
  }
};
