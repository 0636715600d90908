import { attempt } from '../../src/base/attempt';
import { formatDiagnostic } from '../../src/base/diagnostic';
import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';
import { aCache, aClass, aCluster, aDeployment, aMember, byPath, type Doc, gpus, request } from '../api/build';

const L4 = { memory: '23034Mi', architecture: 'Ada Lovelace' };
const H100 = { memory: '81559Mi' };
const FLEET = [
  aClass('l4', { devices: [gpus(8, L4)] }),
  aClass('h100', { devices: [gpus(8, H100)] }),
  aClass('odd', { devices: [gpus(8, { memory: '20Gi', architecture: 'Ampere' })] }),
  aClass('both', {
    devices: [gpus(4, { ...L4, name: 'small' }), gpus(4, { ...H100, name: 'large' })],
  }),
  aCluster('a', { pools: { l4: 4 }, storage: { sharedFilesystem: { storageClassName: 'nfs' } } }),
  aCluster('b', { pools: { h100: 4 } }),
  aCluster('c', { pools: { odd: 4 } }),
];

const SMALL = 'device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("23034Mi")) == 0';
const LARGE = 'device.capacity["gpu.nvidia.com"].memory.isGreaterThan(quantity("60Gi"))';
const ODD = 'device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("20Gi")) == 0';

const BUCKET = {
  source: 'S3',
  huggingFace: undefined,
  s3: { uri: 's3://weights/q', region: 'us-east-1' },
  sizeGiB: 99,
};

interface Row {
  args: string[];
  on?: string;
  gpus?: number;
  image?: string;
  command?: string[];
  cache?: Doc;
  model?: Doc;
  group?: 'modelplane.ai';
  errors?: (string | RegExp)[];
  warnings?: (string | RegExp)[];
  notes?: string[];
}

const cases: Record<string, Row> = {
  'a model that fits': { args: ['Qwen/Qwen3-8B', '--max-model-len=8192'] },
  'weights that exceed the memory of all GPUs': {
    args: ['Qwen/Qwen3-32B', '--max-model-len=4096', '-tp=2'],
    gpus: 2,
    errors: [/args\.0: weights of 61\.\d GiB on 2 x l4 of 22\.0 GiB: the engine does not start\. Use more or larger/],
  },
  'weights that do not fit the GPUs that are used, and may fit those that are claimed': {
    args: ['Qwen/Qwen3-32B', '--max-model-len=4096'],
    gpus: 4,
    errors: [
      /on 1 x l4 of 22\.0 GiB: .* The pod claims 4 GPUs, and the engine uses 1: set --tensor-parallel-size=4\.$/,
    ],
  },
  'weights that do not fit, because the flag of the GPUs is misspelled': {
    args: ['Qwen/Qwen3-32B', '--max-model-len=4096', '--tensor-paralel-size=4'],
    gpus: 4,
    errors: [
      /args\.2: --tensor-paralel-size is probably a misspelling of --.*: weights of .* Use --tensor-parallel-size\.$/,
    ],
  },
  'weights that do not fit, because the flag of their format is misspelled': {
    args: ['Qwen/Qwen3-14B', '--max-model-len=4096', '--quantisation=fp8'],
    errors: [/args\.2: --quantisation is probably a misspelling of --quantization, .* Use --quantization\.$/],
  },
  'a longest request that may not fit, because its flag is misspelled': {
    args: ['Qwen/Qwen3-8B', '--max-modle-len=4096'],
    warnings: [/does not fit.*may not start\. Use --max-model-len instead of --max-modle-len\.$/],
  },
  'a request that is longer than the model allows': {
    args: ['Qwen/Qwen3-8B', '--max-model-len=50000'],
    on: LARGE,
    warnings: [
      /args\.1: one request has up to 50,000 tokens, and Qwen\/Qwen3-8B allows 40,960: the engine may not start\. Set --max-model-len=40960 or less, .* or set VLLM_ALLOW_LONG_MAX_MODEL_LEN=1\.$/,
    ],
  },
  'a request that is longer than the model allows, of a model that is extended': {
    args: ['Qwen/Qwen3-8B', '--max-model-len=50000', '--hf-overrides={}'],
    on: LARGE,
  },
  'weights that leave less than the engine takes': {
    args: ['Qwen/Qwen3-8B', '--max-model-len=4096', '--gpu-memory-utilization=0.71'],
    errors: [/args\.0: weights of 15\.3 GiB a GPU leave 0\.\d GiB of the memory that it uses on 1 x l4/],
  },
  'one request that is too long, whatever the layout, because the model does not allow it': {
    args: ['Qwen/Qwen3-32B', '--max-model-len=131072', '-tp=1'],
    on: LARGE,
    errors: [
      /args\.1: one request of 131,072 tokens does not fit on 1 x h100 of 79\.2 GiB, so the engine does not start\. Set --max-model-len=\d+ or less, which fits by the expected estimate of memory use, or use more or larger GPUs\.$/,
    ],
  },
  'one request that is too long for memory and for the model, with the shorter of both as advice': {
    args: ['Qwen/Qwen3-8B', '--max-model-len=1000000'],
    on: LARGE,
    errors: [
      /args\.1: one request of 1,000,000 tokens .* Set --max-model-len=40960 or less, the longest of Qwen\/Qwen3-8B, or use more or larger GPUs\.$/,
    ],
  },
  'one request that is too long for memory, of a model that is extended': {
    args: ['Qwen/Qwen3-8B', '--max-model-len=1000000', '--hf-overrides={}'],
    on: LARGE,
    errors: [
      /args\.1: one request of 1,000,000 tokens .* Set --max-model-len=\d{6} or less, which fits by the expected .*, or use more or larger GPUs, such as 4 x H100, TP 4 \(class h100\)\.$/,
    ],
  },
  'one request of a length that only the container knows': {
    args: ['Qwen/Qwen3-32B', '--max-model-len=$(LENGTH)'],
    on: LARGE,
  },
  'the longest request of the model, which no argument states': {
    args: ['Qwen/Qwen3-8B'],
    warnings: [/one request of 40,960 tokens, the longest of the model, .* may not start.* such as 2 x L4, TP 2/],
  },
  'a length that the engine fits itself': { args: ['Qwen/Qwen3-8B', '--max-model-len=auto'] },
  'a request that the range decides about': {
    args: ['Qwen/Qwen3-8B', '--max-model-len=24k'],
    warnings: [
      /args\.1: one request of 24,000 tokens needs 3\.3 GiB of KV cache a GPU.*, and between .* may not start\. Set --max-model-len=\d+ or less, which fits by the highest estimate of memory use, or/,
    ],
  },
  'a cache of fp8, which halves what a request needs': {
    args: ['Qwen/Qwen3-8B', '--max-model-len=24k', '--kv-cache-dtype=fp8'],
  },
  'a version that the image does not state': {
    args: ['Qwen/Qwen3-32B', '--max-model-len=131072'],
    on: LARGE,
    image: 'vllm/vllm-openai:latest',
    warnings: [/one request of 131,072 tokens does not fit/],
  },
  'an engine that takes less than usual': {
    args: ['Qwen/Qwen3-32B', '--max-model-len=131072', '--enforce-eager'],
    on: LARGE,
    warnings: [/one request of 131,072 tokens does not fit/],
  },
  'a GPU that the catalog lacks': {
    args: ['Qwen/Qwen3-8B', '--max-model-len=40k'],
    on: ODD,
    warnings: [/one request of 40,000 tokens does not fit/],
  },
  'weights in the memory of the host': { args: ['Qwen/Qwen3-32B', '--cpu-offload-gb=60'] },
  'a TP that does not divide KV heads': {
    args: ['Qwen/Qwen3-8B', '--tensor-parallel-size=3', '--max-model-len=4096'],
    gpus: 3,
    errors: [
      /args\.1: TP 3 does not divide 8 KV heads of Qwen\/Qwen3-8B: the engine does not start. Use TP of 1, 2, 4/,
    ],
  },
  'a conversion to fp8, which halves the weights': {
    args: ['Qwen/Qwen3-32B', '--max-model-len=4096', '--quantization=fp8', '-tp=2'],
    gpus: 2,
  },
  'a quantization that is not understood': { args: ['Qwen/Qwen3-32B', '--quantization=bitsandbytes'] },
  'the model of a cache': {
    args: ['--max-model-len=4096'],
    cache: { huggingFace: { repo: 'Qwen/Qwen3-32B' }, sizeGiB: 100 },
    errors: [/image: weights of 61\.\d GiB on 1 x l4/],
  },
  'the model of a cache by its path': {
    args: ['--model=/mnt/models', '--max-model-len=4096'],
    cache: { huggingFace: { repo: 'Qwen/Qwen3-32B' }, sizeGiB: 100 },
    errors: [/args\.0: weights of 61\.\d GiB on 1 x l4/],
  },
  'another folder than that of the cache': {
    args: ['--model=/other'],
    cache: { huggingFace: { repo: 'Qwen/Qwen3-32B' }, sizeGiB: 100 },
  },
  'experts that TP cuts within blocks of fp8 weights': {
    args: ['Qwen/Qwen3-235B-A22B-FP8', '--max-model-len=4096', '-tp=8'],
    on: LARGE,
    gpus: 8,
    errors: [
      /args\.2: TP 8 does not divide the 1,536 rows of experts into whole blocks of 128 in Qwen\/Qwen3-235B-A22B-FP8: the engine does not start\. Distribute whole experts \(--enable-expert-parallel in vLLM\), or use TP of 1, 2, 4\./,
    ],
  },
  'the same experts, distributed whole': {
    args: ['Qwen/Qwen3-235B-A22B-FP8', '--max-model-len=4096', '-tp=8', '--enable-expert-parallel'],
    on: LARGE,
    gpus: 8,
  },
  'the same experts with a version of vLLM that is not known': {
    args: ['Qwen/Qwen3-235B-A22B-FP8', '--max-model-len=4096', '-tp=8'],
    image: 'vllm/vllm-openai:latest',
    on: LARGE,
    gpus: 8,
    warnings: [/whole blocks of 128 in Qwen\/Qwen3-235B-A22B-FP8: the engine may not start/],
  },
  'the same experts on SGLang, as they are distributed': {
    args: ['--model-path=Qwen/Qwen3-235B-A22B-FP8', '--host=0.0.0.0', '--tp-size=8', '--ep-size=8'],
    command: ['python3', '-m', 'sglang.launch_server'],
    image: 'lmsysorg/sglang:v0.5.5',
    on: LARGE,
    gpus: 8,
  },
  'experts on SGLang that are not distributed': {
    args: ['--model-path=Qwen/Qwen3-235B-A22B-FP8', '--host=0.0.0.0', '--tp-size=8'],
    command: ['python3', '-m', 'sglang.launch_server'],
    image: 'lmsysorg/sglang:v0.5.5',
    on: LARGE,
    gpus: 8,
    warnings: [/TP 8 does not divide the 1,536 rows of experts into whole blocks of 128/],
  },
  'layers of a dense model that TP cuts within blocks of fp8 weights': {
    args: ['Qwen/Qwen3-32B-FP8', '--max-model-len=4096', '-tp=16'],
    on: LARGE,
    gpus: 8,
    errors: [/TP 16 does not divide the 25,600 rows of layers into whole blocks of 128 in Qwen\/Qwen3-32B-FP8/],
  },
  'fp8 weights with a scale a channel, which have no blocks': {
    args: ['RedHatAI/Qwen3-235B-A22B-FP8-dynamic', '--max-model-len=4096', '-tp=8'],
    on: LARGE,
    gpus: 8,
  },
  'a bucket, whose model the deployment names': {
    args: ['--max-model-len=24k'],
    cache: BUCKET,
    model: { repository: 'Qwen/Qwen3-8B' },
    warnings: [/args\.1: one request of 24,000 tokens needs 3\.3 GiB of KV cache a GPU/],
  },
  'a bucket, whose model nothing names': {
    args: ['--max-model-len=24k'],
    cache: BUCKET,
    notes: [
      "The memory and parallelism of engines are not checked for the weights of ml/chat, and neither is the size of their cache: the model is not known. Name it with 'spec.model.repository'.",
    ],
  },
  'a bucket next to a model that the engine loads itself': {
    args: ['Qwen/Qwen3-8B', '--max-model-len=8192'],
    cache: BUCKET,
  },
  'an unknown model, silently': {
    args: ['acme/unknown-9b'],
    notes: [
      "The memory and parallelism of engines are not checked for acme/unknown-9b, which the model catalog lacks. To add a row, run 'fleetwright model add FOLDER --name acme/unknown-9b', where FOLDER has the config.json of the model.",
    ],
  },
  'an unknown model with a name that is similar to one of the catalog': {
    args: ['Qwen/Qwen3-32b-Instuct'],
    notes: [
      "The memory and parallelism of engines are not checked for Qwen/Qwen3-32b-Instuct, which the model catalog lacks. Did you mean Qwen/Qwen3-32B, Qwen/Qwen2.5-32B-Instruct, or Qwen/Qwen3-32B-FP8? If the name is right, add a row with 'fleetwright model add FOLDER --name Qwen/Qwen3-32b-Instuct', where FOLDER has the config.json of the model.",
    ],
  },
  'SGLang, which shortens requests': {
    args: ['--model-path=Qwen/Qwen3-8B', '--host=0.0.0.0'],
    command: ['python3', '-m', 'sglang.launch_server'],
    image: 'lmsysorg/sglang:v0.5.5',
  },
  'SGLang with weights that exceed the memory': {
    args: ['--model-path=Qwen/Qwen3-32B', '--host=0.0.0.0'],
    command: ['python3', '-m', 'sglang.launch_server'],
    image: 'lmsysorg/sglang:v0.5.5',
    errors: [/weights of 61\.\d GiB on 1 x l4/],
  },
  'manifests of the alias group, which must load': {
    args: ['Qwen/Qwen3-32B', '--max-model-len=4096'],
    group: 'modelplane.ai',
    warnings: [/weights of 61\.\d GiB on 1 x l4/],
  },
};

test.each(Object.entries(cases))('the memory of engines: %s', (_, row) => {
  const { args, on = SMALL, gpus: count = 1, image = 'vllm/vllm-openai:v0.23.0', command, cache, model, group } = row;
  const container = { name: 'engine', image, args, ...(command && { command }) };
  const member = aMember({ devices: [request('gpu', count, on)], template: { spec: { containers: [container] } } });
  const options = { engines: [{ name: 'main', members: [member] }], ...(group && { group }) };
  const ref = { ...(cache && { modelCacheRef: { name: 'weights' } }) };
  const deployment = aDeployment('ml/chat', { ...options, ...ref, model });
  const caches = cache ? [aCache('ml/weights', cache)] : [];
  const clusters = FLEET.map((one) => one);
  const taken = attempt(() => decide(assemble([...clusters, deployment, ...caches]), byPath, EMPTY_LOCK));
  const errors = 'problems' in taken ? taken.problems : [];
  const warnings = 'value' in taken ? taken.value.plan.warnings : [];
  const ours = (all: typeof errors): string[] =>
    all.filter(({ code }) => CODES.has(code)).map((one) => formatDiagnostic(one));
  expect(errors.every(({ code }) => code === 'parallelism' || CODES.has(code))).toBe(true);
  expectEach(ours(errors), row.errors ?? []);
  expectEach(ours(warnings), row.warnings ?? []);
  const notes = 'value' in taken ? taken.value.plan.notes.filter((note) => note.startsWith('The memory')) : [];
  expect(notes).toEqual(row.notes ?? []);
});

const CODES = new Set<string>('large-weights long-context undivided-blocks undivided-heads cache-too-small'.split(' '));

function expectEach(texts: readonly string[], want: readonly (string | RegExp)[]): void {
  expect(texts).toEqual(want.map((one) => expect.stringMatching(one) as unknown));
}

function aServed(args: string[], on: string) {
  const container = { name: 'engine', image: 'vllm/vllm-openai:v0.23.0', args };
  const member = aMember({ devices: [request('gpu', 1, on)], template: { spec: { containers: [container] } } });
  return aDeployment('ml/chat', { engines: [{ name: 'main', members: [member] }] });
}

test('a pod that may get a larger GPU of its node may start', () => {
  const any = 'device.driver == "gpu.nvidia.com"';
  const deployment = aServed(['Qwen/Qwen3-32B', '--max-model-len=4096'], any);
  const fleet = assemble([...FLEET.slice(0, 4), aCluster('d', { pools: { both: 1 } }), deployment]);
  const { warnings } = decide(fleet, byPath, EMPTY_LOCK).plan;
  expect(warnings.map(({ code }) => code)).toContain('large-weights');
});

test('an error names its deployment, so that it stops no other', () => {
  const deployment = aServed(['Qwen/Qwen3-32B'], SMALL);
  const taken = attempt(() => decide(assemble([...FLEET, deployment]), byPath, EMPTY_LOCK));
  expect('problems' in taken && taken.problems.map(({ subject }) => subject)).toEqual(['ModelDeployment ml/chat']);
});
