import { ENGINE_PROFILES } from '../../src/catalog/engines/profiles';
import { findNumberSetting, findSetting, readContainerSettings } from '../../src/engine/container-settings';
import type { Doc } from '../api/build';
import { firstContainer, serving } from './build';

const { vLLM, SGLang, TGI } = ENGINE_PROFILES;

function read(container: Doc, profile = vLLM) {
  return readContainerSettings(firstContainer(serving(container)), profile);
}

describe('a setting', () => {
  const tensor = vLLM.parallelism.tensor!;
  const cases: Record<string, { container: Doc; want: { value?: string; path: (string | number)[] } | undefined }> = {
    'is given in one argument': {
      container: { args: ['--tensor-parallel-size=8'] },
      want: { value: '8', path: ['args', 0] },
    },
    'is given in two arguments': {
      container: { args: ['--tensor-parallel-size', '8'] },
      want: { value: '8', path: ['args', 1] },
    },
    'is given by its short flag': {
      container: { args: ['-tp', '8'] },
      want: { value: '8', path: ['args', 1] },
    },
    'is given with underscores': {
      container: { args: ['--tensor_parallel_size=8'] },
      want: { value: '8', path: ['args', 0] },
    },
    'is the last of those given': {
      container: { args: ['--tensor-parallel-size=4', '--tensor-parallel-size=8'] },
      want: { value: '8', path: ['args', 1] },
    },
    'is given in a command': {
      container: { command: ['vllm', 'serve', '--tensor-parallel-size=8'] },
      want: { value: '8', path: ['command', 2] },
    },
    'is given in a script': {
      container: { command: ['sh', '-c'], args: ['vllm serve x --tensor-parallel-size 8'] },
      want: { value: '8', path: ['args', 0] },
    },
    'of another command of a script is not its own': {
      container: { command: ['sh', '-c'], args: ['other --tensor-parallel-size 8; vllm serve x'] },
      want: undefined,
    },
    'is unknown where a variable stands for it': {
      container: { args: ['--tensor-parallel-size=$(TP)'] },
      want: { path: ['args', 0] },
    },
    'is not given by a flag that only begins like it': {
      container: { args: ['--tensor-parallel-sizes=8'] },
      want: undefined,
    },
    'is not given where no one can read what starts the engine': {
      container: { command: ['/start.sh'], args: ['--tensor-parallel-size=8'] },
      want: undefined,
    },
  };
  test.each(Object.entries(cases))('%s', (_, { container, want }) => {
    const found = findSetting(read(container), tensor);
    expect(found && { ...(found.value !== undefined && { value: found.value }), path: found.path }).toEqual(want);
  });

  test('is given by a variable, unless a flag says otherwise', () => {
    const env = [{ name: 'PORT', value: '81' }];
    expect(findSetting(read({ env }, TGI), TGI.port)).toEqual({
      name: 'PORT',
      value: '81',
      path: ['env', 0],
    });
    expect(findSetting(read({ env, args: ['--port=82'] }, TGI), TGI.port)!.value).toBe('82');
  });

  test('of a variable from a Secret is unknown', () => {
    const env = [{ name: 'PORT', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }];
    expect(findSetting(read({ env }, TGI), TGI.port)).toEqual({ name: 'PORT', path: ['env', 0] });
  });
});

describe('arguments of no flag', () => {
  const cases: Record<string, { args: string[]; profile?: typeof vLLM; want: string[] }> = {
    'stand first': { args: ['Qwen/Qwen3', '--port', '80'], want: ['Qwen/Qwen3'] },
    'stand after the value of a flag': { args: ['--port', '80', 'Qwen/Qwen3'], want: ['Qwen/Qwen3'] },
    'stand after a switch that its name tells': {
      args: ['--enable-lora', 'Qwen/Qwen3'],
      want: ['Qwen/Qwen3'],
    },
    'stand after a switch of the runtime': { args: ['--headless', 'Qwen/Qwen3'], want: ['Qwen/Qwen3'] },
    'are not the second value of a list': {
      args: ['--lora-modules', 'a=/a', 'b=/b', '--served-model-name', 'x', 'y'],
      want: [],
    },
    'are not negative numbers': { args: ['--seed', '-1'], want: [] },
  };
  test.each(Object.entries(cases))('%s', (_, { args, want }) => {
    expect(read({ args }).positionals.map(({ text }) => text)).toEqual(want);
  });
});

describe('what a container tells its engine', () => {
  const cases: Record<string, { container: Doc; profile?: typeof vLLM; want: boolean }> = {
    'is all in its arguments': { container: { args: ['x'] }, want: true },
    'is not all there with a file of settings': { container: { args: ['--config=a.yaml'] }, want: false },
    'is not all there with a variable for more arguments': {
      container: { command: ['sh', '-c'], args: ['vllm serve x $MORE'] },
      want: false,
    },
    'is not known where something else starts it': { container: { command: ['/start.sh'] }, want: false },
    'is not known where its image starts nothing': {
      container: { args: ['--tp=8'] },
      profile: SGLang,
      want: false,
    },
  };
  test.each(Object.entries(cases))('%s', (_, { container, profile, want }) => {
    expect(read(container, profile).complete).toBe(want);
  });
});

test('a number is the one given, the fallback where none is, and nothing where it is unknown', () => {
  const { tensor } = vLLM.parallelism;
  expect(findNumberSetting(read({ args: ['-tp', '8'] }), tensor, 1)).toBe(8);
  expect(findNumberSetting(read({ args: [] }), tensor, 1)).toBe(1);
  expect(findNumberSetting(read({ args: ['-tp', 'many'] }), tensor, 1)).toBeUndefined();
  expect(findNumberSetting(read({ command: ['/start.sh'] }), tensor, 1)).toBeUndefined();
  expect(findNumberSetting(read({ command: ['/start.sh'] }), undefined, 1)).toBe(1);
});
