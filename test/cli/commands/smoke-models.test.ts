import { compileOutputSchema } from '../../output-schema';
import { SMALL } from '../cli';
import { type Answers, SmokeDesk } from '../smoke-desk';

const endpoint = (name: string, spec: string): string => `---
apiVersion: fleetwright.dev/v1alpha1
kind: ModelEndpoint
metadata: { name: ${name}, namespace: ml }
spec:
${spec}`;

const OPENAI = endpoint(
  'openai',
  `  provider: OpenAI
  models:
    # The large one.
    - gpt-a # kept
    - gpt-b
  credential: { secretRef: { name: key } }
`,
);
const CLAUDE = endpoint('claude', '  { provider: Anthropic, models: [claude-a] }\n');
const FLEET = `${SMALL}${OPENAI}`;

const list = (...ids: string[]): object => ({ data: ids.map((id) => ({ id })) });
const CHANGED: Answers = { '/v1/models': list('gpt-c', 'gpt-a') };

let desk: SmokeDesk;
beforeEach(() => {
  desk = new SmokeDesk();
});
afterEach(() => desk.remove());

test('says which models of a provider are new and gone, with the key as the endpoint sends it', async () => {
  expect(await desk.smoke(CHANGED, ' --models --key-env KEY', FLEET)).toEqual({
    code: 0,
    out: `warning  ml/openai at https://api.openai.com/v1/models: 1 model is new and 1 model is gone.
  + gpt-c
  - gpt-b

1 of 1 endpoint answering.
`,
    err: '',
  });
  expect(desk.asked).toMatchObject([
    { line: 'GET /v1/models', headers: { host: 'api.openai.com', authorization: 'Bearer SECRET' } },
  ]);
  expect(desk.work.read('fleet/fleet.yaml')).toBe(FLEET);
});

test('writes them where a flag says so, and nothing else of the file', async () => {
  const { code, out } = await desk.smoke(CHANGED, ' --models --write', FLEET);
  expect({ code, out }).toMatchObject({
    code: 0,
    out: expect.stringContaining('Wrote the models to fleet/fleet.yaml.'),
  });
  expect(desk.work.read('fleet/fleet.yaml')).toBe(FLEET.replace('    - gpt-b\n', '    - gpt-c\n'));
  const again = desk.work.run('validate ./fleet');
  expect(again.code).toBe(0);
});

test('sends the key in the header of the provider, and what else it needs', async () => {
  const answers = { '/v1/models?limit=1000': list('claude-a') };
  const { code, out } = await desk.smoke(answers, ' --models --key-env KEY', `${SMALL}${CLAUDE}`);
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining(': it lists 1 declared model.') });
  expect(desk.asked[0]?.headers).toMatchObject({ 'x-api-key': 'SECRET', 'anthropic-version': '2023-06-01' });
  expect(desk.asked[0]?.headers.authorization).toBeUndefined();
});

test('sends a key to one provider only', async () => {
  const { code, err } = await desk.smoke(CHANGED, ' --models --key-env KEY', `${FLEET}${CLAUDE}`);
  expect({ code, err }).toEqual({
    code: 1,
    err: '--key-env: the key would be sent to 2 endpoints. Select one with --endpoint NAMESPACE/NAME.\n',
  });
  expect(desk.asked).toEqual([]);
  const one = await desk.smoke(CHANGED, ' --models --key-env KEY --endpoint ml/openai', `${FLEET}${CLAUDE}`);
  expect(one.code).toBe(0);
  expect(desk.asked.map(({ headers }) => headers.host)).toEqual(['api.openai.com']);
});

const rows: Record<string, { spec: string; answers: Answers; flags?: string; code: number; want: string }> = {
  'a provider that wants a key': {
    spec: '  { provider: OpenAI }\n',
    answers: { '/v1/models': [401, {}] },
    code: 6,
    want: 'FAILURE  ml/x at https://api.openai.com/v1/models: v1/models answers 401: it requires a key: set --key-env to the environment variable with the key.',
  },
  'a key that a provider says back': {
    spec: '  { provider: OpenAI }\n',
    answers: { '/v1/models': [401, { error: { message: 'bad key SECRET' } }] },
    flags: ' --key-env KEY',
    code: 6,
    want: 'v1/models answers 401: bad key (hidden).',
  },
  'a list without models': {
    spec: '  { provider: OpenAI, models: [a] }\n',
    answers: { '/v1/models': { data: [] } },
    code: 6,
    want: ': v1/models lists no model.',
  },
  'a list of pages': {
    spec: '  { provider: OpenAI, models: [a] }\n',
    answers: { '/v1/models': { ...list('a'), has_more: true } },
    code: 6,
    want: ': v1/models lists more models than fit on a page.',
  },
  'a list without an object around it, at the path of an address': {
    spec: '  { url: https://x.example.com/api/v2, models: [a] }\n',
    answers: { '/api/v2/models': [200, [{ id: 'a' }]] },
    code: 0,
    want: 'ok       ml/x at https://x.example.com/api/v2/models: it lists 1 declared model.',
  },
  'a path that replaces that of the service': {
    spec: '  { url: https://x.example.com, rewritePath: /llm, models: [a] }\n',
    answers: { '/llm/v1/models': list('a') },
    code: 0,
    want: 'ok       ml/x at https://x.example.com/llm/v1/models',
  },
  'the name that the provider has for the models of clients': {
    spec: '  { url: https://x.example.com, models: [ours], model: { as: theirs } }\n',
    answers: { '/v1/models': list('other', 'more') },
    code: 0,
    want: ': 1 model is gone.\n  - theirs\n',
  },
};

test.each(Object.entries(rows))('judges %s', async (_, { spec, answers, flags = '', code, want }) => {
  const ran = await desk.smoke(answers, ` --models${flags}`, `${SMALL}${endpoint('x', spec)}`);
  expect(ran).toMatchObject({ code, out: expect.stringContaining(want) });
});

const refused: Record<string, [string, string]> = {
  'a flag without --models': [' --write', '--write: it has no effect without --models. Add --models.'],
  'services with --models': [
    ' --models --service ml/chat',
    '--service: --models checks endpoints, not services. Select them with --endpoint.',
  ],
  'an endpoint that is not there': [
    ' --models --endpoint ml/opnai',
    "ml/opnai: the fleet has no endpoint of this name. Did you mean 'ml/openai'?",
  ],
};

test.each(Object.entries(refused))('refuses %s', async (_, [flags, want]) => {
  expect(await desk.smoke(CHANGED, flags, FLEET)).toMatchObject({ code: 1, err: `${want}\n` });
});

test('says it to machines, by its schema', async () => {
  const { out } = await desk.smoke(CHANGED, ' --models --json', FLEET);
  const document: unknown = JSON.parse(out);
  expect(document).toEqual({
    kind: 'EndpointModels',
    version: 1,
    endpoints: [
      {
        level: 'warning',
        endpoint: 'ml/openai',
        url: 'https://api.openai.com/v1/models',
        what: '1 model is new and 1 model is gone',
        added: ['gpt-c'],
        gone: ['gpt-b'],
      },
    ],
    written: [],
  });
  const validate = compileOutputSchema('endpoint-models');
  expect(validate(document)).toBe(true);
});
