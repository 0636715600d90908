import { Agent as PlainAgent, type IncomingMessage, request as plainRequest } from 'node:http';
import { Agent, request as tlsRequest, type RequestOptions } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { jsonIn } from '../json-in';
import type { Access } from '../live/access';
import { listAt, textAt } from '../live/live-object';
import { askAgainAfter } from './ask-again';
import type { InEnvironment } from './environment';
import { type Credentials, credentialsFor } from './credentials';
import { proxyFor, tunnel } from './tunnel';
import { Unreachable } from './unreachable';

/** What an API server answers. */
export interface Answer {
  readonly status: number;

  readonly text: string;

  /** The text as JSON, or nothing where it is something else. */
  readonly body: unknown;
}

/** At most so many requests are under way at once. */
const MOST_AT_ONCE = 8;

/** Answers beyond this are no answers of an API server to what is asked here. */
const MOST_BYTES = 256 * 2 ** 20;

/** What a connection is made with. */
export interface ApiServerOptions extends InEnvironment {
  /** The time limit of each request, in milliseconds. */
  readonly timeout: number;
}

/** Opens a connection to the API server of a cluster. To be closed. */
export async function openApiServer(access: Access, options: ApiServerOptions): Promise<ApiServer> {
  return new ApiServer(access, await credentialsFor(access, options), options);
}

/** An API server, asked by one user. Only reads, and asks for permissions. */
export class ApiServer {
  readonly #agents = {
    'https:': new Agent({ keepAlive: true, maxSockets: MOST_AT_ONCE }),
    'http:': new PlainAgent({ keepAlive: true, maxSockets: MOST_AT_ONCE }),
  };
  readonly #base: URL;
  readonly #proxy: URL | undefined;

  constructor(
    access: Access,
    private readonly credentials: Credentials,
    private readonly options: ApiServerOptions,
  ) {
    this.#base = new URL(access.server.server);
    this.#proxy = proxyFor(access.server, options.env);
  }

  /** @throws Unreachable when no answer comes in time */
  get(path: string): Promise<Answer> {
    return this.#send('GET', path);
  }

  /** Creates a review: what an API server answers without keeping anything. */
  review(path: string, body: object): Promise<Answer> {
    return this.#send('POST', path, JSON.stringify(body));
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  async #send(method: string, path: string, body?: string): Promise<Answer> {
    try {
      const message = await this.#patiently(() => this.#open(method, path, body));
      const text = await textOf(message);
      return { status: message.statusCode ?? 0, text, body: jsonIn(text) };
    } catch (error) {
      throw error instanceof Unreachable ? error : unreachable(error, this.#base, this.options.timeout);
    }
  }

  /** Asks again for as long as one request may take. */
  async #patiently(ask: () => Promise<IncomingMessage>): Promise<IncomingMessage> {
    let left = this.options.timeout;
    for (;;) {
      const message = await ask();
      const pause = askAgainAfter(message);
      if (pause === undefined || pause > left) return message;
      left -= pause;
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
        ...(body !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        }),
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

  /** By a connection that is kept, or one of its own through the proxy. */
  async #route(): Promise<RequestOptions> {
    const { protocol, hostname, port } = this.#base;
    if (!this.#proxy) return { agent: this.#agents[protocol === 'https:' ? 'https:' : 'http:'] };
    const socket = await tunnel(this.#proxy, `${hostname}:${port || 443}`, this.options.timeout);
    const { tls } = this.credentials;
    return { agent: false, createConnection: () => connect({ servername: hostname, ...tls, socket }) };
  }
}

async function textOf(message: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of message) {
    size += (part as Buffer).length;
    if (size > MOST_BYTES) throw new Error('its answer is too long');
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts).toString('utf8');
}

function unreachable(error: unknown, { host }: URL, timeout: number): Unreachable {
  const late = LATE.has(textAt(error, ['name']));
  const why = late ? `no answer within ${timeout / 1000} s` : wordsOf(error);
  return new Unreachable(`${host} cannot be reached: ${why}`, { cause: error });
}

const LATE: ReadonlySet<string> = new Set(['AbortError', 'TimeoutError']);

/** Where a name has several addresses, the error is of all of them, and has no words of its own. */
function wordsOf(error: unknown): string {
  const [first] = listAt(error, ['errors']);
  return textAt(first ?? error, ['message']) || String(error);
}
