import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { sleep } from './concurrently';
import type { Settings } from './files';

/** An object of the API, with the fields that every kind has. */
export interface KubeObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: Meta;
  readonly spec?: Doc | undefined;
  readonly status?: Doc | undefined;
}

/** The metadata of an object. */
export interface Meta {
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** A part of an object. */
export type Doc = { readonly [key: string]: unknown };

/** What the API server answers. */
export interface Answer<T = KubeObject> {
  readonly status: number;
  readonly body: T;
  readonly warning?: string;
}

/** The kinds of patch, by their media type. */
export const PATCH = {
  merge: 'application/merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

interface Content {
  readonly body?: unknown;
  readonly type?: string;
}

/** How often a server is asked that has no time, as on a machine that is busy with other things. */
const MOST_TRIES = 6;

/** Talks to an API server as its administrator. */
export class Client {
  readonly #agent: Agent;

  constructor(
    private readonly settings: Settings,
    certificate: string,
  ) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: 32, ca: certificate });
  }

  get<T = KubeObject>(path: string): Promise<Answer<T>> {
    return this.send<T>('GET', path);
  }

  post<T = KubeObject>(path: string, body: unknown): Promise<Answer<T>> {
    return this.send<T>('POST', path, { body });
  }

  delete(path: string, options: Doc = {}): Promise<Answer> {
    return this.send('DELETE', path, { body: options });
  }

  patch(path: string, body: unknown, type: string = PATCH.merge): Promise<Answer> {
    return this.send('PATCH', path, { body, type });
  }

  /** Server-side apply, as the one who manages all that is in the object. */
  apply(path: string, body: unknown, query = ''): Promise<Answer> {
    return this.patch(`${path}?fieldManager=fleetwright&force=true${query}`, body, PATCH.apply);
  }

  /**
   * Sends a request. A body that is text goes as it is. A server that has no time is asked again: what it did not
   * answer in time it may have done, so that a second creation can find the object there, which is then the answer.
   */
  async send<T = KubeObject>(method: string, path: string, content: Content = {}): Promise<Answer<T>> {
    let answer = await this.#sendOnce<T>(method, path, content);
    for (let tries = 1; isBusy(answer) && tries < MOST_TRIES; tries++) {
      await sleep(1000 * tries);
      answer = await this.#sendOnce<T>(method, path, content);
      const name = (content.body as KubeObject | undefined)?.metadata?.name;
      if (method === 'POST' && answer.status === 409 && name !== undefined) {
        answer = await this.#sendOnce<T>('GET', `${path.replace(/\?.*/, '')}/${name}`, {});
      }
    }
    return answer;
  }

  async #sendOnce<T>(method: string, path: string, { body, type = 'application/json' }: Content): Promise<Answer<T>> {
    const data = body === undefined ? undefined : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    const message = await this.open(method, path, data && { data, type });
    let text = '';
    message.setEncoding('utf8');
    for await (const part of message) text += part;
    const { warning } = message.headers;
    return {
      status: message.statusCode ?? 0,
      body: parsed(text) as T,
      ...(typeof warning === 'string' && { warning }),
    };
  }

  /** Sends a request, and returns the answer when it begins. */
  open(method: string, path: string, content?: { data: Buffer; type: string }): Promise<IncomingMessage> {
    const { ports, token } = this.settings;
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      // A DELETE with a body and no length would spoil the connection for the next request.
      ...(content && { 'content-type': content.type, 'content-length': content.data.length }),
    };
    return new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port: ports[2], method, path, headers, agent: this.#agent }, resolve);
      sent.on('error', reject).end(content?.data);
    });
  }
}

/** Whether a server, or its etcd, did not come to an answer in time. */
function isBusy({ status, body }: Answer<unknown>): boolean {
  const message = String((body as { message?: unknown } | null)?.message);
  return status === 503 || status === 504 || (status === 500 && /timed? ?out|too many requests/i.test(message));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The object of an answer that must be a success. */
export function ok<T>({ status, body }: Answer<T>, doing: string): T {
  if (status >= 200 && status < 300) return body;
  throw new Error(`${doing}: ${status} ${JSON.stringify(body).slice(0, 1500)}`);
}
