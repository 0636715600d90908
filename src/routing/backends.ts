import { scalesToZero } from '../api/engine-copies';
import { REPLICA_INDEX_LABEL } from '../api/labels';
import { backendTypeOf } from '../api/kubernetes-features';
import type { ModelEndpoint } from '../api/model-endpoint';
import type { ModelService } from '../api/model-service';
import { trimTrailing } from '../base/text';
import { HTTP_ADD_ON } from '../catalog/http-add-on';
import { KSERVE_SERVICE_PORT, KSERVE_SERVICE_SUFFIX } from '../catalog/kserve-service';
import { MODEL_PROVIDERS } from '../catalog/model-providers';
import type { Fleet } from '../fleet/fleet';
import { servingSelectorOf } from '../manifest/kubernetes/labels-and-annotations';
import { replicaServiceNameOf, SERVICE_PORT, serviceNameOf } from '../manifest/kubernetes/object-names';
import { readyPathOf, servicePathOf } from './addresses';
import type { EdgeBackend, EgressBackend, InboundRoute } from './gateway-types';
import { engineHealthOf } from './health-checks';
import { resolveTimeouts } from './listeners';
import { pickerOf } from './pickers';
import { namespacedNameOf, routeHostOf } from './route-rules';
import type { EdgeTarget, ExternalTarget, RouteTarget } from './select-targets';
import type { Timeouts } from './traffic-types';

/** Returns the edge backend that serves requests of a service with replicas of a deployment. */
export function toEdgeBackend(
  service: ModelService,
  target: EdgeTarget,
  timeouts: Timeouts,
  settings: Fleet['settings'],
): EdgeBackend {
  const { deployment, cluster, replica, replicas } = target;
  const { containerPort, ...health } = engineHealthOf(deployment);
  const isHeld = scalesToZero(deployment);
  return {
    ...inboundRouteOf(service, target, timeouts),
    deployment: namespacedNameOf(deployment),
    replicas,
    ...(replica !== undefined && { replica }),
    target: {
      service:
        replica === undefined ? serviceNameOf(deployment.metadata) : replicaServiceNameOf(deployment.metadata, replica),
      port: SERVICE_PORT,
      containerPort,
      selector: {
        ...servingSelectorOf(deployment, backendTypeOf(cluster)),
        ...(replica !== undefined && { [REPLICA_INDEX_LABEL]: String(replica) }),
      },
    },
    // A check of an engine would fail while it has no copy, or start one.
    ...(isHeld ? { holder: HTTP_ADD_ON.proxy } : health),
    picker: isHeld ? { kind: 'LeastRequest' } : pickerOf(service, target, settings),
    ...(service.spec.webSocket && { webSocket: true }),
  };
}

/** Returns the egress backend that forwards requests of a service to an endpoint. */
export function toEgressBackend(service: ModelService, target: ExternalTarget): EgressBackend {
  const { endpoint } = target;
  const { model, timeouts } = endpoint.spec;
  const inbound = inboundRouteOf(service, target, resolveTimeouts(timeouts, service.spec.timeouts));
  return {
    ...inbound,
    endpoint: namespacedNameOf(endpoint),
    ...upstreamOf(endpoint),
    rewrite: rewriteOf(endpoint, inbound.path),
    ...credentialOf(endpoint),
    ...(model && { model: model.as }),
  };
}

/** Returns the base address of an endpoint: its URL, or that of its provider or of its Service. */
export function baseUrlOf({ metadata, spec }: ModelEndpoint): URL {
  if (spec.inside) {
    const service = `${spec.inside.llmInferenceService}${KSERVE_SERVICE_SUFFIX}.${metadata.namespace ?? ''}`;
    return new URL(`http://${service}.svc.cluster.local:${KSERVE_SERVICE_PORT}/v1`);
  }
  const url = spec.url ?? (spec.provider && MODEL_PROVIDERS[spec.provider].url);
  if (url === undefined) throw new Error('bug: an endpoint without an address passed its rules');
  return new URL(url);
}

/** Whether an endpoint is in a cluster or a private network. */
export function isPrivate({ spec }: ModelEndpoint): boolean {
  return spec.private || spec.inside !== undefined;
}

/** Matches an IPv4 or IPv6 address in the format of `URL`. No host name has a colon or consists of four numbers. */
const IP_ADDRESS = /^\d+\.\d+\.\d+\.\d+$|:/;

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 };

function upstreamOf(endpoint: ModelEndpoint): Pick<EgressBackend, 'host' | 'isAddress' | 'private' | 'port' | 'tls'> {
  const { hostname, port, protocol } = baseUrlOf(endpoint);
  const host = hostname.replace(/^\[|\]$/g, '');
  const ca = endpoint.spec.tls?.caRef.name;
  return {
    host,
    isAddress: IP_ADDRESS.test(host),
    ...(isPrivate(endpoint) && { private: true }),
    port: port === '' ? (DEFAULT_PORTS[protocol] ?? 443) : Number(port),
    ...(protocol === 'https:' && { tls: { serverName: host, ...(ca !== undefined && { ca }) } }),
  };
}

/**
 * Returns the path rewrite of an endpoint. The path of its URL replaces `/v1` of the service, as in OpenAI clients.
 * `rewritePath` replaces the whole path of the service. Without either, the path of the service is removed.
 */
function rewriteOf(endpoint: ModelEndpoint, path: string): EgressBackend['rewrite'] {
  const servicePath = withoutSlash(path);
  const { rewritePath } = endpoint.spec;
  if (rewritePath !== undefined) return { from: servicePath, to: withoutSlash(`/${rewritePath.replace(/^\/+/, '')}`) };
  const base = withoutSlash(baseUrlOf(endpoint).pathname);
  return base === '/' ? { from: servicePath, to: '/' } : { from: `${servicePath}/v1`, to: base };
}

/** The address of the list of models of an endpoint: where requests to `/v1/models` of a service arrive. */
export function modelsUrlOf(endpoint: ModelEndpoint): URL {
  const { from, to } = rewriteOf(endpoint, '/');
  const rest = from === '/' ? '/v1/models' : '/models';
  const url = baseUrlOf(endpoint);
  url.pathname = `${to === '/' ? '' : to}${rest}`;
  const provider = endpoint.spec.provider && MODEL_PROVIDERS[endpoint.spec.provider];
  url.search = provider?.list?.query ?? '';
  return url;
}

function withoutSlash(path: string): string {
  return trimTrailing(path, '/') || '/';
}

/** The key that Envoy Gateway reads from a Secret with a credential. */
const CREDENTIAL_KEY = 'credential';

function credentialOf(endpoint: ModelEndpoint): Pick<EgressBackend, 'credential'> {
  const { metadata, spec } = endpoint;
  if (!spec.credential) return {};
  const { namespace = '' } = metadata;
  const secret = { namespace, name: spec.credential.secretRef.name, key: CREDENTIAL_KEY };
  return { credential: { ...credentialHeaderOf(endpoint), secret } };
}

/** The header of an endpoint that carries its credential, and the scheme before the credential if there is one. */
export function credentialHeaderOf({ spec }: ModelEndpoint): { readonly header: string; readonly scheme?: string } {
  const preset = spec.provider && MODEL_PROVIDERS[spec.provider];
  const header = (spec.credential?.header ?? preset?.header ?? 'authorization').toLowerCase();
  const defaultScheme = preset?.header === header ? preset.scheme : header === 'authorization' ? 'Bearer' : undefined;
  const scheme = spec.credential?.scheme ?? defaultScheme;
  return { header, ...(scheme !== undefined && { scheme }) };
}

function inboundRouteOf(service: ModelService, target: RouteTarget, timeouts: Timeouts): InboundRoute {
  const name = namespacedNameOf(service);
  return {
    hostname: routeHostOf(name, target),
    service: name,
    path: servicePathOf(name),
    readyPath: readyPathOf(name),
    tier: target.tier,
    timeouts,
  };
}
