import type { IncomingMessage, ServerResponse } from 'node:http';
import { mutateTree } from './mutate/trees';
import { HOSTILE_VALUES } from './mutate/values';
import type { Random } from './random';

/** One request to a hostile server. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;

  /** What an honest server would answer. Undefined: it has no such object. */
  readonly good: object | undefined;
  readonly random: Random;
}

/** How a hostile server answers. What it leaves open is closed when the run ends. */
export interface ServerCase {
  readonly name: string;
  readonly answer: (exchange: Exchange) => void;
}

const HTML = '<!doctype html><html><title>Sign in</title><body>Welcome to the guest network</body></html>';

function send({ response }: Exchange, status: number, body: unknown, headers: Record<string, string> = {}): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, {
    'content-type': typeof body === 'string' ? 'text/html' : 'application/json',
    ...headers,
  });
  response.end(text);
}

export function sendGood(exchange: Exchange): void {
  if (exchange.good === undefined) send(exchange, 404, { kind: 'Status', message: 'not found', code: 404 });
  else send(exchange, exchange.request.method === 'POST' ? 201 : 200, exchange.good);
}

function code(status: number, headers: Record<string, string> = {}): ServerCase {
  const answer = (exchange: Exchange): void =>
    send(exchange, status, { kind: 'Status', message: `it answers ${status}`, code: status }, headers);
  return { name: `code ${status}`, answer };
}

function body(name: string, value: unknown): ServerCase {
  return { name, answer: (exchange) => send(exchange, 200, value) };
}

/** Writes until the client goes. */
function flood({ response }: Exchange, part: string, pause = 0): void {
  const next = (): void => {
    if (response.destroyed) return;
    if (pause > 0) setTimeout(next, pause).unref();
    else if (response.write(part)) setImmediate(next);
    else response.once('drain', next);
    if (pause > 0) response.write(part);
  };
  next();
}

const WRONG_CODES: readonly ServerCase[] = [
  ...[204, 206, 400, 401, 403, 404, 406, 409, 410, 500, 501, 599].map((status) => code(status)),
  code(302, { location: 'http://127.0.0.1:1/elsewhere' }),
  code(307, { location: '/' }),
  code(308, { location: `file:///etc/passwd` }),
  code(429, { 'retry-after': '9999' }),
  code(429, { 'retry-after': '0' }),
  code(503, { 'retry-after': '1' }),
];

const WRONG_BODIES: readonly ServerCase[] = [
  body('a page in HTML', HTML),
  body('nothing', ''),
  body('JSON that is cut off', '{"kind":"List","items":[{"metadata":{"name":"a"'),
  body('nested JSON', '['.repeat(200_000)),
  body('null', null),
  body('a list', []),
  body('a text', '"text"'),
  body('no items', { items: null }),
  body('items that are an object', { items: {} }),
  body('odd items', { items: [null, {}, 1, 'x', [], { metadata: null }, { metadata: { name: 7 } }] }),
  body('items of another kind', { kind: 'SecretList', items: [{ kind: 'Secret', metadata: { name: 'a' } }] }),
  body('hostile items', {
    items: HOSTILE_VALUES.map((value) => ({ metadata: { name: value, labels: value }, spec: value })),
  }),
  body('a message of a megabyte', { kind: 'Status', message: 'm'.repeat(2 ** 20) }),
  {
    name: 'an error of a megabyte',
    answer: (exchange) => send(exchange, 500, { kind: 'Status', message: `${'long '.repeat(2 ** 18)}` }),
  },
  {
    name: 'an error with hostile text',
    answer: (exchange) =>
      send(exchange, 403, { kind: 'Status', message: '\u001B[2J\u202E@admin\n::error::x\n<script>alert(1)</script>' }),
  },
  {
    name: 'an echo of what it was shown',
    answer: (exchange) => {
      const { authorization = '' } = exchange.request.headers;
      send(exchange, 401, { kind: 'Status', message: `not allowed: ${authorization} ${authorization.slice(7)}` });
    },
  },
  {
    name: 'an echo in base64',
    answer: (exchange) => {
      const { authorization = '' } = exchange.request.headers;
      send(exchange, 500, Buffer.from(authorization.slice(7)).toString('base64'));
    },
  },
  {
    name: 'an honest answer with one change',
    answer: (exchange) => {
      if (exchange.good === undefined) sendGood(exchange);
      else send(exchange, 200, mutateTree(exchange.good, exchange.random).root ?? null);
    },
  },
  {
    name: 'an honest answer with five changes',
    answer: (exchange) => {
      let changed: unknown = exchange.good ?? {};
      for (let i = 0; i < 5; i++) changed = mutateTree(changed, exchange.random).root;
      send(exchange, 200, changed ?? null);
    },
  },
];

const ENDLESS: readonly ServerCase[] = [
  {
    name: 'endless pages',
    answer: (exchange) =>
      send(exchange, 200, { metadata: { continue: `${exchange.random.below(1e9)}-${performance.now()}` }, items: [] }),
  },
  {
    name: 'a page that leads to itself',
    answer: (exchange) => send(exchange, 200, { metadata: { continue: 'a' }, items: [] }),
  },
  {
    name: 'an endless body',
    answer: (exchange) => {
      exchange.response.writeHead(200, { 'content-type': 'application/json' });
      flood(exchange, 'x'.repeat(2 ** 16));
    },
  },
  {
    name: 'a byte now and then',
    answer: (exchange) => {
      exchange.response.writeHead(200, { 'content-type': 'application/json' });
      flood(exchange, ' ', 100);
    },
  },
  { name: 'no answer', answer: () => undefined },
];

/** What no HTTP server says. */
function raw(name: string, text: string, pause?: string): ServerCase {
  const answer = ({ response: { socket } }: Exchange): void => {
    if (pause === undefined) socket?.end(text, 'latin1');
    else {
      socket?.write(text, 'latin1');
      const timer = setInterval(() => {
        if (socket?.destroyed ?? true) clearInterval(timer);
        else socket?.write(pause);
      }, 50).unref();
    }
  };
  return { name, answer };
}

const NOT_HTTP: readonly ServerCase[] = [
  { name: 'a connection that breaks', answer: ({ request }) => void request.socket.destroy() },
  raw('a body shorter than its length', 'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"items":'),
  raw('a length that is none', 'HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n{}'),
  raw('no HTTP', 'SSH-2.0-OpenSSH_9.9\r\n'),
  raw('headers without end', 'HTTP/1.1 200 OK\r\n', 'X-More: 1\r\n'),
  raw('a header of 100 kB', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n{}`),
  raw('answers before the answer', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(5000)),
  raw('a broken encoding', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}'),
  raw('compressed noise', 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\x1F\x8B\xFF\xFF'),
  raw('invalid UTF-8', 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"\xFF\xFE"'),
];

/** All that a server could do to whoever asks it. */
export const SERVER_CASES: readonly ServerCase[] = [...WRONG_CODES, ...WRONG_BODIES, ...ENDLESS, ...NOT_HTTP];
