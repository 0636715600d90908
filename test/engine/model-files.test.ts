import { ENGINE_PROFILES } from '../../src/catalog/engines/profiles';
import type { Runtime } from '../../src/catalog/engines/runtimes';
import { addAdapters } from '../../src/engine/model-files';

const ADAPTERS = [
  { name: 'sql', path: '/mnt/sql' },
  { name: 'chat', path: '/mnt/chat' },
];

describe('adapters are passed to', () => {
  const cases: Partial<Record<Runtime, unknown>> = {
    vLLM: { args: ['--enable-lora', '--lora-modules', 'sql=/mnt/sql', 'chat=/mnt/chat'], env: [] },
    SGLang: { args: ['--enable-lora', '--lora-paths', 'sql=/mnt/sql', 'chat=/mnt/chat'], env: [] },
    TGI: { args: ['--lora-adapters=sql=/mnt/sql,chat=/mnt/chat'], env: [] },
    LlamaCpp: { args: ['--lora', '/mnt/sql', '--lora', '/mnt/chat'], env: [] },
    LMDeploy: { args: ['--adapters', 'sql=/mnt/sql', 'chat=/mnt/chat'], env: [] },
    NIM: { args: [], env: [{ name: 'NIM_PEFT_SOURCE', value: '/mnt/adapters' }] },
    Ollama: undefined,
    TensorRTLLM: undefined,
    Custom: undefined,
  };
  test.each(Object.entries(cases))('%s as it takes them', (runtime, want) => {
    expect(addAdapters(ENGINE_PROFILES[runtime as Runtime], ADAPTERS)).toEqual(want);
  });

  test('no engine where there are none', () => {
    expect(addAdapters(ENGINE_PROFILES.vLLM, [])).toEqual({ args: [], env: [] });
  });
});
