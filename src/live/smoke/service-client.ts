import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { urlToHttpOptions } from 'node:url';
import { redactSecrets } from '../../base/redaction';
import { parseForeignJson, readBody } from '../client/read-body';
import { formatNoResponse, type ServiceClient } from './service-response';

export interface ServiceClientOptions {
  /** The API key. It is never printed. */
  readonly key?: string;

  /** The header that carries the key, and the scheme before it. Default: `authorization`, as a bearer token. */
  readonly credential?: { readonly header: string; readonly scheme?: string };

  /** Further headers of each request. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;

  /** The address to connect to instead of the host of the URL, for example a forwarded port. */
  readonly via?: string;

  /** The time limit of each request, in milliseconds. */
  readonly timeout: number;
}

/** The maximum size of a response, in bytes. Responses to smoke requests are shorter. */
const MAX_RESPONSE_BYTES = 4 * 2 ** 20;

/** Creates a client for paths below a URL. It does not follow redirects, so the key is not sent to another host. */
export function createServiceClient(url: string, options: ServiceClientOptions): ServiceClient {
  return {
    keyShown: options.key !== undefined,
    send: async (path, body) => {
      try {
        const { status, text } = await sendRequest(new URL(path, url), body, options);
        // JSON can contain the key in escaped form.
        const hidden = (_: string, value: unknown): unknown =>
          typeof value === 'string' ? redactKey(value, options) : value;
        return { status, body: parseForeignJson(text, hidden) ?? redactKey(text, options) };
      } catch (error) {
        return { failed: redactKey(formatNoResponse(error, options.timeout), options) };
      }
    },
  };
}

async function sendRequest(
  { protocol, host, hostname, port, pathname, search }: URL,
  body: object | undefined,
  serviceOptions: ServiceClientOptions,
): Promise<{ readonly status: number; readonly text: string }> {
  const { via, timeout, headers = {} } = serviceOptions;
  const data = body && JSON.stringify(body);
  const signal = AbortSignal.timeout(timeout);
  // `urlToHttpOptions` removes the brackets of IPv6 addresses.
  const target = via === undefined ? { protocol, hostname, port } : urlToHttpOptions(new URL(via));
  const request = target.protocol === 'https:' ? tlsRequest : plainRequest;
  const options = {
    protocol: target.protocol,
    hostname: target.hostname,
    port: target.port,
    path: `${pathname}${search}`,
    method: data === undefined ? 'GET' : 'POST',
    // The certificate must match the host name of the URL, also for a connection to `via`.
    servername: hostname,
    headers: {
      host,
      accept: 'application/json',
      ...headers,
      ...keyHeaderOf(serviceOptions),
      ...(data !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(data) }),
    },
    signal,
    agent: false as const,
  };
  return new Promise((resolve, reject) => {
    const sent = request(options, (message) => {
      readBody(message, { maxBytes: MAX_RESPONSE_BYTES, signal }).then(
        (text) => resolve({ status: message.statusCode ?? 0, text }),
        reject,
      );
    });
    sent.on('error', reject).end(data);
  });
}

const BEARER = { header: 'authorization', scheme: 'Bearer' } as const;

function keyHeaderOf({ key, credential = BEARER }: ServiceClientOptions): Record<string, string> {
  if (key === undefined) return {};
  return { [credential.header]: credential.scheme === undefined ? key : `${credential.scheme} ${key}` };
}

/** Hides the key in a response, since a server can echo it. */
function redactKey(text: string, { key }: ServiceClientOptions): string {
  return redactSecrets(text, key === undefined ? [] : [key]);
}
