import { formatDiagnostic } from '../../src/base/diagnostic';
import { assemble } from '../../src/fleet/fleet';
import { checkFleet } from '../../src/plan/check-fleet';
import { byPath, type Doc } from '../api/build';
import { CONTAINER, ENGINE, script, serving, told } from './build';

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
  'an engine that nobody can read is left alone': { fields: { command: ['/start.sh'] }, want: [] },
  'an engine that a file may tell the model is left alone': {
    fields: { args: ['--config=a.yaml'] },
    want: [],
  },
  'an engine without a model fails or serves another': {
    fields: { args: ['--port', '8000'] },
    want: [
      `${CONTAINER}.args.0: vLLM is told no model: it then serves facebook/opt-125m without a word. Name the model as its first argument, or set modelCacheRef.`,
    ],
  },
  'a script is told no model by a cache': {
    fields: script('exec vllm serve --port 8000'),
    spec: { cache: 'weights' },
    want: [
      `${CONTAINER}.args.0: vLLM is told no model: it then serves facebook/opt-125m without a word. Name /mnt/models, where its cache is, as its first argument: a script is never changed.`,
    ],
  },
  'a script of another runtime has its own flag': {
    fields: { ...SGLANG, ...script('python3 -m sglang.launch_server --host 0.0.0.0') },
    want: [
      `${CONTAINER}.args.0: SGLang is told no model: it fails at start. Name the model with --model-path, or set modelCacheRef.`,
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
      `${ENGINE}.runtime: the runtime is NIM, and the container starts 'vllm serve' of vLLM. Write 'runtime: vLLM', or leave it out.`,
    ],
  },
  'an image that nothing is known of needs a health path': {
    fields: { image: 'house/llm:1' },
    want: [
      `${CONTAINER}.image: nothing tells the runtime of image 'house/llm:1', so nobody knows how to ask whether it serves. Set healthCheck.path, name a 'runtime' that we know, or set 'healthCheck.enabled: false'.`,
    ],
  },
  'a runtime Custom needs a health path': {
    engine: { runtime: 'Custom' },
    want: [
      `${CONTAINER}.image: nobody knows how to ask an engine of runtime Custom whether it serves. Set healthCheck.path, name a 'runtime' that we know, or set 'healthCheck.enabled: false'.`,
    ],
  },
  'a health path is enough': {
    fields: { image: 'house/llm:1' },
    spec: { healthCheck: { path: '/ok' } },
    want: [],
  },
  'so is to ask nobody': {
    fields: { image: 'house/llm:1' },
    spec: { healthCheck: { enabled: false } },
    want: [],
  },
  'an image that starts no engine needs a command': {
    fields: { ...SGLANG, args: ['--model-path=m'] },
    want: [
      `warning: ${CONTAINER}.image: the image of SGLang starts no engine by itself. Write 'command: [python3, -m, sglang.launch_server]', and its arguments in args.`,
    ],
  },
};

const address: Record<string, Row> = {
  'a port that is none is told, though nothing breaks by it': {
    fields: { args: ['m', '--port', 'http'] },
    want: [`${CONTAINER}.args.2: 'http' of --port is no port. Write a whole number from 1 to 65535.`],
  },
  'a port beyond the last is none': {
    fields: { args: ['m', '--port=65536'] },
    want: [`${CONTAINER}.args.1: '65536' of --port is no port. Write a whole number from 1 to 65535.`],
  },
  'a port that only the container knows is guessed': {
    fields: { args: ['m', '--port=$(PORT)'] },
    want: [
      `warning: ${CONTAINER}.args.1: only the container will know the value of --port, and 8000 is taken for it. Write the number.`,
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
  'an engine on its loopback reaches nobody': {
    fields: { args: ['m', '--host=127.0.0.1'] },
    want: [`${CONTAINER}.args.1: --host 127.0.0.1 lets nobody but its own pod reach the engine. Write '0.0.0.0'.`],
  },
  'so does one whose variable says so': {
    fields: { image: 'ollama/ollama', env: [{ name: 'OLLAMA_HOST', value: 'localhost:11434' }] },
    want: [
      `${CONTAINER}.env.0: OLLAMA_HOST localhost:11434 lets nobody but its own pod reach the engine. Write '0.0.0.0'.`,
    ],
  },
  'so does a script that leaves the address to its runtime': {
    fields: { ...SGLANG, ...script('python3 -m sglang.launch_server --model-path m') },
    want: [
      `${CONTAINER}.args.0: SGLang listens on 127.0.0.1 unless it is told otherwise, and a script is never changed. Add '--host 0.0.0.0' to it.`,
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
      `warning: ${CONTAINER}.args.0: nobody can read the block size that --block-size gets, and the endpoint picker counts with 16. Write the number.`,
    ],
  },
};

describe.each(Object.entries({ model, runtime, address, block }))('%s:', (_, rows) => {
  test.each(Object.entries(rows))('%s', (_, { fields = {}, engine = {}, spec = {}, want }) => {
    expect(told(serving(fields, engine, spec))).toEqual(want);
  });
});

test('a cache that is not declared is one problem, and not also a missing model', () => {
  const deployment = serving({}, {}, { cache: 'weights' });
  expect(checkFleet(assemble([deployment]), byPath).map(formatDiagnostic)).toEqual([
    "ModelDeployment ml/qwen3 spec.template.spec.modelCacheRef.name: there is no ModelCache 'weights'. Declare it.",
  ]);
});

test('what is an error of ours is a warning of the alias group: what loads there loads here', () => {
  expect(told(serving({}, {}, { group: 'modelplane.ai' }))).toEqual([
    expect.stringMatching(/^warning: .*vLLM is told no model/),
  ]);
});
