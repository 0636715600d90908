import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EXIT_WITHOUT_RETRY, FACTS_FILE, HTTP_SCRIPT } from '../../../src/render/cache/staging-scripts';
import { Sandbox, SHELLS } from './shell';

const FILE = 'x'.repeat(100_000);
const SHA256 = createHash('sha256').update(FILE).digest('hex');
const PART = '.fleetwright-part';

/** What a server of one file does, and what it was asked for. */
interface Store {
  server: Server;
  requests: IncomingMessage['headers'][];
  /** Bytes after which it breaks off. */
  breakAt?: number;
  ranges: boolean;
}

const store: Store = { server: createServer(), requests: [], ranges: true };
store.server.on('request', ({ headers, url }, response): unknown => {
  store.requests.push(headers);
  if (url === '/moved') return response.writeHead(302, { location: `${other()}/file` }).end();
  if (url === '/none') return response.writeHead(404).end();
  const from = store.ranges ? Number(/bytes=(\d+)-/.exec(headers.range ?? '')?.[1] ?? 0) : 0;
  if (from >= FILE.length) return response.writeHead(416).end();
  const length = { 'content-length': FILE.length - from };
  const range = { 'content-range': `bytes ${from}-${FILE.length - 1}/${FILE.length}` };
  response.writeHead(from > 0 ? 206 : 200, from > 0 ? { ...length, ...range } : length);
  if (store.breakAt === undefined) return response.end(FILE.slice(from));
  return response.write(FILE.slice(from, store.breakAt), () => response.destroy());
});

function port(): number {
  return (store.server.address() as AddressInfo).port;
}

/** The same server under another name. */
function other(): string {
  return `http://localhost:${port()}`;
}

const curl = spawnSync('curl', ['--version']).status === 0;
(curl ? describe.each(SHELLS) : describe.skip.each(['needs curl']))('fetching a file, by %s,', (shell) => {
  let box: Sandbox;
  beforeAll(() => new Promise<void>((resolve) => store.server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => new Promise((resolve) => store.server.close(resolve)));
  beforeEach(() => {
    box = new Sandbox();
    mkdirSync(box.path('folder'));
    store.requests = [];
    delete store.breakAt;
    store.ranges = true;
  });
  afterEach(() => box.remove());

  const fetched = (env: Record<string, string> = {}) =>
    box.run(shell, HTTP_SCRIPT, {
      cwd: box.path('folder'),
      env: { URL: `http://127.0.0.1:${port()}/file`, FILE: 'file', ...env },
    });
  const size = (name: string): number | undefined =>
    existsSync(box.path('folder', name)) ? readFileSync(box.path('folder', name)).length : undefined;

  test('puts it under its name, without a header', async () => {
    expect(await fetched()).toMatchObject({ code: 0 });
    expect(readFileSync(box.path('folder/file'), 'utf8')).toBe(FILE);
    expect(store.requests[0]).not.toHaveProperty('authorization');
    expect(existsSync(box.path('folder', FACTS_FILE))).toBe(false);
  });

  test.each(['a b', `it's "quoted"`, 'two\nlines', '$(touch pwned)', '--output', '*'])(
    'puts it under the name %j, and runs nothing of it',
    async (name) => {
      expect(await fetched({ FILE: name, URL: `${other()}/file?$(touch%20pwned)'"` })).toMatchObject({
        code: 0,
      });
      expect(size(name)).toBe(FILE.length);
      expect(existsSync(box.path('folder/pwned'))).toBe(false);
    },
  );

  test('sends the header, and not to another host', async () => {
    const AUTHORIZATION = 'Bearer "$(touch pwned)"';
    const ended = await fetched({ AUTHORIZATION, URL: `http://127.0.0.1:${port()}/moved` });
    expect(ended.code).toBe(0);
    expect(ended.out).not.toContain('Bearer');
    const sent = store.requests.map(({ authorization = 'none' }) => authorization);
    expect(sent).toEqual([AUTHORIZATION, 'none']);
  });

  test('goes on where it was interrupted', async () => {
    store.breakAt = 60_000;
    expect((await fetched({ SHA256 })).code).toBe(18);
    expect({ file: size('file'), part: size(PART) }).toEqual({ file: undefined, part: 60_000 });
    delete store.breakAt;
    expect(await fetched({ SHA256 })).toMatchObject({ code: 0 });
    expect(store.requests[1]).toMatchObject({ range: 'bytes=60000-' });
    expect({ file: size('file'), part: size(PART) }).toEqual({ file: FILE.length, part: undefined });
    expect(readFileSync(box.path('folder', FACTS_FILE), 'utf8')).toBe(`sha256=${SHA256}\n`);
  });

  test.each([
    ['cannot resume', () => void (store.ranges = false), 60_000],
    ['has a shorter file by now', () => undefined, FILE.length + 1],
  ])('begins again where the server %s', async (_, change, had) => {
    writeFileSync(box.path('folder', PART), 'y'.repeat(had));
    change();
    expect((await fetched()).code).not.toBe(0);
    expect(size(PART)).toBeUndefined();
    expect(await fetched()).toMatchObject({ code: 0 });
    expect(readFileSync(box.path('folder/file'), 'utf8')).toBe(FILE);
  });

  test('gives up on a wrong checksum, and keeps nothing', async () => {
    const ended = await fetched({ SHA256: '0'.repeat(64) });
    expect(ended).toEqual({
      code: EXIT_WITHOUT_RETRY,
      out: `The SHA-256 checksum is ${SHA256}, not ${'0'.repeat(64)}\n`,
    });
    expect({ file: size('file'), part: size(PART) }).toEqual({ file: undefined, part: undefined });
  });

  test('begins again where the checksum is wrong after a pause', async () => {
    writeFileSync(box.path('folder', PART), 'y'.repeat(10));
    expect((await fetched({ SHA256 })).code).toBe(1);
    expect(await fetched({ SHA256 })).toMatchObject({ code: 0 });
  });

  test('fails where there is no file', async () => {
    expect((await fetched({ URL: `${other()}/none` })).code).toBe(22);
    expect(size('file')).toBeUndefined();
  });
});
