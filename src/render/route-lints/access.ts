import { type Diagnostic, errorAt } from '../../base/diagnostic';
import type { JsonObject, Manifest } from '../../manifest/kubernetes/manifest';
import { findObjectRefs } from '../../manifest/kubernetes/references';
import type { RoutingObjects } from './routing-objects';

/** What of a SecurityPolicy asks who somebody is. A policy with CORS alone takes the place of the Gateway's. */
const AUTHENTICATION_FIELDS = ['apiKeyAuth', 'authorization', 'basicAuth', 'extAuth', 'jwt', 'oidc'];

/** Routes that answer everybody: without a key or token, at a Gateway that asks for no certificate. */
export function* findOpenRoutes(objects: RoutingObjects): Iterable<Diagnostic<Manifest>> {
  const { routes, policiesOf, gatewaysOf } = objects;
  for (const route of routes) {
    const open = gatewaysOf(route).find((gateway) => {
      const own = policiesOf(route, 'SecurityPolicy');
      const policies = own.length > 0 ? own : policiesOf(gateway, 'SecurityPolicy');
      const asks = policies.some(({ spec }) =>
        AUTHENTICATION_FIELDS.some((field) => spec?.[field] !== undefined),
      );
      return !asks && !asksForCertificate(gateway, objects);
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

function asksForCertificate(gateway: Manifest, { policiesOf }: RoutingObjects): boolean {
  return policiesOf(gateway, 'ClientTrafficPolicy').some(({ spec }) => {
    const tls = spec?.['tls'] as JsonObject | undefined;
    return tls?.['clientValidation'] !== undefined;
  });
}

/** Routes that put the credential of a provider on what comes from outside the cluster. */
export function* findExposedCredentials(objects: RoutingObjects): Iterable<Diagnostic<Manifest>> {
  const { routes, find, gatewaysOf } = objects;
  for (const route of routes) {
    const filters = findObjectRefs(route).filter(({ kind }) => kind === 'HTTPRouteFilter');
    const carries = filters.some(({ kind, namespace, name }) => {
      return find(kind, namespace, name)?.spec?.['credentialInjection'] !== undefined;
    });
    const open =
      carries && gatewaysOf(route).find((gateway) => serviceTypeOf(gateway, objects) !== 'ClusterIP');
    if (!open) continue;
    yield errorAt(
      'exposed-credential',
      route,
      `the route puts a credential on requests from outside: the Service of Gateway ${open.metadata.name} is no ClusterIP`,
      'Put credentials on at fleetwright-egress alone',
    );
  }
}

/** The type of the Service of a Gateway; of one without an EnvoyProxy LoadBalancer, the default of Envoy Gateway. */
function serviceTypeOf({ metadata }: Manifest, { find }: RoutingObjects): unknown {
  const proxy = find('EnvoyProxy', metadata.namespace ?? '', metadata.name);
  const provider = proxy?.spec?.['provider'] as { kubernetes?: { envoyService?: JsonObject } } | undefined;
  return provider?.kubernetes?.envoyService?.['type'];
}

/** Backends of TLS of which any certificate of the authority is good enough. */
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
