import { formatDiagnostic } from '../../src/base/diagnostic';
import { assemble } from '../../src/fleet/fleet';
import { checkFleet } from '../../src/plan/check-fleet';
import { byPath, type Doc } from '../api/build';
import { CONTAINER, ENGINE, reported, script, serving } from './build';

const SGLANG = { image: 'lmsysorg/sglang:v0.5.9' };

interface Row {
  fields?: Doc;
  engine?: Doc;
  spec?: Doc;
  want: string[];
}

const model: Record<string, Row> = {
  'an engine with a model is fine': { fields: { args: ['Qwen/Qwen3-8B'] }, want: [] },
  'an engine whose cache is its model is fine': { spec: { cache: 'weights' }, want: [] },
  'an engine that no one can read is left alone': { fields: { command: ['/start.sh'] }, want: [] },
  'an engine that a file may tell the model is left alone': {
    fields: { args: ['--config=a.yaml'] },
    want: [],
  },
  'an engine without a model fails or serves another': {
    fields: { args: ['--port', '8000'] },
    want: [
      `${CONTAINER}.args.0: no model set: vLLM would serve its default, facebook/opt-125m. Set the model as its first argument, or set modelCacheRef.`,
    ],
  },
  'a script is reported no model by a cache': {
    fields: script('exec vllm serve --port 8000'),
    spec: { cache: 'weights' },
    want: [
      `${CONTAINER}.args.0: no model set: vLLM would serve its default, facebook/opt-125m. Set /mnt/models, the path of its cache, as its first argument: Fleetwright does not change scripts.`,
    ],
  },
  'a script of another runtime has its own flag': {
    fields: { ...SGLANG, ...script('python3 -m sglang.launch_server --host 0.0.0.0') },
    want: [
      `${CONTAINER}.args.0: no model set: SGLang would fail at start. Set the model with --model-path, or set modelCacheRef.`,
    ],
  },
};

const runtime: Record<string, Row> = {
  'a runtime that the container starts is fine': {
    fields: { command: ['vllm', 'serve'], args: ['m'] },
    engine: { runtime: 'vLLM' },
    want: [],
  },
  'a runtime that the container does not start is a contradiction': {
    fields: { command: ['vllm', 'serve'], args: ['m'] },
    engine: { runtime: 'NIM' },
    want: [
      `${ENGINE}.runtime: the runtime is NIM, and the container starts 'vllm serve' of vLLM. Set 'runtime: vLLM', or remove it.`,
    ],
  },
  'an image that nothing is known of needs a health path': {
    fields: { image: 'house/llm:1' },
    want: [
      `${CONTAINER}.image: the runtime of image 'house/llm:1' is unknown, so its health check is unknown too. Set healthCheck.path, set 'runtime' to a known runtime, or set 'healthCheck.enabled: false'.`,
    ],
  },
  'a runtime Custom needs a health path': {
    engine: { runtime: 'Custom' },
    want: [
      `${CONTAINER}.image: the health check of runtime Custom is unknown. Set healthCheck.path, set 'runtime' to a known runtime, or set 'healthCheck.enabled: false'.`,
    ],
  },
  'a health path is enough': {
    fields: { image: 'house/llm:1' },
    spec: { healthCheck: { path: '/ok' } },
    want: [],
  },
  'so is to ask no one': {
    fields: { image: 'house/llm:1' },
    spec: { healthCheck: { enabled: false } },
    want: [],
  },
  'nor does the image of vLLM for TPUs start an engine': {
    fields: { image: 'vllm/vllm-tpu:v0.19.0', args: ['m'] },
    want: [
      `warning: ${CONTAINER}.image: the image of vLLM does not start an engine by itself. Set 'command: [vllm, serve]', and its arguments in args.`,
    ],
  },
  'an image that does not start an engine needs a command': {
    fields: { ...SGLANG, args: ['--model-path=m'] },
    want: [
      `warning: ${CONTAINER}.image: the image of SGLang does not start an engine by itself. Set 'command: [python3, -m, sglang.launch_server]', and its arguments in args.`,
    ],
  },
};

const address: Record<string, Row> = {
  'a port that is none is reported, though nothing breaks by it': {
    fields: { args: ['m', '--port', 'http'] },
    want: [`${CONTAINER}.args.2: 'http' of --port is not a port. Use a whole number from 1 to 65535.`],
  },
  'a port beyond the last is none': {
    fields: { args: ['m', '--port=65536'] },
    want: [`${CONTAINER}.args.1: '65536' of --port is not a port. Use a whole number from 1 to 65535.`],
  },
  'a port that only the container knows is guessed': {
    fields: { args: ['m', '--port=$(PORT)'] },
    want: [
      `warning: ${CONTAINER}.args.1: the value of --port is known only at run time, and 8000 is assumed. Use a number.`,
    ],
  },
  'an address without a port in a variable is fine': {
    fields: { image: 'ollama/ollama', env: [{ name: 'OLLAMA_HOST', value: '0.0.0.0' }] },
    want: [],
  },
  'a port that is not the declared one is a contradiction': {
    fields: { args: ['m', '--port=8001'] },
    spec: { healthCheck: { port: 8000 } },
    want: [
      `${CONTAINER}.args.1: vLLM listens on port 8001, and healthCheck.port is 8000. Remove healthCheck.port, or make the two equal.`,
    ],
  },
  'the port of a runtime is one too': {
    fields: { args: ['m'] },
    spec: { healthCheck: { port: 9000 } },
    want: [
      `${CONTAINER}.args.0: vLLM listens on port 8000, and healthCheck.port is 9000. Remove healthCheck.port, or make the two equal.`,
    ],
  },
  'the declared port is fine': {
    fields: { args: ['m', '--port=9000'] },
    spec: { healthCheck: { port: 9000 } },
    want: [],
  },
  'a runtime may answer about its health elsewhere': {
    fields: { image: 'nvcr.io/nim/a/b', env: [{ name: 'NIM_HEALTH_PORT', value: '9000' }] },
    spec: { healthCheck: { port: 9000 } },
    want: [],
  },
  'an engine on its loopback reaches no one': {
    fields: { args: ['m', '--host=127.0.0.1'] },
    want: [`${CONTAINER}.args.1: --host 127.0.0.1 makes the engine reachable from its own pod only. Write '0.0.0.0'.`],
  },
  'so does one whose variable says so': {
    fields: { image: 'ollama/ollama', env: [{ name: 'OLLAMA_HOST', value: 'localhost:11434' }] },
    want: [
      `${CONTAINER}.env.0: OLLAMA_HOST localhost:11434 makes the engine reachable from its own pod only. Write '0.0.0.0'.`,
    ],
  },
  'so does a script that leaves the address to its runtime': {
    fields: { ...SGLANG, ...script('python3 -m sglang.launch_server --model-path m') },
    want: [
      `${CONTAINER}.args.0: SGLang listens on 127.0.0.1 by default, and Fleetwright does not change scripts. Add '--host 0.0.0.0' to the script.`,
    ],
  },
  'an address is added to arguments that leave it out': {
    fields: { ...SGLANG, command: ['python3', '-m', 'sglang.launch_server'], args: ['--model-path=m'] },
    want: [],
  },
};

const block: Record<string, Row> = {
  'a block size in a script is read': { fields: script('vllm serve m --block-size 32'), want: [] },
  'a block size that only the container knows is guessed': {
    fields: script('vllm serve m --block-size $BLOCKS'),
    want: [
      `warning: ${CONTAINER}.args.0: the value of --block-size is known only at run time, and the endpoint picker assumes a block size of 16. Use a number.`,
    ],
  },
};

const LLAMA_CPP = 'ghcr.io/ggml-org/llama.cpp:server';

const joined = (at: number, flag: string) =>
  `${CONTAINER}.args.${at}: llama.cpp fails at start: it does not take ${flag} and its value as one argument. Write two arguments: ${flag}, and its value.`;

const separation: Record<string, Row> = {
  'values after their flags are fine': {
    fields: { image: LLAMA_CPP, args: ['-hf', 'a/b', '--override-kv', 'a=int:1', '--jinja'] },
    want: [],
  },
  'values joined with their flags are refused where the runtime refuses them': {
    fields: { image: LLAMA_CPP, args: ['--model=/models/a.gguf', '-c=8192', '--api-key=SECRET'] },
    want: [joined(0, '--model'), joined(1, '-c'), joined(2, '--api-key')],
  },
  'values joined with their flags in a script are refused too': {
    fields: { image: LLAMA_CPP, ...script('exec llama-server --model=a.gguf') },
    want: [joined(0, '--model')],
  },
  'other runtimes take joined values': { fields: { args: ['m', '--max-model-len=8192'] }, want: [] },
};

const nearMiss = (at: number, wrong: string, right: string) =>
  `warning: ${CONTAINER}.args.${at}: vLLM has a flag ${right}, and ${wrong} is probably a misspelling of it. Use ${right}.`;

const lacking = (name: string, index: number) =>
  `warning: ${CONTAINER}.args.${index + 1}: vLLM 0.23.0 has no flag ${name}, and an engine with an unknown flag does not start. Remove it, or check that the release in the image has it.`;

const spelling: Record<string, Row> = {
  'flags that the profile reads are fine': {
    fields: { args: ['m', '--max-model-len=1', '--served_model_name', 'a', '-tp=1', '--no-enable-prefix-caching'] },
    want: [],
  },
  'flags of the runtime that the profile does not read are fine': {
    fields: {
      args: ['m', '--runner=pooling', '--enable-prefix-caching', '--no-enforce-eager', '--data-parallel-rpc-port=1'],
    },
    want: [],
  },
  'a flag that the known release lacks and that is unlike all others is no near miss': {
    fields: { args: ['m', '--house-plugin=a', '--sort'] },
    want: ['--house-plugin', '--sort'].map(lacking),
  },
  'a flag and its value in one argument, with a space, are no flag': {
    fields: { args: ['m', '--max-model-len 16384'] },
    want: [
      `${CONTAINER}.args.1: vLLM fails at start: '--max-model-len 16384' is one argument, not a flag. Write '--max-model-len=16384', or two arguments.`,
    ],
  },
  'several flags in one argument are named, without their values': {
    fields: { args: ['m', '--served-model-name=a --api-key=b --port 8000'] },
    want: [
      `${CONTAINER}.args.1: vLLM fails at start: the flags --served-model-name, --api-key, --port are one argument. Write each as an argument of its own, as in 'args: [--a=1, --b=2]'.`,
    ],
  },
  'a model and its flags in one argument are a model that does not exist': {
    fields: { args: ['BAAI/bge-m3 --runner=pooling'] },
    want: [
      `${CONTAINER}.args.0: vLLM fails at start: 'BAAI/bge-m3' and what follows it (--runner) are one argument. Write each as an argument of its own, as in 'args: [--a=1, --b=2]'.`,
    ],
  },
  'values with spaces are fine: text, JSON, and what a flag before them takes': {
    fields: {
      args: ['m', '--chat-template', 'say -- x --y', '--hf-overrides={"a": 1} --b', '--served-model-name', 'a'],
    },
    want: [],
  },
  'a command with its program and its first argument in one word starts nothing': {
    fields: { command: ['vllm serve'], args: ['m'] },
    want: [
      `${CONTAINER}.command.0: the container starts a program with the name 'vllm serve', spaces included, which no image has. Write each word as an item: 'command: [vllm, serve]', and the arguments in args.`,
    ],
  },
  'a flag with two values contradicts itself': {
    fields: { args: ['m', '--max-model-len=16384', '--max-model-len', '8192'] },
    want: [
      `warning: ${CONTAINER}.args.1: --max-model-len is 16384 here and 8192 in a later argument, which counts. Remove one of the two.`,
    ],
  },
  'a flag that is given twice with one value, or that takes several, is fine': {
    fields: { args: ['m', '--max-model-len=1', '--max-model-len=1', '--middleware=a', '--middleware=b'] },
    want: [],
  },
  'a switch that is turned on and off contradicts itself': {
    fields: { args: ['m', '--enable-prefix-caching', '--no-enable-prefix-caching'] },
    want: [
      `warning: ${CONTAINER}.args.2: --no-enable-prefix-caching and --enable-prefix-caching are both given, and the last of them counts. Remove one of the two.`,
    ],
  },
  'nested options of a flag are fine': { fields: { args: ['m', '--compilation-config.level=3'] }, want: [] },
  'a flag with two letters swapped is a near miss': {
    fields: { args: ['m', '--max-modle-len=32768'] },
    want: [nearMiss(1, '--max-modle-len', '--max-model-len')],
  },
  'a flag that lacks a letter is a near miss': {
    fields: { args: ['m', '--runer=pooling', '--served-modl-name', 'a', '--enable-prefix-cachin'] },
    want: [
      nearMiss(1, '--runer', '--runner'),
      nearMiss(3, '--served-modl-name', '--served-model-name'),
      nearMiss(4, '--enable-prefix-cachin', '--enable-prefix-caching'),
    ],
  },
  'a flag in a script is a near miss': {
    fields: script('vllm serve m --max-modle-len 32768'),
    want: [nearMiss(0, '--max-modle-len', '--max-model-len')],
  },
};

describe.each(Object.entries({ model, runtime, address, block, separation, spelling }))('%s:', (_, rows) => {
  test.each(Object.entries(rows))('%s', (_, { fields = {}, engine = {}, spec = {}, want }) => {
    expect(reported(serving(fields, engine, spec))).toEqual(want);
  });
});

test('a cache that is not declared is one problem, and not also a missing model', () => {
  const deployment = serving({}, {}, { cache: 'weights' });
  expect(checkFleet(assemble([deployment]), byPath).map(formatDiagnostic)).toEqual([
    "ModelDeployment ml/qwen3 spec.template.spec.modelCacheRef.name: there is no ModelCache 'weights'. Declare it.",
  ]);
});

test('what is an error of ours is a warning of the alias group: what loads there loads here', () => {
  expect(reported(serving({}, {}, { group: 'modelplane.ai' }))).toEqual([
    expect.stringMatching(/^warning: .*no model set: vLLM/),
  ]);
});
