import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent, type RequestOptions, request as tlsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { listAt, textAt, tryParseJson } from '../../base/json';
import { redactSecrets } from '../../base/redaction';
import type { ClusterAccess } from './cluster-access';
import { type Credentials, loadCredentials } from './credentials';
import type { CredentialOptions } from './kubeconfig';
import { findProxy, openTunnel } from './proxy';
import { UnreachableError } from './unreachable-error';

export interface ApiResponse {
  readonly status: number;

  readonly text: string;

  /** The text parsed as JSON, or undefined where it is not JSON. */
  readonly body: unknown;
}

const MAX_SOCKETS = 8;

/** The maximum size of a response, in bytes. Longer responses do not come from an API server. */
const MAX_RESPONSE_BYTES = 256 * 2 ** 20;

export interface ApiClientOptions extends CredentialOptions {
  /** The time limit of each request, in milliseconds. */
  readonly timeout: number;
}

/** Opens a connection to the API server of a cluster. The caller closes it. */
export async function openApiClient(access: ClusterAccess, options: ApiClientOptions): Promise<ApiClient> {
  return new ApiClient(access, await loadCredentials(access, options), options);
}

/** A client of an API server for one user. It only reads objects and creates access reviews. */
export class ApiClient {
  readonly #agents = {
    'https:': new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS }),
    'http:': new PlainAgent({ keepAlive: true, maxSockets: MAX_SOCKETS }),
  };
  readonly #base: URL;
  readonly #proxy: URL | undefined;

  constructor(
    access: ClusterAccess,
    private readonly credentials: Credentials,
    private readonly options: ApiClientOptions,
  ) {
    this.#base = new URL(access.server.server);
    this.#proxy = findProxy(access.server, options.env);
  }

  /** @throws UnreachableError when no answer comes in time */
  get(path: string): Promise<ApiResponse> {
    return this.#send('GET', path);
  }

  /** Creates a review, which the API server answers without storing an object. */
  review(path: string, body: object): Promise<ApiResponse> {
    return this.#send('POST', path, JSON.stringify(body));
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  async #send(method: string, path: string, body?: string): Promise<ApiResponse> {
    try {
      const message = await this.#sendWithRetries(() => this.#open(method, path, body));
      // A server or a proxy can echo what it receives.
      const text = redactSecrets(await readBody(message), this.credentials.secrets);
      return { status: message.statusCode ?? 0, text, body: tryParseJson(text) };
    } catch (error) {
      throw error instanceof UnreachableError ? error : toUnreachableError(error, this.#base, this.options.timeout);
    }
  }

  /** Repeats a request while the server asks for a retry, within the time limit of one request. */
  async #sendWithRetries(send: () => Promise<IncomingMessage>): Promise<IncomingMessage> {
    let remaining = this.options.timeout;
    for (;;) {
      const message = await send();
      const pause = parseRetryAfter(message);
      if (pause === undefined || pause > remaining) return message;
      remaining -= pause;
      message.resume();
      await sleep(pause);
    }
  }

  async #open(method: string, path: string, body?: string): Promise<IncomingMessage> {
    const { headers, tls } = this.credentials;
    const { protocol } = this.#base;
    const options: RequestOptions = {
      method,
      headers: {
        ...headers,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      },
      signal: AbortSignal.timeout(this.options.timeout),
      ...(protocol === 'https:' && tls),
      ...(await this.#route()),
    };
    const url = new URL(this.#base.pathname.replace(/\/$/, '') + path, this.#base);
    const request = protocol === 'https:' ? tlsRequest : plainRequest;
    return new Promise((resolve, reject) => {
      request(url, options, resolve).on('error', reject).end(body);
    });
  }

  /** The connection of a request: a kept-alive connection, or a new tunnel through the proxy. */
  async #route(): Promise<RequestOptions> {
    const { protocol, hostname, port } = this.#base;
    if (!this.#proxy) return { agent: this.#agents[protocol === 'https:' ? 'https:' : 'http:'] };
    const socket = await openTunnel(this.#proxy, `${hostname}:${port || 443}`, this.options.timeout);
    const { tls } = this.credentials;
    return { agent: false, createConnection: () => connect({ servername: hostname, ...tls, socket }) };
  }
}

async function readBody(message: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of message) {
    size += (part as Buffer).length;
    if (size > MAX_RESPONSE_BYTES) throw new Error('its answer is too long');
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts).toString('utf8');
}

function toUnreachableError(error: unknown, { host }: URL, timeout: number): UnreachableError {
  const late = TIMEOUT_ERRORS.has(textAt(error, ['name']));
  const why = late ? `no answer within ${timeout / 1000} s` : errorMessageOf(error);
  return new UnreachableError(`${host} cannot be reached: ${why}`, { cause: error });
}

const TIMEOUT_ERRORS: ReadonlySet<string> = new Set(['AbortError', 'TimeoutError']);

/** The message of an error. If a host has several addresses, Node wraps their errors in an error without a message. */
function errorMessageOf(error: unknown): string {
  const [first] = listAt(error, ['errors']);
  return textAt(first ?? error, ['message']) || String(error);
}

/** Calls a function with a connection to an API server. Returns the error if the server does not answer. */
export async function withApiClient<T>(
  access: ClusterAccess,
  options: ApiClientOptions,
  ask: (api: ApiClient) => Promise<T>,
): Promise<T | UnreachableError> {
  try {
    const api = await openApiClient(access, options);
    try {
      return await ask(api);
    } finally {
      api.close();
    }
  } catch (error) {
    if (error instanceof UnreachableError) return error;
    throw error;
  }
}

/** The pause in milliseconds that a server asks for with `Retry-After`: then it did not process the request. */
function parseRetryAfter({ statusCode = 0, headers }: IncomingMessage): number | undefined {
  const after = headers['retry-after'];
  if ((statusCode !== 429 && statusCode < 500) || !after || !/^\d{1,4}$/.test(after)) return undefined;
  return Math.max(1, Number(after)) * 1000;
}
