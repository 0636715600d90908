import type { JsonObject, Manifest } from '../../manifest/kubernetes/manifest';
import { memberFilterNameOf, memberRouteNameOf } from '../../manifest/kubernetes/object-names';
import { EGRESS_NAME } from '../../routing/addresses';
import type { Egress, EgressBackend } from '../../routing/gateways';
import { formatResource } from '../../scheduler/compile/resource-requests';
import { ADDRESS_CHECKS, renderTimeouts, UNBOUNDED_BREAKER } from './backend-traffic';
import { parentRefOf } from './front-route';
import { API_VERSIONS, backendRefOf, filterRefOf, routeRefOf } from './gateway-api-kinds';
import { renderScriptConfigMap, renderScriptPolicy, REPLACE_MODEL_SCRIPT } from './lua-scripts';
import { type ClusterContext, ROUTE_ANNOTATIONS, routeMetaOf } from './metadata';

/** The name of the rule that calls the provider. The other one answers checks, which come without a body. */
const CALL_RULE_NAME = 'call';

/** What tells a provider about the fleet and its clients. Not the credential: this runs after that is put on. */
const IDENTIFYING_HEADERS = [
  'x-envoy-external-address',
  'x-fleetwright-client',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-request-id',
];

/** What the egress has for one external endpoint, as one service of one tier asks for it. */
export function renderEgressObjects(
  backend: EgressBackend,
  egress: Egress,
  place: ClusterContext,
): Manifest[] {
  return [
    renderProviderBackend(backend, place),
    ...renderTlsPolicy(backend, place),
    ...renderFilters(backend, place),
    renderEgressRoute(backend, place),
    renderEgressTrafficPolicy(backend, egress, place),
    ...renderModelReplacement(backend, place),
  ];
}

function nameOf(backend: EgressBackend): string {
  return memberRouteNameOf(backend.service, identityOf(backend));
}

function identityOf({ tier, endpoint, hostname }: EgressBackend) {
  return { tier, target: endpoint.name, hostname };
}

/** In the namespace of the endpoint, where its authority is: references to that cross none. */
function renderProviderBackend(backend: EgressBackend, place: ClusterContext): Manifest {
  const { service, endpoint, host, isAddress, port } = backend;
  const address = isAddress ? { ip: { address: host, port } } : { fqdn: { hostname: host, port } };
  return {
    apiVersion: API_VERSIONS.envoy,
    kind: 'Backend',
    metadata: routeMetaOf(service, place, nameOf(backend), endpoint.namespace),
    spec: { endpoints: [address] },
  };
}

function renderTlsPolicy(backend: EgressBackend, place: ClusterContext): Manifest[] {
  const { service, endpoint, tls } = backend;
  if (!tls) return [];
  const signed =
    tls.ca === undefined
      ? { wellKnownCACertificates: 'System' }
      : { caCertificateRefs: [{ group: '', kind: 'ConfigMap', name: tls.ca }] };
  return [
    {
      apiVersion: API_VERSIONS.gateway,
      kind: 'BackendTLSPolicy',
      metadata: routeMetaOf(service, place, nameOf(backend), endpoint.namespace),
      spec: {
        targetRefs: [backendRefOf(nameOf(backend))],
        validation: { hostname: tls.serverName, ...signed },
      },
    },
  ];
}

function filterNameFor(backend: EgressBackend, what: string): string {
  return memberFilterNameOf(backend.service, identityOf(backend), what);
}

function renderFilters(backend: EgressBackend, place: ClusterContext): Manifest[] {
  const filter = (what: string, spec: JsonObject): Manifest => ({
    apiVersion: API_VERSIONS.envoy,
    kind: 'HTTPRouteFilter',
    metadata: routeMetaOf(backend.service, place, filterNameFor(backend, what)),
    spec,
  });
  const { credential, isAddress } = backend;
  return [
    filter('ready', { directResponse: { statusCode: 200 } }),
    ...(isAddress ? [] : [filter('host', PROVIDER_HOST_REWRITE)]),
    ...(credential
      ? [filter('key', { credentialInjection: renderCredentialInjection(backend, credential) })]
      : []),
  ];
}

const PROVIDER_HOST_REWRITE = { urlRewrite: { appendXForwardedHost: false, hostname: { type: 'Backend' } } };

function renderCredentialInjection(
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

function renderEgressRoute(backend: EgressBackend, place: ClusterContext): Manifest {
  const { service, endpoint, hostname, readyPath, rewrite, credential, model, isAddress } = backend;
  const elsewhere = endpoint.namespace !== service.namespace && { namespace: endpoint.namespace };
  return {
    apiVersion: API_VERSIONS.gateway,
    kind: 'HTTPRoute',
    metadata: { ...routeMetaOf(service, place, nameOf(backend)), ...ROUTE_ANNOTATIONS },
    spec: {
      parentRefs: [parentRefOf(EGRESS_NAME)],
      hostnames: [hostname],
      rules: [
        {
          name: 'ready',
          matches: [{ path: { type: 'Exact', value: readyPath } }],
          filters: [filterRefOf(filterNameFor(backend, 'ready'))],
        },
        {
          name: CALL_RULE_NAME,
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
            { type: 'RequestHeaderModifier', requestHeaderModifier: { remove: IDENTIFYING_HEADERS } },
            ...(isAddress ? [] : [filterRefOf(filterNameFor(backend, 'host'))]),
            ...(credential ? [filterRefOf(filterNameFor(backend, 'key'))] : []),
          ],
          backendRefs: [{ ...backendRefOf(nameOf(backend)), ...elsewhere }],
        },
      ],
    },
  };
}

function renderEgressTrafficPolicy(
  backend: EgressBackend,
  { maxRequestBody }: Egress,
  place: ClusterContext,
): Manifest {
  const { service, timeouts } = backend;
  const name = nameOf(backend);
  return {
    apiVersion: API_VERSIONS.envoy,
    kind: 'BackendTrafficPolicy',
    metadata: routeMetaOf(service, place, name),
    spec: {
      targetRefs: [routeRefOf(name)],
      healthCheck: ADDRESS_CHECKS,
      circuitBreaker: UNBOUNDED_BREAKER,
      timeout: renderTimeouts(timeouts),
      // A script sees no more than 32 to 64 KiB of a body that is not held whole, and Envoy answers 413 beyond.
      requestBuffer: { limit: formatResource('memory', maxRequestBody) },
    },
  };
}

function renderModelReplacement(backend: EgressBackend, place: ClusterContext): Manifest[] {
  const { service, model } = backend;
  if (model === undefined) return [];
  const script = {
    name: filterNameFor(backend, 'model'),
    lua: REPLACE_MODEL_SCRIPT,
    // As JSON: the script writes it into the body as it is.
    context: { model: JSON.stringify(model) },
    route: nameOf(backend),
    rule: CALL_RULE_NAME,
  };
  return [renderScriptConfigMap(service, script, place), renderScriptPolicy(service, script, place)];
}
