import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { urlToHttpOptions } from 'node:url';
import { parseForeignJson, readBody } from '../client/read-body';
import { formatNoResponse, type ServiceClient } from './service-response';

export interface ServiceClientOptions {
  /** The API key. It is sent as a bearer token and never printed. */
  readonly key?: string;

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
  { protocol, host, hostname, port, pathname }: URL,
  body: object | undefined,
  { key, via, timeout }: ServiceClientOptions,
): Promise<{ readonly status: number; readonly text: string }> {
  const data = body && JSON.stringify(body);
  const signal = AbortSignal.timeout(timeout);
  // `urlToHttpOptions` removes the brackets of IPv6 addresses.
  const target = via === undefined ? { protocol, hostname, port } : urlToHttpOptions(new URL(via));
  const request = target.protocol === 'https:' ? tlsRequest : plainRequest;
  const options = {
    protocol: target.protocol,
    hostname: target.hostname,
    port: target.port,
    path: pathname,
    method: data === undefined ? 'GET' : 'POST',
    // The certificate must match the host name of the URL, also for a connection to `via`.
    servername: hostname,
    headers: {
      host,
      accept: 'application/json',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
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

/** Hides the key in a response, since a server can echo it. */
function redactKey(text: string, { key }: ServiceClientOptions): string {
  return key === undefined ? text : text.replaceAll(key, '***');
}
