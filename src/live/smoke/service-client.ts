import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { urlToHttpOptions } from 'node:url';
import { tryParseJson } from '../../base/json';
import { formatNoResponse, type ServiceClient } from './service-response';

/** How services are asked. */
export interface ServiceClientOptions {
  /** Shown as a bearer token, and never told. */
  readonly key?: string;

  /** Where to connect instead of to the host of a URL: for a port that is forwarded. */
  readonly via?: string;

  /** The time limit of each request, in milliseconds. */
  readonly timeout: number;
}

/** Answers of gateways and engines to what is asked here are shorter. */
const MAX_RESPONSE_BYTES = 4 * 2 ** 20;

/** Asks below a URL. Redirects are not followed: they would take the key elsewhere. */
export function createServiceClient(url: string, options: ServiceClientOptions): ServiceClient {
  return {
    keyShown: options.key !== undefined,
    send: async (path, body) => {
      try {
        const { status, text } = await sendRequest(new URL(path, url), body, options);
        // Within JSON a key may be written with escapes.
        const hidden = (_: string, value: unknown): unknown =>
          typeof value === 'string' ? redactKey(value, options) : value;
        return { status, body: tryParseJson(text, hidden) ?? redactKey(text, options) };
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
  // Without the brackets of IPv6.
  const there = via === undefined ? { protocol, hostname, port } : urlToHttpOptions(new URL(via));
  const request = there.protocol === 'https:' ? tlsRequest : plainRequest;
  const options = {
    protocol: there.protocol,
    hostname: there.hostname,
    port: there.port,
    path: pathname,
    method: data === undefined ? 'GET' : 'POST',
    // The certificate is that of the name, wherever the connection goes.
    servername: hostname,
    headers: {
      host,
      accept: 'application/json',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(data !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(data),
      }),
    },
    signal: AbortSignal.timeout(timeout),
    agent: false as const,
  };
  return new Promise((resolve, reject) => {
    const sent = request(options, (message) => {
      readBody(message).then((text) => resolve({ status: message.statusCode ?? 0, text }), reject);
    });
    sent.on('error', reject).end(data);
  });
}

async function readBody(message: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of message.setEncoding('utf8')) {
    text += String(part);
    if (text.length > MAX_RESPONSE_BYTES) throw new Error('its answer is too long');
  }
  return text;
}

/** A server may say back what it was shown. */
function redactKey(text: string, { key }: ServiceClientOptions): string {
  return key === undefined ? text : text.replaceAll(key, '***');
}
