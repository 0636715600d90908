import { compileOutputSchema } from '../../output-schema';
import { SMALL } from '../cli';
import { type Answers, CHAT, GOOD, ROUTED, SmokeDesk } from '../smoke-desk';

/** The same without its gateway. */
const CLOSED = ROUTED.slice(0, ROUTED.lastIndexOf('---'));

/** A second service for the same replicas. */
const TWO = ROUTED.replace(
  '---\napiVersion: fleetwright.dev/v1alpha1\nkind: InferenceGateway',
  `---
apiVersion: fleetwright.dev/v1alpha1
kind: ModelService
metadata: { name: again, namespace: ml }
spec: { endpoints: [{ selector: { matchLabels: { app: q } } }] }
---
apiVersion: fleetwright.dev/v1alpha1
kind: InferenceGateway`,
);

let desk: SmokeDesk;
beforeEach(() => {
  desk = new SmokeDesk();
});
afterEach(() => desk.remove());

test('a service that answers', async () => {
  expect(await desk.smoke(GOOD)).toEqual({
    code: 0,
    out: 'ok       ml/chat at http://chat.example.com/ml/chat/ for Qwen/Qwen3-8B: it answers with a chat completion.\n\n1 of 1 service answering.\n',
    err: '',
  });
  expect(desk.asked).toMatchObject([
    {
      line: `POST ${CHAT}`,
      headers: { host: 'chat.example.com' },
      body: { model: 'Qwen/Qwen3-8B', max_tokens: 1, messages: [{ role: 'user' }] },
    },
  ]);
  expect(desk.asked[0]?.headers.authorization).toBeUndefined();
});

test('a fleet without services asks no one, and says so', async () => {
  const want = { code: 0, out: 'The fleet has no service to check.\n', err: '' };
  expect(await desk.smoke(GOOD, '', SMALL)).toEqual(want);
  expect(desk.asked).toEqual([]);
});

test('a key is taken from the environment, shown, and not reported even where a server says it back', async () => {
  const { out, code } = await desk.smoke(
    { [CHAT]: [401, { error: { message: 'no such key: SECRET' } }] },
    ' --key-env KEY',
  );
  expect(desk.asked[0]?.headers.authorization).toBe('Bearer SECRET');
  expect(out).toContain(': v1/chat/completions answers 401: no such key: (hidden).');
  expect(code).toBe(6);
});

test('nor where it says it back with escapes', async () => {
  const { out } = await desk.smoke(
    { [CHAT]: [401, '{"error":{"message":"no such key: SEC\\u0052ET"}}'] },
    ' --key-env KEY',
  );
  expect(out).toContain(': v1/chat/completions answers 401: no such key: (hidden).');
});

test('nor where it says it as a text', async () => {
  const { out } = await desk.smoke({ [CHAT]: [401, 'no such key: SECRET'] }, ' --key-env KEY');
  expect(out).toContain('answers 401 (no such key: (hidden)): it rejects the key.');
});

const rows: Record<string, { answers: Answers; flags?: string; code: number; want: string }> = {
  'a model that completes texts alone': {
    answers: { [CHAT]: [400, { message: 'no chat template' }], '/ml/chat/v1/completions': { choices: [{}] } },
    code: 0,
    want: 'ok       ml/chat',
  },
  'a model that embeds': {
    answers: {
      [CHAT]: [400, {}],
      '/ml/chat/v1/completions': [400, {}],
      '/ml/chat/v1/embeddings': { data: [{ embedding: [0.1] }] },
    },
    code: 0,
    want: 'it answers with an embedding.',
  },
  'no route to it says what the first question came to': {
    answers: {},
    code: 6,
    want: 'v1/chat/completions answers 404: no route.',
  },
  'nothing serves behind it: no one asks again': {
    answers: { [CHAT]: [503, {}], '/ml/chat/v1/completions': { choices: [{}] } },
    code: 6,
    want: 'v1/chat/completions answers 503: no replica serves.',
  },
  'what a gateway says is reported next to what it means': {
    answers: { [CHAT]: [503, 'no healthy upstream'] },
    code: 6,
    want: 'v1/chat/completions answers 503 (no healthy upstream): no replica serves.',
  },
  'a service that asks for a key, of whoever shows none': {
    answers: { [CHAT]: [401, 'Client authentication failed.'] },
    code: 6,
    want: 'answers 401 (Client authentication failed): it requires a key: set --key-env to the environment variable with the key.',
  },
  'one that does not take the key': {
    answers: { [CHAT]: [401, 'Jwt is expired'] },
    flags: ' --key-env KEY',
    code: 6,
    want: 'answers 401 (Jwt is expired): it rejects the key.',
  },
  'an answer without a completion': {
    answers: { [CHAT]: { choices: [] } },
    code: 6,
    want: 'v1/chat/completions answers 200 without a chat completion.',
  },
  'a page of a proxy': {
    answers: { [CHAT]: [502, '<html>'] },
    code: 6,
    want: 'v1/chat/completions answers 502.',
  },
  'a redirect is not followed': {
    answers: { [CHAT]: [302, {}] },
    code: 6,
    want: 'v1/chat/completions answers 302.',
  },
  'no answer in time': {
    answers: { [CHAT]: 'nothing' },
    flags: ' --timeout 0.2',
    code: 6,
    want: 'FAILURE  ml/chat at http://chat.example.com/ml/chat/ for Qwen/Qwen3-8B: no answer within 0.2 s.',
  },
};

test.each(Object.entries(rows))('%s', async (_, { answers, flags, code, want }) => {
  const ran = await desk.smoke(answers, flags);
  expect(ran.out).toContain(want);
  expect(ran.code).toBe(code);
});

test('a service whose models no one names is asked for them first', async () => {
  const unnamed = ROUTED.replace('args: [Qwen/Qwen3-8B, -tp=8]', 'command: [./serve.sh]');
  await desk.smoke({ ...GOOD, '/ml/chat/v1/models': { data: [{ id: 'own' }] } }, '', unnamed);
  expect(desk.asked.map(({ line }) => line)).toEqual(['GET /ml/chat/v1/models', `POST ${CHAT}`]);
  expect(desk.asked[1]?.body).toMatchObject({ model: 'own' });
});

test('one that lists none is asked by its own name: endpoints may write theirs over it', async () => {
  const unnamed = ROUTED.replace('args: [Qwen/Qwen3-8B, -tp=8]', 'command: [./serve.sh]');
  const { out } = await desk.smoke(GOOD, '', unnamed);
  expect(desk.asked.map(({ line }) => line)).toEqual(['GET /ml/chat/v1/models', `POST ${CHAT}`]);
  expect(out).toContain('ok       ml/chat at http://chat.example.com/ml/chat/ for chat: it answers');
});

test('the end of the line that a file has is no part of a key', async () => {
  await desk.smoke(GOOD, ' --key-env KEY_OF_A_FILE');
  expect(desk.asked[0]?.headers.authorization).toBe('Bearer SECRET');
});

test('nothing listens', async () => {
  await desk.smoke(GOOD);
  const { code, out } = await desk.work.runLive('smoke ./fleet --via http://127.0.0.1:9');
  expect(out).toContain('it cannot be reached: connect ECONNREFUSED');
  expect(code).toBe(6);
});

test('an address of IPv6 is one', async () => {
  await desk.smoke(GOOD);
  const { out } = await desk.work.runLive('smoke ./fleet --via http://[::1]:9');
  expect(out).toMatch(/it cannot be reached: connect E[A-Z]+ ::1:9/);
});

test('a service without a gateway is unknown, which the last line says, and fails nothing', async () => {
  const { out, code } = await desk.smoke(GOOD, '', CLOSED);
  expect(out).toContain('unknown  ml/chat: no gateway has a route to it.\n');
  expect(out).toMatch(/\n0 of 1 service answering; 1 unknown, because no gateway has a route to ml\/chat\.\n$/);
  expect(code).toBe(0);
});

test('--service asks some only, and --quiet reports what fails', async () => {
  expect((await desk.smoke(GOOD, ' --quiet', TWO)).out).toContain('FAILURE  ml/again at');
  expect((await desk.smoke(GOOD, ' --quiet --service ml/chat', TWO)).out).toBe('1 of 1 service answering.\n');
});

test('a URL that several clusters have is asked once', async () => {
  const eu = ROUTED.slice(ROUTED.indexOf('---') + 4).split('---')[0] ?? '';
  const two = `${ROUTED}---\n${eu.replace('name: us\n', 'name: eu\n').replace('us.example', 'eu.example')}`;
  const { out } = await desk.smoke(GOOD, ' --json', two.replace('clusters: [us]', 'clusters: [us, eu]'));
  expect(JSON.parse(out)).toMatchObject({ services: [{ gateways: ['public on eu', 'public on us'] }] });
  expect(desk.asked).toHaveLength(1);
});

test('--json is as its schema says', async () => {
  const { out } = await desk.smoke(GOOD, ' --json', TWO);
  const validate = compileOutputSchema('smoke');
  expect([validate(JSON.parse(out)), validate.errors]).toEqual([true, null]);
  expect(JSON.parse(out)).toMatchObject({
    kind: 'Smoke',
    services: [
      { service: 'ml/again', gateways: ['public on us'], level: 'failure' },
      { service: 'ml/chat', url: 'http://chat.example.com/ml/chat/', level: 'ok' },
    ],
  });
});

const wrong: Record<string, { flags: string; want: string }> = {
  'a variable that is not there is not reported: it may be the key': {
    flags: '--key-env SECRET',
    want: '--key-env: the environment variable does not exist. Use the name of the variable with the key, not the key itself.\n',
  },
  'an address that is none': {
    flags: '--via 127.0.0.1:80',
    want: "--via: '127.0.0.1:80' is not a URL to connect to. Write a URL: http://127.0.0.1:8080.\n",
  },
  'a service that the fleet does not have': {
    flags: '--service ml/chatt',
    want: "ml/chatt: the fleet has no service of this name. Did you mean 'ml/chat'?\n",
  },
};

test.each(Object.entries(wrong))('%s', async (_, { flags, want }) => {
  desk.work.write({ 'fleet/fleet.yaml': ROUTED });
  desk.work.run('lock ./fleet');
  expect(await desk.work.runLive(`smoke ./fleet ${flags}`)).toEqual({ code: 1, out: '', err: want });
});
