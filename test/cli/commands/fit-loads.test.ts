import { SMALL, Workspace } from '../cli';
import { MEASURED, runFit, SETTINGS } from './run-fit';

let work: Workspace;
beforeEach(() => {
  work = new Workspace();
});
afterEach(() => work.remove());

const fit = (args: string) => runFit(work, args);

const layouts: Record<string, [args: string, want: object, text: string]> = {
  'a tensor parallel size alone': ['--tp 4', { tp: 4, pp: 1, dp: 1, ep: 1, nodes: 1 }, 'TP 4'],
  'stages over the nodes of a gang': [
    '--tp 8 --pp 2',
    { tp: 8, pp: 2, dp: 1, ep: 1, nodes: 2 },
    'TP 8 x PP 2, 2 nodes',
  ],
  'stages within a node': ['--tp 2 --pp 2', { tp: 2, pp: 2, dp: 1, ep: 1, nodes: 1 }, 'TP 2 x PP 2'],
  'data parallel ranks, which share the experts': ['--dp 8', { tp: 1, pp: 1, dp: 8, ep: 8, nodes: 1 }, 'DP 8, EP 8'],
  'data parallel ranks of TP groups': [
    '--tp 2 --dp 4 --ep 8',
    { tp: 2, pp: 1, dp: 4, ep: 8, nodes: 1 },
    'TP 2 x DP 4, EP 8',
  ],
  'experts over TP ranks': ['--tp 4 --ep 4', { tp: 4, pp: 1, dp: 1, ep: 4, nodes: 1 }, 'TP 4, EP 4'],
  'ranks that each have all experts': ['--dp 2 --ep 1', { tp: 1, pp: 1, dp: 2, ep: 1, nodes: 1 }, 'DP 2'],
};

test.each(Object.entries(layouts))('the flags of a layout: %s', (_, [args, want, text]) => {
  const command = `Qwen/Qwen3-30B-A3B --gpu h200 ${args}`;
  const { rows } = fit(command);
  expect(rows.map(({ layout }) => layout)).toEqual([want]);
  expect(work.run(`fit ${command}`).out).toContain(`  ${text}  `);
});

const FLEET = {
  'fleet/fleet.yaml': SMALL,
  'fleet/settings.yaml': SETTINGS,
  'fleet/data/models.yaml': 'models: []\n',
  'eight.json': JSON.stringify(MEASURED),
  'more.json': JSON.stringify({ ...MEASURED, max_concurrency: 32, output_throughput: 1000, request_throughput: 5 }),
};
const LOAD = '--requests-per-second 20 --input-tokens 1000 --output-tokens 200';

test('measurements keep the layout that the flags name, and are of no other', () => {
  work.write(FLEET);
  fit('Qwen/Qwen3-8B ./fleet --gpu h100 --tp 2 --dp 2 --measured ./eight.json');
  expect(work.read('fleet/data/models.yaml')).toMatch(/tp: 2\n +dp: 2\n/);
  const speed = (args: string): unknown =>
    fit(`Qwen/Qwen3-8B ./fleet --gpu h100 ${args} --concurrency 8`).rows[0]?.measured?.outputTokensPerSecond;
  expect([speed('--tp 2 --dp 2'), speed('--tp 2')]).toEqual([400, undefined]);
});

test('where measurements are of other numbers of requests, it says of which', () => {
  work.write(FLEET);
  fit('Qwen/Qwen3-8B ./fleet --gpu h100 --tp 1 --measured ./eight.json --measured ./more.json');
  expect(work.run('fit Qwen/Qwen3-8B ./fleet --gpu h100 --tp 1').out).toContain(
    'Measured at 8 to 32 requests at once: no speed is stated for other numbers',
  );
});

test('a load without measurements cannot be known, and the commands to measure it are printed', () => {
  work.write(FLEET);
  const { code, out } = work.run(`fit Qwen/Qwen3-8B ./fleet --gpu h100 --tp 1 --concurrency 16 ${LOAD}`);
  expect(code).toBe(0);
  expect(out.slice(out.indexOf('How many'))).toBe(
    `How many replicas carry 20 requests a second of 1,000 + 200 tokens cannot be known: there is no measurement of such requests.
Measure one replica, for example of h100, 1 GPU, with 16 requests at once:
  vllm bench serve --base-url http://localhost:8000 --model Qwen/Qwen3-8B --dataset-name random --random-input-len 1000 --random-output-len 200 --ignore-eos --num-prompts 160 --max-concurrency 16 --save-result --result-dir /tmp --result-filename run-16.json
  fleetwright fit Qwen/Qwen3-8B fleet --gpu h100 --tp 1 --measured /tmp/run-16.json
`,
  );
});

test('a load is compared with measurements: the replicas, what they cost, and the measurements', () => {
  work.write(FLEET);
  fit('Qwen/Qwen3-8B ./fleet --gpu h100 --tp 1 --measured ./eight.json --measured ./more.json');
  const command = `Qwen/Qwen3-8B ./fleet --gpu h100 --concurrency 20 ${LOAD}`;
  const { loads, rows } = fit(command);
  expect(loads).toEqual([{ requestsPerSecond: 20, inputTokens: 1000, outputTokens: 200 }]);
  const sized = rows.filter(({ layout }) => layout.tp === 1);
  expect(sized.map((row) => row.loads)).toEqual([
    [
      {
        replicas: { low: 4, high: 6 },
        requestsPerSecond: { low: 3.5, high: 5 },
        from: [expect.objectContaining({ concurrency: 8 }), expect.objectContaining({ concurrency: 32 })],
      },
    ],
  ]);
  expect(rows.find(({ layout }) => layout.tp === 2)?.loads).toEqual([null]);
  expect(work.run(`fit ${command}`).out).toMatch(
    /\nA load of 20 requests a second of 1,000 \+ 200 tokens:\n {2}h100, 1 GPU: 4 to 6 replicas.*; one carries 3\.5 to 5 requests a second \(eight\.json, vllm bench serve at 8 and more\.json, vllm bench serve at 32 requests at once\)\n$/,
  );
});

test('the loads of deployments of the model are taken from the fleet', () => {
  const model = `apiVersion: fleetwright.dev/v1alpha1
kind: ModelDeployment
metadata: { name: chat, namespace: ml }
spec:
  replicas: 1
  model:
    repository: Qwen/Qwen3-8B
    context: 8192
    load: { requestsPerSecond: 12, inputTokens: 1000, outputTokens: 200 }
`;
  work.write({ ...FLEET, 'fleet/chat.yaml': model });
  fit('Qwen/Qwen3-8B ./fleet --gpu h100 --tp 1 --measured ./eight.json --measured ./more.json');
  expect(fit('Qwen/Qwen3-8B ./fleet').loads).toEqual([
    { deployment: 'ml/chat', requestsPerSecond: 12, inputTokens: 1000, outputTokens: 200 },
  ]);
  expect(work.run('fit Qwen/Qwen3-8B ./fleet').out).toMatch(
    /\nThe load of ml\/chat of 12 requests a second of 1,000 \+ 200 tokens:\n {2}h100, 1 GPU: 3 replicas/,
  );
  expect(work.run('plan ./fleet').out).toMatch(/high-load|1 replica carries at most 5 requests a second/);
});

const bad: Record<string, [args: string, want: RegExp]> = {
  'experts of a model that has none': [
    'Qwen/Qwen3-32B --gpu h200 --tp 4 --ep 4',
    /^--ep: Qwen\/Qwen3-32B has no experts to distribute\. Remove the flag/,
  ],
  'experts over GPUs that do not divide': [
    'Qwen/Qwen3-30B-A3B --gpu h200 --tp 8 --ep 3',
    /^--ep: EP 3 does not divide the 8 GPUs of TP 8 x DP 1\. Use 8, or another divisor of it/,
  ],
  'stages that are no number': ['Qwen/Qwen3-32B --pp two', /^--pp: 'two' is not a whole number/],
  'no data parallel rank': ['Qwen/Qwen3-32B --dp 0', /^--dp: '0' is not a whole number/],
  'more ranks than any replica has': ['Qwen/Qwen3-32B --dp 4096', /^--dp: '4096' is more than 1024/],
  'more nodes than a gang has': [
    'Qwen/Qwen3-32B --gpu h200 --tp 8 --pp 9',
    /^--pp: no hardware has the nodes for TP 8 x PP 9\. Name fewer, or another GPU/,
  ],
  'a larger TP than any node': ['Qwen/Qwen3-32B --tp 512', /^--tp: no node has 512 GPUs\. Use at most \d+/],
  'a load without its prompts': [
    'Qwen/Qwen3-32B --requests-per-second 5 --output-tokens 200',
    /^--requests-per-second: a load also needs --input-tokens\. Name all three: '--requests-per-second 20/,
  ],
  'prompts without a rate': [
    'Qwen/Qwen3-32B --input-tokens 5',
    /^--input-tokens: a load also needs --requests-per-second and --output-tokens\./,
  ],
  'a rate of nothing': [
    `Qwen/Qwen3-32B ${LOAD.replace('20', '0')}`,
    /^--requests-per-second: '0' is not a number above 0 and up to 1000000\. Write the requests of a second/,
  ],
  'prompts that are no number': [
    `Qwen/Qwen3-32B ${LOAD.replace('1000', 'long')}`,
    /^--input-tokens: 'long' is not a whole number/,
  ],
};

test.each(Object.entries(bad))('%s is refused', (_, [args, want]) => {
  const { code, err } = work.run(`fit ${args}`);
  expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(want) as string });
});

test.each([
  ['a GPU that is nearly known', '--gpu h1000 --tp 1', /^--gpu: there is no GPU 'h1000'\. Did you mean 'h100'\?/],
  ['a GPU that no class of the fleet has', '--gpu h200 --tp 1', /^--gpu: no class of the fleet has the GPU 'h200'/],
  ['a layout that no node has', '--gpu h100 --tp 64', /^--tp: no node has 64 GPUs/],
  ['no layout', '--gpu h100', /^--measured: the files lack the GPU and the tensor parallel size\./],
])('with %s, measurements are refused and nothing is written', (_, args, want) => {
  work.write(FLEET);
  const { code, err } = work.run(`fit Qwen/Qwen3-8B ./fleet ${args} --measured ./eight.json`);
  expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(want) as string });
  expect(work.read('fleet/data/models.yaml')).toBe(FLEET['fleet/data/models.yaml']);
});

const ROW = `{ repository: Qwen/Qwen3-8B, gpu: h100, tp: 1, concurrency: 8, inputTokens: 1000, outputTokens: 200,
    requestsPerSecond: 2, outputTokensPerSecond: 400, source: ours }`;

test.each([
  [
    'a model that is nearly known',
    ROW.replace('Qwen3-8B', 'Qwen3-8b'),
    /models\.yaml:1:\d+: no row of the model catalog is 'Qwen\/Qwen3-8b', which is measured\. Use 'Qwen\/Qwen3-8B'/,
  ],
  [
    'a model that no row is near to',
    ROW.replace('Qwen/Qwen3-8B', 'acme/private'),
    /no row of the model catalog is 'acme\/private', which is measured\. Add its row: 'fleetwright model add FOLDER --name acme\/private', where FOLDER has the config\.json of the model/,
  ],
  [
    'a GPU that is nearly known',
    ROW.replace('h100', 'h10O'),
    /models\.yaml:1:\d+: there is no GPU 'h10O', which is measured\. Use 'h100'/,
  ],
  [
    'a GPU that no name is near to',
    ROW.replace('h100', 'abacus'),
    /models\.yaml:1:\d+: there is no GPU 'abacus', which is measured\. Use one of .*h200.*/,
  ],
  [
    'an engine in another spelling',
    ROW.replace('tp: 1', 'tp: 1, engine: vLLM@0.20'),
    /models\.yaml:1:\d+: there is no engine 'vLLM'\. Use 'vllm'/,
  ],
  [
    'a misspelt figure',
    ROW.replace('outputTokens:', 'outputToken:'),
    /models\.yaml:1:\d+: unknown field 'outputToken'/,
  ],
  ['a speed of nothing', ROW.replace('Second: 2', 'Second: 0'), /models\.yaml:2:\d+: 0 /],
])('a measurement with %s is refused with its place', (_, row, want) => {
  work.write({ ...FLEET, 'fleet/data/models.yaml': `measurements: [${row}]\n` });
  const { code, err } = work.run('plan ./fleet');
  expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(want) as string });
});

test.each(['H100', 'NVIDIA H100 80GB HBM3'])('a measurement counts for the GPU with any of its names: %s', (name) => {
  const rows = [ROW, ROW.replace('concurrency: 8', 'concurrency: 32')].map((row) => row.replace('h100', name));
  work.write({ ...FLEET, 'fleet/data/models.yaml': `measurements: [${rows.join(', ')}]\n` });
  const { code, out } = work.run('fit Qwen/Qwen3-8B ./fleet --gpu h100 --tp 1 --concurrency 16 --json');
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('"outputTokensPerSecond":') as string });
});

test('a deployment with an error stops no answer, has its load in it, and is reported', () => {
  const large = `---
apiVersion: fleetwright.dev/v1alpha1
kind: ModelDeployment
metadata: { name: large, namespace: ml }
spec:
  replicas: 1
  model:
    repository: Qwen/Qwen3-235B-A22B
    concurrency: 10000
    load: { requestsPerSecond: 12, inputTokens: 1000, outputTokens: 200 }
`;
  work.write({ 'fleet/fleet.yaml': SMALL + large });
  const command = 'fit Qwen/Qwen3-235B-A22B ./fleet';
  const { code, out, err } = work.run(command);
  expect([code, out, err]).toEqual([
    1,
    expect.stringMatching(/h100 [^]*How many replicas carry 12 requests a second/),
    expect.stringContaining('no layout of Qwen/Qwen3-235B-A22B on h100 holds'),
  ]);
  expect(JSON.parse(work.run(`${command} --json`).out)).toMatchObject({
    loads: [{ deployment: 'ml/large' }],
    problems: [{ what: expect.stringContaining('no layout of Qwen/Qwen3-235B-A22B on h100 holds') }],
  });
});

test('replicas that lose their places are no errors: plan reports them', () => {
  work.write({ 'fleet/fleet.yaml': SMALL });
  work.run('lock ./fleet');
  work.write({ 'fleet/fleet.yaml': SMALL.replace('count: 8\n      capacity', 'count: 4\n      capacity') });
  expect(work.run('plan ./fleet').code).not.toBe(0);
  expect(work.run('fit Qwen/Qwen3-8B ./fleet')).toMatchObject({ code: 0, err: '' });
});
