import { textAt } from '../../base/json';

/** What a service answered: JSON, or a text where it is none. */
export interface ServiceResponse {
  readonly status: number;
  readonly body: unknown;
}

/** What came of a request: an answer, or why there is none, as a clause. */
export type ServiceReply = ServiceResponse | { readonly failed: string };

/** The way to ask a service. */
export interface ServiceClient {
  /** Sends a request to a path below its URL. */
  readonly send: (path: string, body?: object) => Promise<ServiceReply>;

  /** Whether requests show a key. */
  readonly keyShown: boolean;
}

/** What gateways and engines mean by codes that have one cause more often than not. */
const CAUSE_BY_STATUS: Readonly<Record<number, string>> = {
  403: 'the key is not for this service',
  404: 'no route or no such model',
  429: 'a rate limit',
  500: 'an engine fails, or a part of its route is missing: see fleetwright status',
  503: 'no replica serves',
  504: 'no answer in the time that the gateway allows',
};

/** What a key has to do with 401, whether one was shown or not. */
const KEY_REJECTED = 'it does not take the key';
const KEY_MISSING = 'it asks for a key: name the variable that holds one with --key-env';

/** Says what a refusal at a path comes to, as a clause: in the words of who refuses, and what they mean. */
export function formatRefusal(path: string, { status, body }: ServiceResponse, keyShown: boolean): string {
  const refused = `${path} answers ${status}`;
  const message = shorten(messageOf(body));
  if (message !== '') return `${refused}: ${message}`;
  const text = shorten(plainTextOf(body));
  const cause = status === 401 ? (keyShown ? KEY_REJECTED : KEY_MISSING) : CAUSE_BY_STATUS[status];
  return [refused, text && ` (${text})`, cause && `: ${cause}`].join('');
}

/** Whether a request is refused in words that name a field of it. */
export function isRefusedForField({ status, body }: ServiceResponse, field: string): boolean {
  return status === 400 && messageOf(body).includes(field);
}

/** Where engines and providers say what is wrong. */
const MESSAGE_PATHS = [['error', 'message'], ['message'], ['detail'], ['error']] as const;

function messageOf(body: unknown): string {
  return MESSAGE_PATHS.map((path) => textAt(body, path)).find((text) => text !== '') ?? '';
}

/** What is no JSON, as gateways say it; nothing of a page for people. */
function plainTextOf(body: unknown): string {
  return typeof body === 'string' && !body.trimStart().startsWith('<') ? body : '';
}

/** More of what a service says is cut. */
const MAX_MESSAGE_LENGTH = 200;

function shorten(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_MESSAGE_LENGTH).replace(/\.$/, '');
}

/** Why there is no answer, as a clause: by what Node throws of a request, and its time limit in milliseconds. */
export function formatNoResponse(error: unknown, timeout: number): string {
  const message = textAt(error, ['message']) || String(error);
  if (TIMEOUT_ERRORS.has(textAt(error, ['name']))) return `no answer within ${timeout / 1000} s`;
  if (UNTRUSTED_CERTIFICATE_CODES.has(textAt(error, ['code']))) {
    return `its certificate is not trusted here (${message}): name the file of its authority with NODE_EXTRA_CA_CERTS`;
  }
  const host = textAt(error, ['hostname']);
  if (host.endsWith(CLUSTER_DOMAIN)) {
    return `${host} is a name within its cluster: forward a port of it, and name that with --via`;
  }
  return `it cannot be reached: ${message}`;
}

/** What names of Services end in. A failure has the host where that was not found. */
const CLUSTER_DOMAIN = '.svc.cluster.local';

const TIMEOUT_ERRORS: ReadonlySet<string> = new Set(['AbortError', 'TimeoutError']);

/** What is wrong with certificates whose authority nobody knows. */
const UNTRUSTED_CERTIFICATE_CODES: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
