import { compileOutputSchema } from '../../output-schema';
import { SMALL, Workspace } from '../cli';
import { MEASURED, runFit, SETTINGS } from './run-fit';

let work: Workspace;
beforeEach(() => {
  work = new Workspace();
});
afterEach(() => work.remove());

const ROW = `{ repository: house/tuned, layers: 64, attention: { kind: gqa, kvHeads: 8, headDim: 128 }, positions: 40960,
  quantization: fp8, weightsGiB: 31.5, source: ours, asOf: '2026-11-20' }`;

const fit = (args: string) => runFit(work, args);

test('a logged KV memory gives the tokens and requests of the log', () => {
  const { rows, ...rest } = fit(
    'Qwen/Qwen3.5-397B-A17B-FP8 --gpu H200 --tp 4 --kv-gib 26.76 --context 10000 --engine vllm@v0.18.0',
  );
  expect(rest).toEqual({
    kind: 'Fit',
    version: 1,
    model: 'Qwen/Qwen3.5-397B-A17B-FP8',
    context: 10_000,
    concurrency: 1,
    currency: 'USD',
  });
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({
    hardware: 'h200',
    gpuMemoryGiB: 139.81,
    layout: { tp: 4, pp: 1, dp: 1, ep: 1, nodes: 1 },
    kvGiBPerGpu: { low: 26.76, expected: 26.76, high: 26.76 },
    kvBytesPerTokenPerGpu: 15_360,
    pricePerHour: null,
  });
  expect(rows[0]?.concurrency?.expected).toBeCloseTo(136.23, 2);
});

test('without a fleet, the instance types of the catalog are asked, the cheapest that fits first', () => {
  const { rows } = fit('Qwen/Qwen3-32B --context 32k --concurrency 16');
  const prices = rows.filter(({ verdict }) => verdict === 'fits').map((row) => row.pricePerHour ?? Infinity);
  expect(prices).toEqual(prices.toSorted((a, b) => a - b));
  expect(new Set(rows.map(({ hardware }) => hardware)).size).toBeGreaterThan(50);
  expect(rows.some(({ free }) => free !== undefined)).toBe(false);
});

test('in a fleet, its classes are asked, with their prices and what is free', () => {
  const { rows } = fit('Qwen/Qwen3-8B examples/two-clouds');
  expect(new Set(rows.map(({ hardware }) => hardware))).toEqual(new Set(['eks-l4', 'gke-l4']));
  for (const row of rows) expect(row).toMatchObject({ free: expect.any(Number) as number, gpu: 'l4' });
});

const NO_ROOM =
  "No layout that fits has room in the fleet now. Declare one, and 'fleetwright plan' says what makes room: moves of other replicas, packing or more nodes.";

test.each([
  ['has room', 'Qwen/Qwen3-8B examples/two-clouds', false],
  ['has none', 'Qwen/Qwen3-8B examples/two-clouds --tp 4', true],
])('of a fleet that %s, it says so', (_, args, full) => {
  expect(work.run(`fit ${args}`).out.includes(NO_ROOM)).toBe(full);
});

test('the price of an hour for each request at once is explained where one is listed', () => {
  const said = 'PER HOUR/REQUEST: PER HOUR divided by the expected REQUESTS, not the price of one request.';
  expect(work.run('fit Qwen/Qwen3-8B examples/two-clouds').out).toContain(said);
  expect(work.run('fit Qwen/Qwen3-8B --gpu h200').out).not.toContain(said);
});

test('of a model that no class of the fleet serves, it says so, without a legend of columns', () => {
  const { out } = work.run('fit meta-llama/Llama-3.1-405B-Instruct examples/three-clouds');
  expect(out).toContain(
    "\nNo layout that was tried on the classes of the fleet serves it. Without DIR, machines of the catalog are tried: 'fleetwright fit meta-llama/Llama-3.1-405B-Instruct'.\n",
  );
  expect(out).not.toMatch(/^(WEIGHTS|FREE)/m);
});

const nodesOfA100 = (nodes: number): string => `
{apiVersion: fleetwright.dev/v1alpha1, kind: InferenceClass, metadata: {name: a100}, spec: {from: aws/p4de.24xlarge}}
---
{apiVersion: fleetwright.dev/v1alpha1, kind: InferenceCluster, metadata: {name: us}, spec: {cluster: {source: Existing, existing: {context: us}}, nodePools: [{name: p, className: a100, nodeCount: ${nodes}}]}}
`;

const fitOnA100 = (nodes: number): string => {
  work.write({ 'large/fleet.yaml': nodesOfA100(nodes) });
  return work.run('fit deepseek-ai/DeepSeek-R1-0528 ./large').out;
};

test('of a model that classes of the fleet serve on more nodes, it says on how many', () => {
  expect(fitOnA100(1)).toContain(
    "\nNo layout serves it on as many nodes as the pools of the fleet have. With 2 nodes in one pool, class a100 does: 16 x a100-80gb, TP 8 x PP 2, 2 nodes. Without DIR, machines of the catalog are tried: 'fleetwright fit deepseek-ai/DeepSeek-R1-0528'.\n",
  );
  expect(fitOnA100(2)).not.toMatch(/No layout/);
});

test('the document is as its schema says', () => {
  const validate = compileOutputSchema('fit');
  for (const args of ['deepseek-ai/DeepSeek-V4-Pro', 'BAAI/bge-m3', 'Qwen/Qwen3-8B examples/two-clouds']) {
    validate(fit(args));
    expect(validate.errors ?? []).toEqual([]);
  }
  expect(validate({ ...fit('Qwen/Qwen3-8B'), version: 2 })).toBe(false);
});

test('the text says in which order several rows are', () => {
  const { out } = work.run('fit Qwen3-32B --gpu h100');
  expect(out).toContain('\nOrder: what fits before what is tight, then the lowest PER HOUR, unknown prices last');
});

test('the text says that a GPU alone is not tried on several nodes, where one node does not serve', () => {
  const said = 'Layouts on several nodes were not tried';
  expect(work.run('fit meta-llama/Llama-3.1-405B-Instruct --gpu h100').out).toContain(said);
  expect(work.run('fit meta-llama/Llama-3.1-405B-Instruct --gpu h200').out).not.toContain(said);
});

test('requests that are longer than the model takes have no layout that fits, whatever memory holds', () => {
  const { out } = work.run('fit meta-llama/Llama-3.1-70B-Instruct --gpu h100 --tp 4 --context 200k');
  const [, warning, , , row, , reason] = out.split('\n');
  expect(warning).toBe('The model has 131,072 positions: engines refuse 200,000 tokens without RoPE scaling.');
  expect(row).toMatch(/ 131,072 {2}too long /);
  expect(reason).toContain('TP 4: memory: fits: at least 2 requests');
});

test('the text names the number that decides', () => {
  expect(work.run('fit Qwen3-32B --gpu h100 --tp 1 --context 30000').out).toBe(
    `Qwen/Qwen3-32B: 1 request of 30,000 tokens at once, memory as of vllm 0.20

HARDWARE  GPU       LAYOUT  WEIGHTS  KV CACHE  REQUESTS  MAX CONTEXT  VERDICT  PER HOUR  PER HOUR/REQUEST
h100      1 x h100   1 GPU     61.0  5.8-10.6       0-1       23,808  tight           -                 -

h100, 1 GPU: tight: 1 request of 30,000 tokens needs 7.3 GiB of KV cache a GPU, between 5.8 GiB and 10.6 GiB are available.
A GPU by name has no price. Without --gpu, the machines of the catalog are listed, with prices.
WEIGHTS and KV CACHE: GiB a GPU. REQUESTS: at once, as a range. MAX CONTEXT: the tokens that one request alone has for certain. Prices: USD for the GPUs taken, as a share of their nodes. -: not known.
Bounds of h100, 1 GPU, not predictions: at most, in tokens a second, 48 of one request, 48 of all requests at once, and 15,095 of prompts.
Speeds need measurements: add them with 'fleetwright fit Qwen/Qwen3-32B DIR --measured FILE'.
`,
  );
});

test('a fleet has models of its own', () => {
  work.write({
    'fleet/fleet.yaml': SMALL,
    'fleet/settings.yaml': SETTINGS,
    'fleet/data/models.yaml': `models: [${ROW}]\n`,
  });
  expect(fit('house/tuned ./fleet').model).toBe('house/tuned');
  expect(work.run('validate ./fleet').code).toBe(0);
});

const configs: Record<string, string> = {
  'a row': ROW,
  'a row with the shape alone': '{ layers: 64, attention: { kind: gqa, kvHeads: 8, headDim: 128 }, weightsGiB: 31.5 }',
  'a model catalog': `models: [${ROW}]`,
  'a config.json': JSON.stringify({
    architectures: ['LlamaForCausalLM'],
    hidden_size: 4096,
    intermediate_size: 14_336,
    num_attention_heads: 32,
    num_hidden_layers: 64,
    num_key_value_heads: 8,
    max_position_embeddings: 40_960,
    vocab_size: 1000,
  }),
};

test.each(Object.entries(configs))('--model-config reads %s', (_, text) => {
  work.write({ 'model.yaml': text });
  const [row] = fit('house/tuned --model-config ./model.yaml --gpu H200 --tp 1').rows;
  expect(row).toMatchObject({ kvBytesPerTokenPerGpu: 262_144, verdict: 'fits' });
});

test('measurements are added to the fleet once, keep its comments, and are interpolated from then on', () => {
  const faster = { ...MEASURED, max_concurrency: 32, output_throughput: 1000, request_throughput: 5 };
  work.write({
    'fleet/fleet.yaml': SMALL,
    'fleet/settings.yaml': SETTINGS,
    'fleet/data/models.yaml': '# ours\nmodels: []\n',
    'eight.json': JSON.stringify(MEASURED),
    'more.json': JSON.stringify(faster),
  });
  const add = 'Qwen/Qwen3-8B ./fleet --gpu h100 --tp 1 --measured ./eight.json --measured ./more.json';
  fit(add);
  const text = work.read('fleet/data/models.yaml');
  fit(add);
  expect(work.read('fleet/data/models.yaml')).toBe(text);
  expect(text).toMatch(/^# ours\n/);
  const [row] = fit('Qwen/Qwen3-8B ./fleet --gpu h100 --tp 1 --concurrency 20').rows;
  expect(row?.measured).toMatchObject({
    outputTokensPerSecond: 700,
    from: [{ source: 'eight.json, vllm bench serve' }, { source: 'more.json, vllm bench serve' }],
  });
  expect(fit('Qwen/Qwen3-8B ./fleet --gpu h100 --tp 1 --concurrency 40').rows[0]?.measured).toBeUndefined();
});

const bad: Record<string, [args: string, want: RegExp]> = {
  'a model that is not known': [
    'Qwen/Qwen3-33B',
    /^Qwen\/Qwen3-33B: unknown model\. The nearest are 'Qwen\/Qwen3-32B', '[^']+', '[^']+'; 'fleetwright model' lists all; 'fleetwright fit --model-config FILE' reads/,
  ],
  'a context that is no number': [
    'Qwen/Qwen3-32B --context long',
    /^--context: 'long' is not a whole number from 1 to 1000000000\. Write a whole number: '32768', '32k'/,
  ],
  'no request': ['Qwen/Qwen3-32B --concurrency 0', /^--concurrency: '0' is not a whole number/],
  'a dtype that is nearly known': [
    'Qwen/Qwen3-32B --kv-dtype fp9',
    /^--kv-dtype: 'fp9' is not known\. Did you mean 'fp8'\?/,
  ],
  'a quantization that is not known': [
    'Qwen/Qwen3-32B --quantization fp16x',
    /^--quantization: 'fp16x' is not known\. (Did you mean|Use one of)/,
  ],
  'an engine that is nearly known': [
    'Qwen/Qwen3-32B --engine vlm@0.20',
    /^--engine: 'vlm' is not known\. Did you mean 'vllm'\?/,
  ],
  'a version that is none': [
    'Qwen/Qwen3-32B --engine vllm@new',
    /^--engine: 'new' is not a version\. Write major and minor: 'vllm@0\.20'/,
  ],
  'a share above 1': [
    'Qwen/Qwen3-32B --gpu-memory-utilization 92',
    /^--gpu-memory-utilization: '92' is not a fraction/,
  ],
  'memory that is no number': ['Qwen/Qwen3-32B --kv-gib 4GB', /^--kv-gib: '4GB' is not a number of GiB/],
  'a GPU that is nearly known': ['Qwen/Qwen3-32B --gpu h20', /^--gpu: there is no GPU 'h20'\. Did you mean 'h200'\?/],
  'measurements without a fleet': [
    'Qwen/Qwen3-32B --measured ./x.json',
    /^--measured: there is no model catalog to add the results to\./,
  ],
};

test.each(Object.entries(bad))('%s is refused', (_, [args, want]) => {
  const { code, err } = work.run(`fit ${args}`);
  expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(want) as string });
});

const badFiles: Record<string, [files: Record<string, string>, want: RegExp]> = {
  'a row without a figure': [
    { 'm.yaml': ROW.replace('kvHeads: 8, ', '') },
    /m\.yaml:1:\d+: the field 'kvHeads' is missing\. Attention of kind gqa needs it/,
  ],
  'a misspelt field': [
    { 'm.yaml': ROW.replace('layers', 'layer') },
    /m\.yaml:1:\d+: unknown field 'layer'\. Use 'layers'/,
  ],
  'a field of another kind of attention': [
    { 'm.yaml': ROW.replace('headDim: 128', 'headDim: 128, kvLoraRank: 512') },
    /m\.yaml:1:\d+: attention of kind gqa has no 'kvLoraRank'\. Use kvHeads, headDim/,
  ],
  'an architecture that is not known': [
    { 'm.yaml': '{ "architectures": ["NewForCausalLM"] }' },
    /m\.yaml: the attention of architecture 'NewForCausalLM' is not known/,
  ],
  'a catalog without the model': [
    { 'm.yaml': `models: [${ROW.replace('house/tuned', 'house/other')}]` },
    /m\.yaml: it has no model 'house\/tuned'\. Known models: house\/other/,
  ],
};

test.each(Object.entries(badFiles))('%s is refused with its place', (_, [files, want]) => {
  work.write(files);
  const { code, err } = work.run('fit house/tuned --model-config ./m.yaml --gpu h200');
  expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(want) as string });
});

test('a context beyond the positions of the model is sized, with a warning', () => {
  const { code, out } = work.run('fit Qwen/Qwen3-32B --gpu h200 --tp 8 --context 128k');
  expect(code).toBe(0);
  expect(out).toContain('The model has 40,960 positions: engines refuse 128,000 tokens without RoPE scaling.');
});

test.each([
  ['modelopt_fp4', 'nvfp4'],
  ['awq', 'int4'],
  ['compressed-tensors', 'bf16'],
])('--quantization takes what engines call %s', (name, same) => {
  const [weights, want] = [name, same].map((format) => {
    return fit(`Qwen/Qwen3-32B --gpu h200 --tp 2 --quantization ${format}`).rows[0]?.weightsGiBPerGpu;
  });
  expect(weights).toBe(want);
});

test('a GPU that no class of the fleet has is refused', () => {
  work.write({ 'fleet/fleet.yaml': SMALL });
  expect(work.run('fit Qwen/Qwen3-8B ./fleet --gpu h200').err).toBe(
    "--gpu: no class of the fleet has the GPU 'h200'. Its classes have h100.\n",
  );
});

test('measurements of another model are refused', () => {
  work.write({
    'fleet/fleet.yaml': SMALL,
    'fleet/settings.yaml': SETTINGS,
    'fleet/data/models.yaml': 'models: []\n',
    'eight.json': JSON.stringify(MEASURED),
    'none.json': '{}',
  });
  const run = (file: string): string =>
    work.run(`fit Qwen/Qwen3-32B ./fleet --gpu h100 --tp 1 --measured ./${file}`).err;
  expect(run('eight.json')).toMatch(/it measures 'Qwen\/Qwen3-8B', not 'Qwen\/Qwen3-32B'/);
  expect(run('none.json')).toMatch(/it has no benchmark result\. Use a JSON file from/);
});
