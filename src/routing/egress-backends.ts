import type { ModelEndpoint } from '../api/model-endpoint';
import type { ModelService } from '../api/model-service';
import { MODEL_PROVIDERS } from '../catalog/model-providers';
import { arrivalOf } from './arrival';
import { timeoutsOf } from './doors';
import type { EgressBackend } from './places';
import { namedOf } from './rules';
import type { ExternalTarget } from './select';

/** What egresses do with requests of a service for an endpoint. */
export function egressBackend(service: ModelService, target: ExternalTarget): EgressBackend {
  const { endpoint } = target;
  const { model, timeouts } = endpoint.spec;
  const arrival = arrivalOf(service, target, timeoutsOf(timeouts, service.spec.timeouts));
  return {
    ...arrival,
    endpoint: namedOf(endpoint),
    ...addressOf(endpoint),
    rewrite: rewriteOf(endpoint, arrival.path),
    ...credentialOf(endpoint),
    ...(model && { model: model.as }),
  };
}

/** The base address of an endpoint: its own, or that of its provider. */
export function baseOf({ spec }: ModelEndpoint): URL {
  const url = spec.url ?? (spec.provider && MODEL_PROVIDERS[spec.provider].url);
  if (url === undefined) throw new Error('bug: an endpoint without an address passed its rules');
  return new URL(url);
}

/** An IPv4 or IPv6 address, as `URL` gives it: no name has a colon, or four numbers alone. */
const ADDRESS = /^\d+\.\d+\.\d+\.\d+$|:/;

const PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 };

function addressOf(endpoint: ModelEndpoint): Pick<EgressBackend, 'host' | 'isAddress' | 'port' | 'tls'> {
  const { hostname, port, protocol } = baseOf(endpoint);
  const host = hostname.replace(/^\[|\]$/g, '');
  const ca = endpoint.spec.tls?.caRef.name;
  return {
    host,
    isAddress: ADDRESS.test(host),
    port: port === '' ? (PORTS[protocol] ?? 443) : Number(port),
    ...(protocol === 'https:' && { tls: { serverName: host, ...(ca !== undefined && { ca }) } }),
  };
}

/**
 * The path of an endpoint's address stands for `/v1` of the service, as in the clients of OpenAI; `rewritePath` for
 * all of its path; with neither, what follows the path of the service is the path.
 */
function rewriteOf(endpoint: ModelEndpoint, path: string): EgressBackend['rewrite'] {
  const own = withoutSlash(path);
  const { rewritePath } = endpoint.spec;
  if (rewritePath !== undefined)
    return { from: own, to: withoutSlash(`/${rewritePath.replace(/^\/+/, '')}`) };
  const base = withoutSlash(baseOf(endpoint).pathname);
  return base === '/' ? { from: own, to: '/' } : { from: `${own}/v1`, to: base };
}

function withoutSlash(path: string): string {
  return path.replace(/\/+$/, '') || '/';
}

/** The key that Envoy Gateway reads of a Secret with a credential. */
const CREDENTIAL = 'credential';

function credentialOf({ metadata, spec }: ModelEndpoint): Pick<EgressBackend, 'credential'> {
  if (!spec.credential) return {};
  const preset = spec.provider && MODEL_PROVIDERS[spec.provider];
  const header = (spec.credential.header ?? preset?.header ?? 'authorization').toLowerCase();
  const usual = preset?.header === header ? preset.scheme : header === 'authorization' ? 'Bearer' : undefined;
  const scheme = spec.credential.scheme ?? usual;
  const { namespace = '' } = metadata;
  const secret = { namespace, name: spec.credential.secretRef.name, key: CREDENTIAL };
  return { credential: { header, ...(scheme !== undefined && { scheme }), secret } };
}
