import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMALL, Workspace } from './cli';
import { GOOD, typed } from './fake-api';

// Rows wait for time limits, and send as many bytes as the limits allow.
jest.setTimeout(120_000);

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

interface Row {
  /** How the server responds at a path. It responds well elsewhere. */
  readonly at: RegExp;
  readonly respond: Respond;

  /** What `doctor` prints of it. */
  readonly want: RegExp;

  /** The time limit of a request, in seconds. */
  readonly timeout?: number;
}

const json = (body: unknown): Respond => {
  return (_, response) => void response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
};
const refused = (status: number, message: string): Respond => {
  const body = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message };
  return (_, response) => void response.writeHead(status).end(JSON.stringify(body));
};

/** A list of the type that belongs to its path. */
const list = (body: object): Respond => {
  return (request, response) =>
    json(typed((request.url ?? '').replace(/\?.*$/, ''), { items: [], ...body }))(request, response);
};

/** Sends a text again and again, as long as the client reads. */
const endless = (text: string): Respond => {
  const bytes = Buffer.from(text);
  return (_, response) => {
    const send = (): void => {
      while (!response.destroyed && response.write(bytes));
    };
    response.writeHead(200).on('drain', send);
    send();
  };
};

const nodes = (...items: unknown[]): Respond => list({ items });
const NODES = /^\/api\/v1\/nodes/;
const ALL_LISTS = /limit=/;
const ANY = /./;
const MALFORMED = /item \d of its list is not a Kubernetes object/;
let pages = 0;

const rows: Record<string, Row> = {
  'a list whose pages never end': {
    at: NODES,
    respond: (request, response) => list({ metadata: { continue: `${(pages += 1)}` } })(request, response),
    timeout: 30,
    want: /the nodes could not be listed.*its list has more than 1000 pages/,
  },
  'a list whose page names itself': {
    at: NODES,
    respond: list({ metadata: { continue: 'a' } }),
    want: /its list repeats a page/,
  },
  'a list of very many slow pages': {
    at: NODES,
    respond: (request, response) =>
      void setTimeout(() => list({ metadata: { continue: `${(pages += 1)}` } })(request, response), 20),
    // On a busy machine, a page of a shorter limit comes too late.
    timeout: 0.8,
    want: /its list did not end within 16 s/,
  },
  'a page without an end': {
    at: NODES,
    respond: endless('x'.repeat(65_536)),
    timeout: 30,
    want: /its answer is longer than 64 MiB/,
  },
  'a page that is sent slowly': {
    at: NODES,
    respond: (_, response) => {
      const timer = setInterval(() => response.write(' '), 50);
      response.writeHead(200).on('close', () => clearInterval(timer));
    },
    want: /no answer within 0.5 s/,
  },
  'a connection that ends within a page': {
    at: NODES,
    respond: (_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"items": [');
      setTimeout(() => response.destroy(), 20);
    },
    want: /the nodes could not be listed/,
  },
  'a refusal with a megabyte of message': {
    at: ALL_LISTS,
    respond: refused(403, 'no '.repeat(400_000)),
    want: /no no no no\.\.\./,
  },
  'a version of a megabyte': {
    at: /^\/version/,
    respond: json({ gitVersion: 'v1'.repeat(500_000) }),
    want: /does not report its version/,
  },
  'a refusal without an end that asks for a retry': {
    at: NODES,
    respond: (request, response) => {
      response.setHeader('retry-after', '1');
      response.statusCode = 503;
      endless('x'.repeat(65_536))(request, response);
    },
    want: /the nodes could not be listed/,
  },
  'a page that is nested a million times': {
    at: ALL_LISTS,
    respond: (_, response) => void response.end(`{"items":${'['.repeat(1e6)}${']'.repeat(1e6)}}`),
    want: /the answer is something that is not a Kubernetes object/,
  },
  'items that are null': { at: ALL_LISTS, respond: nodes(null, {}), want: MALFORMED },
  'items without metadata': { at: ALL_LISTS, respond: nodes({}), want: MALFORMED },
  'items that are texts': { at: ALL_LISTS, respond: nodes('a', 7), want: MALFORMED },
  'items without a name': { at: ALL_LISTS, respond: nodes({ metadata: {} }), want: MALFORMED },
  'an item whose name is a megabyte': {
    at: ALL_LISTS,
    respond: nodes({ metadata: { name: 'x'.repeat(1e6) } }),
    want: MALFORMED,
  },
  'items with labels that are no texts': {
    at: ALL_LISTS,
    respond: nodes({ metadata: { name: 'a', labels: { a: {} } } }),
    want: MALFORMED,
  },
  'items that are no list': {
    at: ALL_LISTS,
    respond: list({ items: 'many' }),
    want: /the items of its list are not a list/,
  },
  'null everywhere': { at: ANY, respond: json(null), want: /FAILURE/ },
  'a list everywhere': { at: ANY, respond: json([[]]), want: /FAILURE/ },
};

/** A server that responds badly at some paths. */
async function serve(at: RegExp, respond: Respond): Promise<Server> {
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const good = GOOD[path.split('?')[0] ?? ''];
    response.on('error', () => {});
    if (at.test(path)) respond(request, response);
    else if (good === undefined) refused(404, 'not here')(request, response);
    else
      response
        .writeHead(request.method === 'POST' ? 201 : 200)
        .end(JSON.stringify(typed(path.replace(/\?.*$/, ''), good as object)));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return server;
}

function kubeconfigOf(server: Server): string {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return JSON.stringify({
    clusters: [{ name: 'c', cluster: { server: url } }],
    users: [{ name: 'u', user: { token: 'SECRET' } }],
    contexts: [{ name: 'us', context: { cluster: 'c', user: 'u' } }],
  });
}

/** The commands that ask clusters, and the exit codes that they may have. */
const COMMANDS: Readonly<Record<string, readonly number[]>> = {
  'doctor us ./fleet': [0, 6],
  'status ./fleet': [0, 6],
  'doctor us --write ./us.yaml': [0, 6],
};

type Result = Awaited<ReturnType<Workspace['runLive']>>;

describe.each(Object.entries(rows))('an API server with %s', (_, { at, respond, want, timeout = 0.5 }) => {
  const results = new Map<string, Result>();

  // Together, because most of them wait for a time limit.
  beforeAll(async () => {
    const work = new Workspace().write({ 'fleet/fleet.yaml': SMALL });
    work.run('lock ./fleet');
    const server = await serve(at, respond);
    work.write({ kubeconfig: kubeconfigOf(server) });
    const run = async (command: string) =>
      results.set(command, await work.runLive(`${command} --kubeconfig ./kubeconfig --timeout ${timeout}`));
    await Promise.all(Object.keys(COMMANDS).map(run));
    server.close();
    server.closeAllConnections();
    work.remove();
  });

  test.each(Object.entries(COMMANDS))('%s ends in time, with an exit code and few words', (command, codes) => {
    const { code, out, err } = results.get(command) ?? { code: -1, out: '', err: '' };
    expect(codes).toContain(code);
    expect(`${out}${err}`.length).toBeLessThan(10_000);
    expect(`${out}${err}`).not.toMatch(/SECRET|bug:|\n {4}at /);
    if (command.startsWith('doctor us ./fleet')) expect(out).toMatch(want);
  });
});
