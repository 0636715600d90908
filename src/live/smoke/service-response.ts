import { textAt } from '../../base/json';

/** A response of a service. The body is parsed JSON, or text where it is not JSON. */
export interface ServiceResponse {
  readonly status: number;
  readonly body: unknown;
}

/** The result of a request: a response, or a clause that says why there is none. */
export type ServiceReply = ServiceResponse | { readonly failed: string };

/** A client of a service. */
export interface ServiceClient {
  /** Sends a request to a path below its URL. */
  readonly send: (path: string, body?: object) => Promise<ServiceReply>;

  /** Whether requests contain an API key. */
  readonly keyShown: boolean;
}

/** The usual cause of status codes of gateways and engines. */
const CAUSE_BY_STATUS: Readonly<Record<number, string>> = {
  403: 'the key is not for this service',
  404: 'no route, or unknown model',
  429: 'a rate limit',
  500: 'an engine fails, or a part of its route is missing: run fleetwright status DIR',
  503: 'no replica serves',
  504: 'no answer within the time limit of the gateway',
};

/** Messages for status 401, with and without a key in the request. */
const KEY_REJECTED = 'it rejects the key';
const KEY_MISSING = 'it requires a key: set --key-env to the environment variable with the key';

/** Describes a refused request as a clause: with the message of the server, else the usual cause of the status. */
export function formatRefusal(path: string, { status, body }: ServiceResponse, keyShown: boolean): string {
  const refused = `${path} answers ${status}`;
  const message = shorten(messageOf(body));
  if (message !== '') return `${refused}: ${message}`;
  const text = shorten(plainTextOf(body));
  const cause = status === 401 ? (keyShown ? KEY_REJECTED : KEY_MISSING) : CAUSE_BY_STATUS[status];
  return [refused, text && ` (${text})`, cause && `: ${cause}`].join('');
}

/** Whether a request is refused with a message that names a field. */
export function isRefusedForField({ status, body }: ServiceResponse, field: string): boolean {
  return status === 400 && messageOf(body).includes(field);
}

/** The paths of error messages in responses of engines and providers. */
const MESSAGE_PATHS = [['error', 'message'], ['message'], ['detail'], ['error']] as const;

function messageOf(body: unknown): string {
  return MESSAGE_PATHS.map((path) => textAt(body, path)).find((text) => text !== '') ?? '';
}

/** The text of a response of a gateway that is not JSON. Empty for HTML pages. */
function plainTextOf(body: unknown): string {
  return typeof body === 'string' && !body.trimStart().startsWith('<') ? body : '';
}

const MAX_MESSAGE_LENGTH = 200;

function shorten(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_MESSAGE_LENGTH).replace(/\.$/, '');
}

/**
 * Describes as a clause why a request has no response.
 *
 * @param error what Node throws for the request
 * @param timeout the time limit in milliseconds
 */
export function formatNoResponse(error: unknown, timeout: number): string {
  const message = textAt(error, ['message']) || String(error);
  if (TIMEOUT_ERRORS.has(textAt(error, ['name']))) return `no answer within ${timeout / 1000} s`;
  if (UNTRUSTED_CERTIFICATE_CODES.has(textAt(error, ['code']))) {
    return `its certificate is not trusted (${message}): set NODE_EXTRA_CA_CERTS to the file of its authority`;
  }
  const host = textAt(error, ['hostname']);
  if (host.endsWith(CLUSTER_DOMAIN)) {
    return `${host} is a name within its cluster: forward a port to it, and set --via to the forwarded address`;
  }
  if (textAt(error, ['code']) === 'ENOTFOUND' && host !== '') {
    return `${host} has no DNS record: create it, as 'fleetwright plan DIR --all' lists it, or set --via to the address of the gateway`;
  }
  return `it cannot be reached: ${message}`;
}

/** The suffix of Service names. DNS errors contain the host that was not found. */
const CLUSTER_DOMAIN = '.svc.cluster.local';

const TIMEOUT_ERRORS: ReadonlySet<string> = new Set(['AbortError', 'TimeoutError']);

/** Error codes for certificates of unknown authorities. */
const UNTRUSTED_CERTIFICATE_CODES: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
