import { type Diagnostic, errorAt } from '../../base/diagnostic';
import type { JsonObject, Manifest } from '../../manifest/kubernetes/manifest';
import { findObjectRefs } from '../../manifest/kubernetes/references';
import type { RoutingObjects } from './routing-objects';

/**
 * The fields of a SecurityPolicy that authenticate clients. A policy of a route with only CORS also replaces the policy
 * of its Gateway.
 */
const AUTHENTICATION_FIELDS = ['apiKeyAuth', 'authorization', 'basicAuth', 'extAuth', 'jwt', 'oidc'];

/** Finds routes that accept every client: without a key or token, at a Gateway without client certificates. */
export function* findOpenRoutes(objects: RoutingObjects): Iterable<Diagnostic<Manifest>> {
  const { routes, policiesOf, gatewaysOf } = objects;
  for (const route of routes) {
    const open = gatewaysOf(route).find((gateway) => {
      const routePolicies = policiesOf(route, 'SecurityPolicy');
      const policies = routePolicies.length > 0 ? routePolicies : policiesOf(gateway, 'SecurityPolicy');
      const authenticates = policies.some(({ spec }) =>
        AUTHENTICATION_FIELDS.some((field) => spec?.[field] !== undefined),
      );
      return !authenticates && !requiresClientCertificate(gateway, objects);
    });
    if (!open) continue;
    yield errorAt(
      'open-route',
      route,
      `the route lets everybody in who reaches Gateway ${open.metadata.name}`,
      'Add a SecurityPolicy that names it, with keys or a jwt',
    );
  }
}

function requiresClientCertificate(gateway: Manifest, { policiesOf }: RoutingObjects): boolean {
  return policiesOf(gateway, 'ClientTrafficPolicy').some(({ spec }) => {
    const tls = spec?.['tls'] as JsonObject | undefined;
    return tls?.['clientValidation'] !== undefined;
  });
}

/** Finds routes that add the credential of a provider to requests from outside the cluster. */
export function* findExposedCredentials(objects: RoutingObjects): Iterable<Diagnostic<Manifest>> {
  const { routes, find, gatewaysOf } = objects;
  for (const route of routes) {
    const filters = findObjectRefs(route).filter(({ kind }) => kind === 'HTTPRouteFilter');
    const injectsCredential = filters.some(({ kind, namespace, name }) => {
      return find(kind, namespace, name)?.spec?.['credentialInjection'] !== undefined;
    });
    const open =
      injectsCredential && gatewaysOf(route).find((gateway) => serviceTypeOf(gateway, objects) !== 'ClusterIP');
    if (!open) continue;
    yield errorAt(
      'exposed-credential',
      route,
      `the route puts a credential on requests from outside: the Service of Gateway ${open.metadata.name} is no ClusterIP`,
      'Put credentials on at fleetwright-egress alone',
    );
  }
}

/** Returns the type of the Service of a Gateway. Without an EnvoyProxy, Envoy Gateway defaults to LoadBalancer. */
function serviceTypeOf({ metadata }: Manifest, { find }: RoutingObjects): unknown {
  const proxy = find('EnvoyProxy', metadata.namespace ?? '', metadata.name);
  const provider = proxy?.spec?.['provider'] as { kubernetes?: { envoyService?: JsonObject } } | undefined;
  return provider?.kubernetes?.envoyService?.['type'];
}

/** Finds TLS backends that accept any certificate of their authority. */
export function* findUnverifiedBackends({ all }: RoutingObjects): Iterable<Diagnostic<Manifest>> {
  for (const object of all.filter(({ kind }) => kind === 'BackendTLSPolicy')) {
    const validation = object.spec?.['validation'] as JsonObject | undefined;
    if (validation?.['hostname'] !== undefined) continue;
    yield errorAt(
      'unproven-backend',
      object,
      'it names no host, and takes every certificate that the authority has signed',
      'Set validation.hostname',
    );
  }
}
