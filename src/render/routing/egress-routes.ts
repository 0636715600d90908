import { EGRESS } from '../../routing/addresses';
import type { Egress, EgressBackend } from '../../routing/places';
import { quantityOf } from '../../scheduler/amounts';
import type { JsonObject, Manifest } from '../manifest';
import { arrivalName, memberFilterName } from '../names';
import { parentOf } from './front-route';
import { API, byFilter, toBackend, toRoute } from './kinds';
import { ADDRESS_CHECKS } from './health-checks';
import { LATE, type Place, routeMeta } from './meta';
import { REPLACE_MODEL } from './model-scripts';
import { scriptPolicy, scriptSource } from './script-policy';
import { UNBOUNDED_BREAKER, timeoutsOf } from './traffic';

/** The name of the rule that calls the provider. The other one answers checks, which come without a body. */
const CALL = 'call';

/** What tells a provider about the fleet and its clients. Not the credential: this runs after that is put on. */
const TELLING = [
  'x-envoy-external-address',
  'x-fleetwright-client',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-request-id',
];

/** What the egress has for one external endpoint, as one service of one tier asks for it. */
export function egressObjects(backend: EgressBackend, egress: Egress, place: Place): Manifest[] {
  return [
    provider(backend, place),
    ...tlsPolicy(backend, place),
    ...filters(backend, place),
    route(backend, place),
    traffic(backend, egress, place),
    ...modelScript(backend, place),
  ];
}

function nameOf(backend: EgressBackend): string {
  return arrivalName(backend.service, identityOf(backend));
}

function identityOf({ tier, endpoint, hostname }: EgressBackend) {
  return { tier, target: endpoint.name, hostname };
}

/** In the namespace of the endpoint, where its authority is: references to that cross none. */
function provider(backend: EgressBackend, place: Place): Manifest {
  const { service, endpoint, host, isAddress, port } = backend;
  const address = isAddress ? { ip: { address: host, port } } : { fqdn: { hostname: host, port } };
  return {
    apiVersion: API.envoy,
    kind: 'Backend',
    metadata: routeMeta(service, place, nameOf(backend), endpoint.namespace),
    spec: { endpoints: [address] },
  };
}

function tlsPolicy(backend: EgressBackend, place: Place): Manifest[] {
  const { service, endpoint, tls } = backend;
  if (!tls) return [];
  const signed =
    tls.ca === undefined
      ? { wellKnownCACertificates: 'System' }
      : { caCertificateRefs: [{ group: '', kind: 'ConfigMap', name: tls.ca }] };
  return [
    {
      apiVersion: API.gateway,
      kind: 'BackendTLSPolicy',
      metadata: routeMeta(service, place, nameOf(backend), endpoint.namespace),
      spec: {
        targetRefs: [toBackend(nameOf(backend))],
        validation: { hostname: tls.serverName, ...signed },
      },
    },
  ];
}

function purpose(backend: EgressBackend, what: string): string {
  return memberFilterName(backend.service, identityOf(backend), what);
}

function filters(backend: EgressBackend, place: Place): Manifest[] {
  const filter = (what: string, spec: JsonObject): Manifest => ({
    apiVersion: API.envoy,
    kind: 'HTTPRouteFilter',
    metadata: routeMeta(backend.service, place, purpose(backend, what)),
    spec,
  });
  const { credential, isAddress } = backend;
  return [
    filter('ready', { directResponse: { statusCode: 200 } }),
    ...(isAddress ? [] : [filter('host', HOST_OF_PROVIDER)]),
    ...(credential ? [filter('key', { credentialInjection: injection(backend, credential) })] : []),
  ];
}

const HOST_OF_PROVIDER = { urlRewrite: { appendXForwardedHost: false, hostname: { type: 'Backend' } } };

function injection(
  { service }: EgressBackend,
  { header, secret }: NonNullable<EgressBackend['credential']>,
): JsonObject {
  const elsewhere = secret.namespace !== service.namespace && { namespace: secret.namespace };
  return {
    overwrite: true,
    header,
    credential: { valueRef: { group: '', kind: 'Secret', name: secret.name, ...elsewhere } },
  };
}

function route(backend: EgressBackend, place: Place): Manifest {
  const { service, endpoint, hostname, readyPath, rewrite, credential, model, isAddress } = backend;
  const elsewhere = endpoint.namespace !== service.namespace && { namespace: endpoint.namespace };
  return {
    apiVersion: API.gateway,
    kind: 'HTTPRoute',
    metadata: { ...routeMeta(service, place, nameOf(backend)), ...LATE },
    spec: {
      parentRefs: [parentOf(EGRESS)],
      hostnames: [hostname],
      rules: [
        {
          name: 'ready',
          matches: [{ path: { type: 'Exact', value: readyPath } }],
          filters: [byFilter(purpose(backend, 'ready'))],
        },
        {
          name: CALL,
          matches: [
            {
              path: { type: 'PathPrefix', value: rewrite.from },
              // What has no body names no model, and would reach the account of the provider as it is.
              ...(model !== undefined && { method: 'POST' }),
            },
          ],
          filters: [
            {
              type: 'URLRewrite',
              urlRewrite: { path: { type: 'ReplacePrefixMatch', replacePrefixMatch: rewrite.to } },
            },
            { type: 'RequestHeaderModifier', requestHeaderModifier: { remove: TELLING } },
            ...(isAddress ? [] : [byFilter(purpose(backend, 'host'))]),
            ...(credential ? [byFilter(purpose(backend, 'key'))] : []),
          ],
          backendRefs: [{ ...toBackend(nameOf(backend)), ...elsewhere }],
        },
      ],
    },
  };
}

function traffic(backend: EgressBackend, { maxRequestBody }: Egress, place: Place): Manifest {
  const { service, timeouts } = backend;
  const name = nameOf(backend);
  return {
    apiVersion: API.envoy,
    kind: 'BackendTrafficPolicy',
    metadata: routeMeta(service, place, name),
    spec: {
      targetRefs: [toRoute(name)],
      healthCheck: ADDRESS_CHECKS,
      circuitBreaker: UNBOUNDED_BREAKER,
      timeout: timeoutsOf(timeouts),
      // A script sees no more than 32 to 64 KiB of a body that is not held whole, and Envoy answers 413 beyond.
      requestBuffer: { limit: quantityOf('memory', maxRequestBody) },
    },
  };
}

function modelScript(backend: EgressBackend, place: Place): Manifest[] {
  const { service, model } = backend;
  if (model === undefined) return [];
  const script = {
    name: purpose(backend, 'model'),
    lua: REPLACE_MODEL,
    // As JSON: the script writes it into the body as it is.
    context: { model: JSON.stringify(model) },
    route: nameOf(backend),
    rule: CALL,
  };
  return [scriptSource(service, script, place), scriptPolicy(service, script, place)];
}
