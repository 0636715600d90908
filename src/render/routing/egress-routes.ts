import type { JsonObject, Manifest } from '../../manifest/kubernetes/manifest';
import { memberFilterNameOf, memberRouteNameOf } from '../../manifest/kubernetes/object-names';
import { EGRESS_NAME } from '../../routing/addresses';
import type { Egress, EgressBackend } from '../../routing/gateway-types';
import { formatResourceAmount } from '../../scheduler/compile/resource-requests';
import { ADDRESS_CHECKS, renderTimeouts, UNBOUNDED_BREAKER } from './backend-traffic';
import { renderScriptConfigMap, renderScriptPolicy, REPLACE_MODEL_SCRIPT } from './lua-scripts';
import {
  backendRefOf,
  type ClusterContext,
  filterRefOf,
  routeMetaOf,
  createRoute,
  routeRefOf,
  createRoutingObject,
} from './routing-object';

/** The name of the rule that calls the provider. The other rule answers health checks, which have no body. */
const CALL_RULE_NAME = 'call';

/** Headers that reveal the fleet and its clients to a provider. They are removed after the credential is added. */
const IDENTIFYING_HEADERS = [
  'x-envoy-external-address',
  'x-fleetwright-client',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-request-id',
];

/** Renders the objects at the egress for one external endpoint, as a member of one tier of a service. */
export function renderEgressObjects(backend: EgressBackend, egress: Egress, context: ClusterContext): Manifest[] {
  return [
    renderProviderBackend(backend, context),
    ...renderTlsPolicy(backend, context),
    ...renderFilters(backend, context),
    renderEgressRoute(backend, context),
    renderEgressTrafficPolicy(backend, egress, context),
    ...renderModelReplacement(backend, context),
  ];
}

function nameOf(backend: EgressBackend): string {
  return memberRouteNameOf(backend.service, identityOf(backend));
}

function identityOf({ tier, endpoint, hostname }: EgressBackend) {
  return { tier, target: endpoint.name, hostname };
}

/** The certificate authority is in the namespace of the endpoint too, so that no reference crosses namespaces. */
function renderProviderBackend(backend: EgressBackend, context: ClusterContext): Manifest {
  const { service, endpoint, host, isAddress, port } = backend;
  const address = isAddress ? { ip: { address: host, port } } : { fqdn: { hostname: host, port } };
  const metadata = routeMetaOf(service, context, nameOf(backend), endpoint.namespace);
  return createRoutingObject('Backend', metadata, { endpoints: [address] });
}

function renderTlsPolicy(backend: EgressBackend, context: ClusterContext): Manifest[] {
  const { service, endpoint, tls } = backend;
  if (!tls) return [];
  const name = nameOf(backend);
  const authority =
    tls.ca === undefined
      ? { wellKnownCACertificates: 'System' }
      : { caCertificateRefs: [{ group: '', kind: 'ConfigMap', name: tls.ca }] };
  const policy = createRoutingObject('BackendTLSPolicy', routeMetaOf(service, context, name, endpoint.namespace), {
    targetRefs: [backendRefOf(name)],
    validation: { hostname: tls.serverName, ...authority },
  });
  return [policy];
}

function filterNameFor(backend: EgressBackend, purpose: string): string {
  return memberFilterNameOf(backend.service, identityOf(backend), purpose);
}

function renderFilters(backend: EgressBackend, context: ClusterContext): Manifest[] {
  const { service, credential, isAddress } = backend;
  const filter = (purpose: string, spec: JsonObject): Manifest =>
    createRoutingObject('HTTPRouteFilter', routeMetaOf(service, context, filterNameFor(backend, purpose)), spec);
  return [
    filter('ready', { directResponse: { statusCode: 200 } }),
    ...(isAddress ? [] : [filter('host', PROVIDER_HOST_REWRITE)]),
    ...(credential ? [filter('key', { credentialInjection: renderCredentialInjection(backend, credential) })] : []),
  ];
}

const PROVIDER_HOST_REWRITE = { urlRewrite: { appendXForwardedHost: false, hostname: { type: 'Backend' } } };

function renderCredentialInjection(
  { service }: EgressBackend,
  { header, secret }: NonNullable<EgressBackend['credential']>,
): JsonObject {
  const namespace = secret.namespace !== service.namespace && { namespace: secret.namespace };
  const valueRef = { group: '', kind: 'Secret', name: secret.name, ...namespace };
  return { overwrite: true, header, credential: { valueRef } };
}

function renderEgressRoute(backend: EgressBackend, context: ClusterContext): Manifest {
  const { service, endpoint, hostname, readyPath, rewrite, credential, model, isAddress } = backend;
  const namespace = endpoint.namespace !== service.namespace && { namespace: endpoint.namespace };
  const path = { type: 'ReplacePrefixMatch', replacePrefixMatch: rewrite.to };
  // A request without a body names no model, and would reach the account of the provider unchanged.
  const method = model !== undefined && { method: 'POST' };
  return createRoute(EGRESS_NAME, routeMetaOf(service, context, nameOf(backend)), {
    hostnames: [hostname],
    rules: [
      {
        name: 'ready',
        matches: [{ path: { type: 'Exact', value: readyPath } }],
        filters: [filterRefOf(filterNameFor(backend, 'ready'))],
      },
      {
        name: CALL_RULE_NAME,
        matches: [{ path: { type: 'PathPrefix', value: rewrite.from }, ...method }],
        filters: [
          { type: 'URLRewrite', urlRewrite: { path } },
          { type: 'RequestHeaderModifier', requestHeaderModifier: { remove: IDENTIFYING_HEADERS } },
          ...(isAddress ? [] : [filterRefOf(filterNameFor(backend, 'host'))]),
          ...(credential ? [filterRefOf(filterNameFor(backend, 'key'))] : []),
        ],
        backendRefs: [{ ...backendRefOf(nameOf(backend)), ...namespace }],
      },
    ],
  });
}

function renderEgressTrafficPolicy(backend: EgressBackend, egress: Egress, context: ClusterContext): Manifest {
  const name = nameOf(backend);
  return createRoutingObject('BackendTrafficPolicy', routeMetaOf(backend.service, context, name), {
    targetRefs: [routeRefOf(name)],
    healthCheck: ADDRESS_CHECKS,
    circuitBreaker: UNBOUNDED_BREAKER,
    timeout: renderTimeouts(backend.timeouts),
    // Without buffering, a script sees only 32 to 64 KiB of a body, and Envoy returns 413 for larger bodies.
    requestBuffer: { limit: formatResourceAmount('memory', egress.maxRequestBody) },
  });
}

function renderModelReplacement(backend: EgressBackend, context: ClusterContext): Manifest[] {
  const { service, model } = backend;
  if (model === undefined) return [];
  const script = {
    name: filterNameFor(backend, 'model'),
    lua: REPLACE_MODEL_SCRIPT,
    // The script writes the JSON text into the body unchanged.
    context: { model: JSON.stringify(model) },
    route: nameOf(backend),
    rule: CALL_RULE_NAME,
  };
  return [renderScriptConfigMap(service, script, context), renderScriptPolicy(service, script, context)];
}
