import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { mapConcurrently } from '../../src/base/concurrency';
import { openApiClient } from '../../src/live/client/api-client';
import type { ClusterAccess } from '../../src/live/client/cluster-access';
import { listObjects } from '../../src/live/client/list-objects';
import { findProxy, openTunnel } from '../../src/live/client/proxy';
import { reviewPermissions } from '../../src/live/doctor/examine-cluster';
import { FakeApi } from './fake-api';

let open: { stop: () => void }[] = [];
afterEach(() => {
  for (const one of open) one.stop();
  open = [];
});

function access(server: string, user: object = {}): ClusterAccess {
  return { context: 'x', server: { server }, user };
}

test('a list is read page by page, and its items are reported what they are', async () => {
  const api = await FakeApi.start({});
  open.push(api);
  const pages = ['/api/v1/nodes?limit=500', '/api/v1/nodes?limit=500&continue=a%2Fb'];
  api.answer = (path) => ({
    metadata: path === pages[0] ? { continue: 'a/b' } : {},
    items: [{ metadata: { name: path } }],
  });
  const server = await openApiClient(access(api.url), { timeout: 5000, env: {} });
  const listing = await listObjects(server, { path: '/api/v1/nodes', apiVersion: 'v1', kind: 'Node' });
  server.close();
  expect(listing).toEqual({
    objects: pages.map((name) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name } })),
  });
});

const busy: Record<string, { status: number; retryAfter?: string; want: number[] }> = {
  'that says when to ask again is asked again': { status: 429, retryAfter: '1', want: [429, 200] },
  'that is not ready and says when it is, too': { status: 503, retryAfter: '1', want: [503, 200] },
  'that says now is not asked at once': { status: 429, retryAfter: '0', want: [429, 200] },
  'that does not say when is believed': { status: 429, want: [429] },
  'that says so beyond the time limit is believed': { status: 429, retryAfter: '3', want: [429] },
  'that refuses is believed, whatever it says': { status: 403, retryAfter: '1', want: [403] },
};

test.each(Object.entries(busy))('an API server %s', async (_, { status, retryAfter, want }) => {
  const api = await FakeApi.start({});
  open.push(api);
  if (retryAfter !== undefined) api.headers = { 'retry-after': retryAfter };
  const answered: number[] = [];
  api.answer = () => {
    answered.push(answered.length === 0 ? status : 200);
    return answered.length === 1 ? status : {};
  };
  const server = await openApiClient(access(api.url), { timeout: 2000, env: {} });
  const start = performance.now();
  expect((await server.get('/version')).status).toBe(want.at(-1));
  expect(performance.now() - start).toBeGreaterThan(900 * (want.length - 1));
  expect(answered).toEqual(want);
  server.close();
});

test('a page of a proxy is an answer without an object', async () => {
  const proxy = createServer((socket) => {
    socket.on('data', () => socket.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 6\r\n\r\n<html>'));
  });
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
  open.push({ stop: () => void proxy.close() });
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const server = await openApiClient(access(url), { timeout: 5000, env: {} });
  expect(await server.get('/version')).toEqual({ status: 502, text: '<html>', body: undefined });
  server.close();
});

const RIGHT = { verb: 'create', group: 'apps', resource: 'deployments' } as const;

const rights: Record<string, { granted: string[]; namespaces?: string[]; want: object }> = {
  'granted everywhere': { granted: [''], namespaces: ['a', 'b'], want: {} },
  'granted in each namespace': { granted: ['a', 'b'], namespaces: ['a', 'b'], want: {} },
  'denied in one namespace': { granted: ['a'], namespaces: ['a', 'b'], want: { denied: ['b'] } },
  'denied for what is in no namespace': { granted: [], want: { denied: [] } },
};

test.each(Object.entries(rights))('a permission that is %s', async (_, { granted, namespaces, want }) => {
  const api = await FakeApi.start({});
  open.push(api);
  api.answer = (_path, body) => {
    const { spec } = JSON.parse(body) as { spec: { resourceAttributes: { namespace?: string } } };
    return { status: { allowed: granted.includes(spec.resourceAttributes.namespace ?? '') } };
  };
  const server = await openApiClient(access(api.url), { timeout: 5000, env: {} });
  const right = { ...RIGHT, ...(namespaces && { namespaces }) };
  expect(await reviewPermissions(server, [right])).toEqual([{ right, answer: want }]);
  server.close();
});

const proxies: Record<string, { server?: object; env?: Record<string, string>; want: string | undefined }> = {
  'none is named': { want: undefined },
  'the one of the kubeconfig wins': {
    server: { 'proxy-url': 'http://own:3128' },
    env: { HTTPS_PROXY: 'http://general' },
    want: 'http://own:3128/',
  },
  'the one of the environment': { env: { HTTPS_PROXY: 'http://general' }, want: 'http://general/' },
  'small letters do too': { env: { https_proxy: 'http://general' }, want: 'http://general/' },
  'a host that is spared': {
    env: { HTTPS_PROXY: 'http://general', NO_PROXY: 'other, .example.com' },
    want: undefined,
  },
  'a host that ends alike is another': {
    env: { HTTPS_PROXY: 'http://general', NO_PROXY: 'ple.com' },
    want: 'http://general/',
  },
  'all hosts are spared': { env: { HTTPS_PROXY: 'http://general', NO_PROXY: '*' }, want: undefined },
  'a server without TLS needs none': {
    server: { server: 'http://127.0.0.1:8001' },
    env: { HTTPS_PROXY: 'http://general' },
    want: undefined,
  },
};

test.each(Object.entries(proxies))('a proxy: %s', (_, { server = {}, env = {}, want }) => {
  expect(findProxy({ server: 'https://api.example.com:6443', ...server }, env)?.href).toBe(want);
});

test('a proxy that is none of HTTP is refused without telling it', () => {
  expect(throughSocks).toThrow('only http:// and https:// proxies are');
  expect(throughSocks).not.toThrow('SECRET');
});

function throughSocks(): unknown {
  return findProxy({ server: 'https://a', 'proxy-url': 'socks5://me:SECRET@b' }, {});
}

/** A proxy that opens tunnels to a server, or answers something else. */
async function proxy(status: number, target: number): Promise<{ url: URL; heads: string[] }> {
  const heads: string[] = [];
  const server: Server = createServer((socket) => {
    socket.once('data', (data: Buffer) => {
      heads.push(data.toString());
      socket.write(`HTTP/1.1 ${status} X\r\n\r\n`);
      if (status !== 200) return socket.end();
      const through = connect(target, '127.0.0.1');
      socket.pipe(through).pipe(socket);
      return socket.on('close', () => through.destroy());
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  open.push({ stop: () => void server.close() });
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`http://me:pass%20word@127.0.0.1:${port}`), heads };
}

test('a tunnel leads through the proxy, with the name and password of its URL', async () => {
  const api = await FakeApi.start({});
  open.push(api);
  const { url, heads } = await proxy(200, Number(new URL(api.url).port));
  const socket = await openTunnel(url, 'api.example.com:6443', 5000);
  const answered = new Promise<string>((resolve) => void socket.once('data', (data) => resolve(String(data))));
  socket.write('GET /none HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  expect(await answered).toContain('HTTP/1.1 404');
  socket.destroy();
  expect(heads[0]).toContain('CONNECT api.example.com:6443 HTTP/1.1');
  expect(heads[0]?.toLowerCase()).toContain(
    `proxy-authorization: basic ${Buffer.from('me:pass word').toString('base64').toLowerCase()}`,
  );
});

test('a proxy that refuses says so', async () => {
  const { url } = await proxy(407, 0);
  await expect(openTunnel(url, 'api.example.com:6443', 5000)).rejects.toThrow(`${url.host} answers 407`);
});

const users: Record<string, { user: object; want: object }> = {
  'a token': { user: { token: 't' }, want: { authorization: 'Bearer t' } },
  'a name and a password': {
    user: { username: 'a', password: 'b' },
    want: { authorization: `Basic ${Buffer.from('a:b').toString('base64')}` },
  },
  'somebody else': {
    user: { token: 't', as: 'jane', 'as-groups': ['dev', 'ops'] },
    want: { 'impersonate-user': 'jane', 'impersonate-group': 'dev, ops' },
  },
};

test.each(Object.entries(users))('a server is shown %s', async (_, { user, want }) => {
  const api = await FakeApi.start({});
  open.push(api);
  const server = await openApiClient(access(api.url, user), { timeout: 5000, env: {} });
  await server.get('/version');
  server.close();
  expect(api.asked[0]?.headers).toMatchObject(want);
});

test('no more than so many things are done at once, and results keep their order', async () => {
  let now = 0;
  let most = 0;
  const results = await mapConcurrently(3, [5, 1, 4, 2, 3], async (n) => {
    now += 1;
    most = Math.max(most, now);
    await new Promise((resolve) => setTimeout(resolve, n));
    now -= 1;
    return n * 10;
  });
  expect(results).toEqual([50, 10, 40, 20, 30]);
  expect(most).toBe(3);
});
