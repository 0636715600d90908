import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent, type RequestOptions, request as tlsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { listAt, textAt } from '../../base/json';
import type { ClusterAccess } from './cluster-access';
import { type Credentials, loadCredentials } from './credentials';
import type { EnvironmentOptions } from './kubeconfig';
import { findProxy, openTunnel } from './proxy';
import { formatMebibytes, parseForeignJson, readBody } from './read-body';
import { UnreachableError } from './unreachable-error';

export interface ApiResponse {
  readonly status: number;

  readonly text: string;

  /** The text parsed as JSON, or undefined where it is not JSON. */
  readonly body: unknown;
}

const MAX_SOCKETS = 8;

/** The maximum size of a response, in bytes. A page of the largest objects is shorter. */
const MAX_RESPONSE_BYTES = 64 * 2 ** 20;

/** The maximum size of all responses of a cluster, in bytes: what is read of a cluster is in memory at once. */
const MAX_TOTAL_BYTES = 512 * 2 ** 20;

interface ApiRequest {
  readonly method: string;
  readonly path: string;

  /** The end of its time, retries and body included. */
  readonly signal: AbortSignal;
}

export interface ApiClientOptions extends EnvironmentOptions {
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
  #remainingBytes = MAX_TOTAL_BYTES;

  constructor(
    access: ClusterAccess,
    private readonly credentials: Credentials,
    private readonly options: ApiClientOptions,
  ) {
    this.#base = new URL(access.server.server);
    this.#proxy = findProxy(access.server, options.env);
  }

  /** The time limit of each request, in milliseconds. */
  get timeout(): number {
    return this.options.timeout;
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
      const signal = AbortSignal.timeout(this.options.timeout);
      const message = await this.#sendWithRetries(() => this.#open({ method, path, signal }, body));
      const text = await readBody(message, { maxBytes: MAX_RESPONSE_BYTES, signal });
      this.#remainingBytes -= text.length;
      if (this.#remainingBytes < 0) throw new Error(`it sends more than ${formatMebibytes(MAX_TOTAL_BYTES)} in total`);
      return { status: message.statusCode ?? 0, text, body: parseForeignJson(text) };
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
      // The body can be endless, so the connection is not used again.
      message.on('error', () => {}).destroy();
      await sleep(pause);
    }
  }

  async #open({ method, path, signal }: ApiRequest, body?: string): Promise<IncomingMessage> {
    const { headers, tls } = this.credentials;
    const { protocol } = this.#base;
    const options: RequestOptions = {
      method,
      headers: {
        ...headers,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      },
      signal,
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
