import { checkEngines, listEngineWarnings } from '../../src/engine/checks/check-engines';
import { SGLANG_FLAGS } from '../../src/catalog/engines/sglang-flags';
import { assemble } from '../../src/fleet/fleet';
import { aDeployment, aMember } from '../api/build';

function findingsFor(args: string[], image = 'vllm/vllm-openai:v0.23.0'): string[] {
  const command = image.startsWith('vllm') ? {} : { command: ['python3', '-m', 'sglang.launch_server'] };
  const container = { name: 'engine', image, ...command, args };
  const member = aMember({ template: { spec: { containers: [container] } } });
  const fleet = assemble([aDeployment('ml/chat', { engines: [{ name: 'main', members: [member] }] })]);
  const own = new Set(['bad-flag-value', 'unknown-flag', 'unknown-flag-value', 'misspelled-flag']);
  const found = [...checkEngines(fleet), ...listEngineWarnings(fleet)].filter(({ code }) => own.has(code));
  return found.map(({ code, hint }) => `${code}: ${hint}`);
}

const COUNT = 'bad-flag-value: Use a whole number of 1 or more';
const SHARE = 'bad-flag-value: Use a number above 0 and up to 1, such as 0.9';

test.each([
  ['--max-model-len=0', `${COUNT}, such as 8192`],
  ['--max-model-len=-5', `${COUNT}, such as 8192`],
  ['--max-model-len=abc', `${COUNT}, such as 8192`],
  ['--tensor-parallel-size=-2', COUNT],
  ['--tensor-parallel-size=two', COUNT],
  ['--tensor-parallel-size=0', COUNT],
  ['--gpu-memory-utilization=95', SHARE],
  ['--gpu-memory-utilization=0', SHARE],
  ['--dtype=bf16', 'bad-flag-value: Use one of auto, half, float16, bfloat16, float, float32'],
  ['--quantization=fp9', "unknown-flag-value: Use 'fp8'"],
  ['--kv-cache-dtype=fp_8', "unknown-flag-value: Use 'fp8'"],
  ['--max-model-len', 'bad-flag-value: Write its value after it, or remove --max-model-len'],
  ['--runner=embed', 'unknown-flag-value: Use one of auto, generate, pooling, draft'],
  ['--max-model-length=8192', 'misspelled-flag: Use --max-model-len'],
  ['--foo-bar=1', 'unknown-flag: Remove it, or check that the release in the image has it'],
  ['--tp-size=2', 'unknown-flag: Remove it, or check that the release in the image has it'],
  ['-tensor-parallel-size=2', 'misspelled-flag: Use --tensor-parallel-size'],
])('vLLM refuses %s, and the finding says what it accepts', (argument, want) => {
  expect(findingsFor(['Qwen/Qwen3-8B', argument])).toEqual([want]);
});

test.each([
  '--max-model-len=8k',
  '--max-model-len=25.6k',
  '--max-model-len=auto',
  '--max-model-len=-1',
  '--max-model-len=$(LENGTH)',
  '--tensor-parallel-size=2',
  '-tp=2',
  '--gpu-memory-utilization=0.95',
  '--gpu-memory-utilization=1',
  '--dtype=bfloat16',
  '--quantization=fp8',
  '--quantization=online',
  '--kv-cache-dtype=fp8_e5m2',
  '--ec-transfer-config={}',
  '--runner=pooling',
])('vLLM accepts %s, and nothing is found', (argument) => {
  expect(findingsFor(['Qwen/Qwen3-8B', argument])).toEqual([]);
});

function sglang(argument: string): string[] {
  return findingsFor(['--model-path=Qwen/Qwen3-8B', argument], 'lmsysorg/sglang:v0.5.9');
}

test('SGLang has flags and values of its own', () => {
  expect(sglang('--tp-size=two')).toEqual([COUNT]);
  expect(sglang('--mem-fraction-static=90')).toEqual([SHARE]);
  expect(sglang('--tp-size=2')).toEqual([]);
  expect(sglang('--kv-cache-dtype=fp8')).toEqual([
    'unknown-flag-value: Use one of auto, fp8_e5m2, fp8_e4m3, bf16, bfloat16, fp4_e2m1',
  ]);
});

test.each([
  ['--mem-fraction-staic=0.9', ['misspelled-flag: Use --mem-fraction-static']],
  ['--enable-dp-atention', ['misspelled-flag: Use --enable-dp-attention']],
  ['--tensor-paralel-size=2', ['misspelled-flag: Use --tensor-parallel-size']],
  ['--gpu-memory-utilization=0.9', ['unknown-flag: Remove it, or check that the release in the image has it']],
  ['--tp=2', []],
  ['--enable-hicache', []],
  ['--cuda-graph-max-bs-decode=256', []],
  ['--disable-cuda-graph', []],
  ['--nsa-prefill-backend=flashmla_kv', []],
])('SGLang has or lacks %s', (argument, want) => {
  expect(sglang(argument)).toEqual(want);
});

test('no flag of SGLang is reported as unknown or misspelled', () => {
  const args = ['--model-path=Qwen/Qwen3-8B', ...SGLANG_FLAGS.map((flag) => `${flag}=1`)];
  const found = findingsFor(args, 'lmsysorg/sglang:v0.5.9');
  expect(SGLANG_FLAGS.length).toBeGreaterThan(500);
  expect(found.filter((one) => one.startsWith('unknown-flag:') || one.startsWith('misspelled-flag'))).toEqual([]);
});
