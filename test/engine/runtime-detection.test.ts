import type { ModelDeployment } from '../../src/api/model-deployment';
import { ENGINE_PROFILES } from '../../src/catalog/engines/profiles';
import type { Runtime } from '../../src/catalog/engines/runtimes';
import { profileOf } from '../../src/engine/runtime-detection';
import { aDeployment, anEngine, type Doc } from '../api/build';
import { firstEngine, serving } from './build';

function of(deployment: ModelDeployment) {
  return profileOf(deployment, firstEngine(deployment));
}

interface Case {
  container: Doc;
  runtime?: Runtime;
  want: [Runtime, ReturnType<typeof profileOf>['by']];
}

describe('the runtime of an engine', () => {
  const cases: Record<string, Case> = {
    'is the one that it names, whatever its image': {
      container: { command: ['vllm', 'serve'] },
      runtime: 'SGLang',
      want: ['SGLang', 'runtime'],
    },
    'is that of the program that it starts, whatever its image': {
      container: { image: 'house/llm', command: ['/opt/venv/bin/vllm', 'serve'] },
      want: ['vLLM', 'command'],
    },
    'is that of the image of vLLM for TPUs': { container: { image: 'vllm/vllm-tpu:v0.23.0' }, want: ['vLLM', 'image'] },
    'is that of the image of vLLM for AMD GPUs': { container: { image: 'rocm/vllm:v0.23.0' }, want: ['vLLM', 'image'] },
    'is that of a module': {
      container: { image: 'vllm', command: ['python3', '-m', 'sglang.launch_server'] },
      want: ['SGLang', 'command'],
    },
    'is found where command and arguments meet': {
      container: { image: 'house/llm', command: ['lmdeploy', 'serve'], args: ['api_server'] },
      want: ['LMDeploy', 'command'],
    },
    'is found in a script': {
      container: {
        image: 'house/llm',
        command: ['/bin/bash', '-ec'],
        args: ['ray start; exec vllm serve x'],
      },
      want: ['vLLM', 'command'],
    },
    'is found behind a wrapper': {
      container: { image: 'house/llm', command: ['mpirun', '-n', '2', 'trtllm-serve'] },
      want: ['TensorRTLLM', 'command'],
    },
    'is not guessed from a word that only contains a program': {
      container: { image: 'house/llm', command: ['sh', '-c'], args: ['my-vllm serve x'] },
      want: ['Custom', 'nothing'],
    },
    'is that of a script that no one can read, by its image': {
      container: { command: ['/start.sh'] },
      want: ['vLLM', 'image'],
    },
    'is Custom where nothing tells': { container: { image: 'house/llm:1' }, want: ['Custom', 'nothing'] },
  };
  test.each(Object.entries(cases))('%s', (_, { container, runtime, want }) => {
    const { profile, by } = of(serving(container, runtime ? { runtime } : {}));
    expect([profile.runtime, by]).toEqual(want);
  });

  const images: Record<string, Runtime> = {
    'vllm/vllm-openai:v0.23.0': 'vLLM',
    'registry.example.com:5000/vllm/vllm-openai@sha256:ab': 'vLLM',
    'ghcr.io/llm-d/llm-d-cuda:v0.5.0': 'vLLM',
    'lmsysorg/sglang:v0.5.9': 'SGLang',
    'nvcr.io/nvidia/tensorrt-llm/release:1.2.0': 'TensorRTLLM',
    'ghcr.io/huggingface/text-generation-inference:3.3.5': 'TGI',
    'ghcr.io/ggml-org/llama.cpp:server-cuda': 'LlamaCpp',
    'ollama/ollama:0.12.0': 'Ollama',
    'nvcr.io/nim/meta/llama-3.1-8b-instruct:2.0.1': 'NIM',
    'openmmlab/lmdeploy:v0.16.0': 'LMDeploy',
    'docker.io/library/python:3.12': 'Custom',
    'house/my-vllm:1': 'Custom',
  };
  test.each(Object.entries(images))('of the image %s is %s', (image, want) => {
    expect(of(serving({ image })).profile.runtime).toBe(want);
  });

  test('of a gang is that of its leader', () => {
    const { members, ...gang } = anEngine('main', { workers: 1 }) as Doc & { members: Doc[] };
    const worker = {
      ...members[1],
      template: { spec: { containers: [{ name: 'engine', image: 'lmsysorg/sglang' }] } },
    };
    const deployment = aDeployment('ml/a', { engines: [{ ...gang, members: [worker, members[0]] }] });
    expect(of(deployment).profile.runtime).toBe('vLLM');
  });
});

test('an engine of the alias group that nothing distinguishes keeps the contract of that group', () => {
  const { profile } = of(serving({ image: 'house/llm' }, {}, { group: 'modelplane.ai' }));
  expect(profile).toMatchObject({
    runtime: 'Custom',
    port: { default: 8000 },
    health: { readiness: '/health' },
  });
  expect(of(serving({ image: 'house/llm' })).profile.health).toBeUndefined();
});

test.each(Object.entries(ENGINE_PROFILES))('the profile of %s is found under its name', (runtime, profile) => {
  expect(profile.runtime).toBe(runtime);
});
