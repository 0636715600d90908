import { Agent, request } from 'node:https';
import type { IncomingHttpHeaders } from 'node:http';

/** A request to a gateway. */
export interface Question {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;

  /** Sent as it is. A list is sent in chunks without a length. */
  readonly body?: string | readonly string[];
}

/** What came of a request. */
export interface Answer {
  /** Undefined: none, the connection failed. */
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;

  /** The engine that answered, where one did. */
  readonly engine: string | undefined;

  /** When it was asked, and when the answer was whole, in milliseconds since the start of the process. */
  readonly asked: number;
  readonly answered: number;

  /** When each part of the answer came. */
  readonly parts: readonly number[];

  /** Why there is no whole answer. */
  readonly error?: string;
}

/** Where to ask, and as whom. */
export interface Door {
  readonly host: string;
  readonly port: number;
  readonly ca: string;

  /** The certificate that the caller shows. */
  readonly client?: { readonly cert: string; readonly key: string };
}

/** Asks at a gateway, over connections that are kept. */
export type Ask = (question: Question) => Promise<Answer>;

/** Asks at one door from this thread. @param now as {@link Answer.asked} counts */
export function askHere({ host, port, ca, client }: Door, now: () => number): Ask {
  const agent = new Agent({ keepAlive: true, maxSockets: 4096, ca, ...client, servername: host });
  return (question) => ask(question, { agent, host, port, now });
}

interface Caller extends Pick<Door, 'host' | 'port'> {
  readonly agent: Agent;
  readonly now: () => number;
}

function ask(question: Question, { agent, host, port, now }: Caller): Promise<Answer> {
  const { path, body, method = body === undefined ? 'GET' : 'POST', headers = {} } = question;
  const asked = now();
  const parts: number[] = [];
  let text = '';
  return new Promise((resolve) => {
    const end = (answer: Partial<Answer>): void =>
      resolve({
        status: undefined,
        headers: {},
        engine: undefined,
        asked,
        answered: now(),
        parts,
        body: text,
        ...answer,
      });
    const length = typeof body === 'string' ? { 'content-length': String(Buffer.byteLength(body)) } : {};
    const all = {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...length,
      ...headers,
    };
    const outgoing = request({ agent, host, port, path, method, headers: all }, (response) => {
      const { statusCode, headers } = response;
      const engine = headers['x-engine'];
      const known = { status: statusCode, headers, engine: typeof engine === 'string' ? engine : undefined };
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        parts.push(now());
        text += part;
      });
      response.on('end', () => end(response.complete ? known : { ...known, error: 'cut short' }));
      response.on('error', (error) => end({ ...known, error: error.message }));
    });
    outgoing.on('error', (error) => end({ error: error.message }));
    for (const part of typeof body === 'string' ? [body] : (body ?? [])) outgoing.write(part);
    outgoing.end();
  });
}
