import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMALL, Workspace } from './cli';
import { ROUTED } from './smoke-desk';

/** Secrets by where a manifest has them. */
const SECRETS = {
  annotation: `hf_${'aB3dE5fG7h'.repeat(4)}`,
  encoded: `hf_${'zY9xW7vU5t'.repeat(4)}`,
  header: 'Zq8-Kp3-Wm5-Rt7-Hx2',
  variable: '3Xk9fQ2mZ81pLw7cRt5v',
};

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const LEAKY = ROUTED.replace(
  '  name: q\n',
  `  name: q\n  annotations: { note: ${SECRETS.annotation}, data: ${base64(SECRETS.encoded)} }\n`,
)
  .replace(
    '[{ selector: { matchLabels: { app: q } } }]',
    `[{ selector: { matchLabels: { app: q } }, match: { headers: { authorization: "Bearer ${SECRETS.header}" } } }]`,
  )
  .replace('args: [', `env: [{ name: HF_TOKEN, value: ${SECRETS.variable} }], args: [`);

let work: Workspace;
beforeEach(() => {
  work = new Workspace().write({ 'fleet/fleet.yaml': LEAKY, 'base/fleet.yaml': SMALL });
});
afterEach(() => work.remove());

function expectNoSecret(text: string, secrets: readonly string[] = Object.values(SECRETS)): void {
  for (const secret of secrets) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(base64(secret));
  }
}

const commands: Record<string, string> = {
  validate: '',
  'validate --json': '',
  plan: '',
  'plan --json': '',
  'plan --graph': '',
  'plan --cost': '',
  'plan --against ./base': 'hidden',
  'plan --against ./base --json': 'hidden',
  'plan --against ./base --markdown': 'hidden',
  'plan --annotations github': '',
  'lock --json': '',
  'export --json': '',
  export: '',
  'survive --json': '',
  'explain ml/q': '',
};

test.each(Object.entries(commands))('%s prints no secret of a manifest', (command, want) => {
  work.run('lock ./base');
  work.run('lock ./fleet');
  const [name = '', ...flags] = command.split(' ');
  const [id, ...others] = flags[0]?.includes('/q') ? flags : ['', ...flags];
  const ran = work.run([name, id, './fleet', ...others].filter((part) => part !== '').join(' '));
  expect(ran.code).not.toBe(70);
  expect(ran.out + ran.err).toContain(want);
  expectNoSecret(ran.out + ran.err);
});

const files: Record<string, { run: string; file: string }> = {
  'the map': { run: 'plan ./fleet --against ./base --html ./map.html', file: 'map.html' },
  'the routing': { run: 'synth ./fleet --out ./out', file: 'out/routing.json' },
  'the lock': { run: 'lock ./fleet', file: 'fleet/fleet.lock.yaml' },
};

test.each(Object.entries(files))('%s has no secret of a manifest', (_, { run, file }) => {
  work.run('lock ./base');
  work.run('lock ./fleet');
  expect(work.run(run)).toMatchObject({ code: 0 });
  expectNoSecret(work.read(file));
});

const entry = (value: string): string =>
  `{ selector: { matchLabels: { app: q } }, match: { headers: { authorization: ${value} } } }`;

test('routes whose matches are hidden still have ids of their own', () => {
  const two = ROUTED.replace('[{ selector: { matchLabels: { app: q } } }]', `[${entry('first')}, ${entry('second')}]`);
  work.write({ 'fleet/fleet.yaml': two });
  work.run('lock ./fleet');
  work.run('synth ./fleet --out ./out');
  const { routes } = JSON.parse(work.read('out/routing.json')) as { routes: { id: string }[] };
  expect(new Set(routes.map(({ id }) => id)).size).toBe(routes.length);
  expect(routes.length).toBe(2);
});

test('validate warns of each secret in a manifest, and says what to reference instead', () => {
  const { code, out } = work.run('validate ./fleet');
  const warnings = out.split('\n').filter((line) => line.startsWith('warning: '));
  expect(code).toBe(0);
  expect(warnings.map((line) => line.replace(/^warning: fleet\/fleet.yaml:\d+:\d+: /, ''))).toEqual([
    expect.stringMatching(/^annotation note looks like a secret in clear text\. Put it into a Secret, /),
    expect.stringMatching(/^annotation data looks like a secret/),
    expect.stringMatching(/^variable HF_TOKEN looks like a secret.*valueFrom\.secretKeyRef: \{ name, key \}\.$/),
    expect.stringMatching(/^the value of authorization looks like a secret/),
  ]);
});

test('validate warns of secrets next to the lines of a change, and in JSON', () => {
  expect(work.run('validate ./fleet --annotations github').err).toMatch(
    /^(::warning file=fleet\/fleet\.yaml,line=\d+,col=\d+,title=fleetwright%3A secret-in-clear::.*\n){4}$/,
  );
  const { warnings } = JSON.parse(work.run('validate ./fleet --json').out) as { warnings: { code: string }[] };
  expect(warnings.map(({ code }) => code)).toEqual(Array(4).fill('secret-in-clear'));
});

test('an annotation silences the warning', () => {
  const silent = LEAKY.replace('annotations: {', "annotations: { fleetwright.dev/silence-secret-in-clear: 'a test',");
  work.write({ 'fleet/fleet.yaml': silent });
  const { out } = work.run('validate ./fleet');
  expect(out).toContain('note: ModelDeployment ml/q silences secret-in-clear: a test');
  expect(out.match(/^warning: /gm)).toHaveLength(1);
});

test.each(['export ./fleet', 'export ./fleet --out ./all.yaml', 'export ./fleet --json', 'plan ./fleet --save ./p'])(
  '%s is refused with a secret in clear text, instead of changing what is declared',
  (command) => {
    work.run('lock ./fleet');
    const { code, out, err } = work.run(command);
    expect(code).toBe(1);
    expect(out + err).toMatch(/in clear text|may be a secret/);
    expect(Object.keys(work.files()).sort()).toEqual(['base/fleet.yaml', 'fleet/fleet.lock.yaml', 'fleet/fleet.yaml']);
  },
);

const KEY = `sk-proj-${'aB3dE5fG7h'.repeat(5)}`;

/** Values that are refused, and the message would quote. */
const refused: Record<string, string> = {
  "a key as a Secret's name": SMALL.replace('name: us }', `name: ${KEY} }`),
  'a key as the name of a resource': SMALL.replace('name: h100\n', `name: ${KEY}\n`),
  'a key as the name of a field': SMALL.replace('replicas: 1', `replicas: 1\n  ${KEY}: 1`),
  'a key instead of a number': SMALL.replace('replicas: 1', `replicas: ${KEY}`),
  'a key in a reference': SMALL.replace('className: h100', `className: ${KEY}`),
  'a key in a selector': SMALL.replace('device.capacity[', `device.${KEY}[`),
  'a key in broken YAML': SMALL.replace('replicas: 1', `replicas: {${KEY}`),
  'a key with escapes': SMALL.replace('name: us }', `name: "${KEY.replaceAll('-', '\\u002d')}" }`),
};

test.each(Object.entries(refused))('%s is not in the message that refuses it', (_, text) => {
  work.write({ 'fleet/fleet.yaml': text });
  for (const flags of ['', ' --json', ' --annotations github']) {
    const { code, out, err } = work.run(`plan ./fleet${flags}`);
    expect(code).toBe(1);
    expectNoSecret(out + err, [KEY.slice(0, 24), KEY.slice(-16)]);
  }
});

test('a key in the name of a file and of a flag is hidden', () => {
  const ran = work.run(`plan ./${KEY} --html ./x`);
  expect(ran.code).toBe(1);
  expectNoSecret(ran.out + ran.err, [KEY]);
  const odd = work.run(`plan ./fleet --${KEY}`);
  expectNoSecret(odd.out + odd.err, [KEY]);
});

/** A token of no format that is known. */
const TOKEN = 'correct-horse-battery-staple-and-more';

const echoes: Record<string, (token: string) => string> = {
  'as it is': (token) => token,
  'in base64': base64,
  'with escapes of JSON': (token) => token.replaceAll('-', '\\u002d'),
  'with escapes of a URL': (token) => token.replaceAll('-', '%2D'),
};

describe.each(Object.entries(echoes))('a server that says the token back %s', (_, spell) => {
  let server: Server;
  beforeEach(async () => {
    server = createServer((request, response) => {
      const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
      response.writeHead(403, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ kind: 'Status', message: 'x'.repeat(40) + spell(token), reason: spell(token) }));
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => void server.close());

  test.each(['status ./fleet', 'status ./fleet --json', 'doctor us ./fleet', 'doctor us ./fleet --json'])(
    'is not quoted by %s',
    async (command) => {
      const { port } = server.address() as AddressInfo;
      const kubeconfig = {
        clusters: [{ name: 'c', cluster: { server: `http://127.0.0.1:${port}` } }],
        users: [{ name: 'u', user: { token: TOKEN } }],
        contexts: [{ name: 'us', context: { cluster: 'c', user: 'u' } }],
      };
      work.write({ 'fleet/fleet.yaml': SMALL, kubeconfig: JSON.stringify(kubeconfig) });
      work.run('lock ./fleet');
      const { code, out, err } = await work.runLive(`${command} --kubeconfig ./kubeconfig`);
      expect(code).not.toBe(70);
      expectNoSecret(out + err, [TOKEN, TOKEN.slice(0, 12), spell(TOKEN)]);
    },
  );
});
