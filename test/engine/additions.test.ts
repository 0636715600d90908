import { PROFILES } from '../../src/catalog/engines/profiles';
import { adapterAddition } from '../../src/engine/additions';
import type { Runtime } from '../../src/api/runtime';

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
    NIM: { args: [], env: [{ name: 'NIM_PEFT_SOURCE', value: '/mnt' }] },
    Ollama: undefined,
    TensorRTLLM: undefined,
    Custom: undefined,
  };
  test.each(Object.entries(cases))('%s as it takes them', (runtime, want) => {
    expect(adapterAddition(PROFILES[runtime as Runtime], ADAPTERS, '/mnt')).toEqual(want);
  });

  test('no engine where there are none', () => {
    expect(adapterAddition(PROFILES.vLLM, [], '/mnt')).toEqual({ args: [], env: [] });
  });
});
