import type { ModelDeployment } from '../../src/api/model-deployment';
import { aDeployment, aMember, type Doc } from '../api/build';
import { CONTAINER, container, ENGINE, script, reported } from './build';

function podOf(fields: Doc): Doc {
  return { template: { spec: { containers: [container(fields)] } } };
}

/** A gang that asks for its bootstrap. */
function gang(leader: Doc, worker: Doc = {}): ModelDeployment {
  const engine = {
    name: 'main',
    bootstrap: 'Auto',
    members: [aMember({ role: 'Leader', ...podOf(leader) }), aMember({ role: 'Worker', ...podOf(worker) })],
  };
  return aDeployment('ml/qwen3', { engines: [engine] });
}

const WORKER = CONTAINER.replace('members.0', 'members.1');
const CANNOT = `the arguments with which the nodes of the gang find each other cannot be added to this command. Move the arguments to args, or set 'bootstrap: None' and use the variables FLEETWRIGHT_* in the command.`;

describe('a bootstrap that is ours to write', () => {
  const cases: Record<string, { leader: Doc; worker?: Doc; want: string[] }> = {
    'can be added to arguments': { leader: { args: ['m'] }, want: [] },
    'cannot be added to a script': {
      leader: script('vllm serve m'),
      want: [`${CONTAINER}.args.0: ${CANNOT}`],
    },
    'cannot be added to the script of a worker': {
      leader: { args: ['m'] },
      worker: script('vllm serve m'),
      want: [`${WORKER}.args.0: ${CANNOT}`],
    },
    'is of one image': {
      leader: { image: 'vllm/vllm-openai:v0.24.0', args: ['m'] },
      worker: { image: 'vllm/vllm-openai:v0.23.0' },
      want: [
        `warning: ${CONTAINER}.image: the leader of engine 'main' runs image vllm/vllm-openai:v0.24.0, and its workers run vllm/vllm-openai:v0.23.0. Set both to the same image.`,
      ],
    },
    'needs the command for Ray': {
      leader: { command: ['vllm', 'serve'], args: ['m', '--distributed-executor-backend=ray'] },
      want: [`${CONTAINER}.args.0: ${CANNOT}`],
    },
    'is not there for every runtime': {
      leader: { image: 'ghcr.io/ggml-org/llama.cpp:server-cuda', args: ['-m', 'a.gguf'] },
      worker: { image: 'ghcr.io/ggml-org/llama.cpp:server-cuda' },
      want: [
        `${ENGINE}.bootstrap: llama.cpp does not run one engine on several nodes. Set 'bootstrap: None', and start the gang in its containers.`,
      ],
    },
  };
  test.each(Object.entries(cases))('%s', (_, { leader, worker, want }) => {
    expect(reported(gang(leader, worker))).toEqual(want);
  });
});

/** A gang that starts itself, on caches that are declared or not. */
function ownGang(worker: Doc, leader: Doc, spec: Doc): ModelDeployment {
  const members = [aMember({ role: 'Leader', ...podOf(leader) }), aMember({ role: 'Worker', ...podOf(worker) })];
  return aDeployment('ml/qwen3', { engines: [{ name: 'main', members }], ...spec });
}

describe('a worker with neither command nor args', () => {
  const IMAGE = `${WORKER}.image: the Worker has neither command nor args, so its image`;
  const AUTO = `Set 'bootstrap: Auto' of the engine to start it like its Leader, or set the command or the args that join it to its Leader.`;
  const SGLANG = { image: 'lmsysorg/sglang:v0.5.9' };
  const cases: Record<string, { worker?: Doc; leader?: Doc; spec?: Doc; want: string[] }> = {
    'never joins its leader, which is no matter of the model': {
      want: [`${IMAGE} starts vLLM alone and does not join its Leader. ${AUTO}`],
    },
    'never joins it either where a cache gives the model': {
      leader: {},
      spec: { cache: 'weights' },
      want: [`warning: ${IMAGE} starts vLLM alone and does not join its Leader. ${AUTO}`],
    },
    'starts nothing in an image without an engine': {
      worker: SGLANG,
      leader: { ...SGLANG, command: ['python3', '-m', 'sglang.launch_server'], args: ['--model-path=m'] },
      want: [`warning: ${IMAGE} does not start an engine. ${AUTO}`],
    },
    'has no bootstrap to ask for in a runtime that has none': {
      worker: { image: 'ghcr.io/huggingface/text-generation-inference:3.3' },
      leader: { image: 'ghcr.io/huggingface/text-generation-inference:3.3', args: ['--model-id=m'] },
      want: [
        `${IMAGE} starts Text Generation Inference alone and does not join its Leader. Set the command or the args that join it to its Leader.`,
      ],
    },
    'may join in an image of the user': {
      worker: { image: 'house/llm:1' },
      leader: { image: 'house/llm:1' },
      spec: { healthCheck: { path: '/up' } },
      want: [],
    },
  };
  test.each(Object.entries(cases))('%s', (_, { worker = {}, leader = { args: ['m'] }, spec = {}, want }) => {
    expect(reported(ownGang(worker, leader, spec))).toEqual(want);
  });
});

function pair(prefill: Doc, decode: Doc): ModelDeployment {
  const engines = [
    { name: 'p', phase: 'Prefill', members: [aMember(podOf(prefill))] },
    { name: 'd', phase: 'Decode', members: [aMember(podOf(decode))] },
  ];
  return aDeployment('ml/qwen3', { serving: { mode: 'PrefillDecode' }, engines });
}

const DECODE = CONTAINER.replace('engines.0', 'engines.1');
const KV = `--kv-transfer-config '{"kv_connector":"NixlConnector","kv_role":"kv_both"}'`;

describe('a pair', () => {
  const cases: Record<string, { prefill?: Doc; decode?: Doc; want: string[] }> = {
    'of two engines that can be reported all is fine': { want: [] },
    'has no engine on the port of the sidecar': {
      decode: { args: ['m', '--port=8000'] },
      want: [
        `${DECODE}.args.1: the engine and its proxy sidecar both listen on port 8000. Add '--port 8001' to the engine.`,
      ],
    },
    'has no script on the port of the sidecar': {
      decode: script(`vllm serve m ${KV}`),
      want: [
        `${DECODE}.args.0: the engine and its proxy sidecar both listen on port 8000. Add '--port 8001' to the engine.`,
      ],
    },
    'answers on one port': {
      prefill: { args: ['m', '--port=9000'] },
      want: [
        `${CONTAINER}.args.1: the prefill engine listens on port 9000, and the decode engine on 8000. Add '--port 8000' to the prefill engine.`,
      ],
    },
    'hands prompts over, which a script has to say': {
      prefill: script('vllm serve m'),
      want: [
        `warning: ${CONTAINER}.args.0: the script does not make vLLM transfer its KV cache, and Fleetwright does not change scripts. Add ${KV}.`,
      ],
    },
    'is of runtimes that can take one phase': {
      prefill: { image: 'ollama/ollama' },
      want: [
        `${ENGINE}.phase: Ollama does not support a single phase of requests. Use vLLM or SGLang, or 'serving.mode: Unified'.`,
      ],
    },
    'has one block size': {
      prefill: { args: ['m', '--block-size=32'] },
      decode: { args: ['m', '--block-size=128'] },
      want: [
        `warning: ${CONTAINER}.args.1: the block size of the prefill engine is 32 tokens, that of the decode engine 128. Set both to the same block size.`,
      ],
    },
  };
  test.each(Object.entries(cases))('%s', (_, { prefill = { args: ['m'] }, decode = { args: ['m'] }, want }) => {
    expect(reported(pair(prefill, decode))).toEqual(want);
  });
});
