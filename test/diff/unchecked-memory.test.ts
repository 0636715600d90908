import { findUncheckedMemory } from '../../src/diff/unchecked-memory';
import { aClass, aDeployment, aMember } from '../api/build';
import { aSite } from '../routing/build';
import { diff, state } from './build';

interface Setup {
  readonly gpus?: number;
  readonly args?: string[];
  readonly image?: string;
  readonly replicas?: number;
}

const us = aSite('us', { pools: { h100: { nodeCount: 4 } } });
const model = ({ gpus = 8, args = ['acme/coder', '-tp=8'], image = 'v0.23.0', replicas = 1 }: Setup) => {
  const container = { name: 'engine', image: `vllm/vllm-openai:${image}`, args };
  const member = aMember({ gpus, template: { spec: { containers: [container] } } });
  return aDeployment('ml/coder', { replicas, engines: [{ name: 'main', members: [member] }] });
};

const rows: Record<string, { was?: Setup; is: Setup; want: string[] }> = {
  'a model that the catalog lacks on fewer GPUs is not checked': {
    is: { gpus: 4, args: ['acme/coder', '-tp=4'] },
    want: ["memory of ml/coder is not checked: the model catalog has no 'acme/coder'"],
  },
  'longer requests to it are not checked': {
    is: { args: ['acme/coder', '-tp=8', '--max-model-len=65536'] },
    want: ["memory of ml/coder is not checked: the model catalog has no 'acme/coder'"],
  },
  'another division of it is not checked': {
    is: { args: ['acme/coder', '-tp=4', '-pp=2'] },
    want: ["memory of ml/coder is not checked: the model catalog has no 'acme/coder'"],
  },
  'a model that it replaces is not checked': {
    was: { args: ['Qwen/Qwen3-8B', '-tp=8'] },
    is: {},
    want: ["memory of ml/coder is not checked: the model catalog has no 'acme/coder'"],
  },
  'a model that the catalog has is checked': {
    was: { args: ['Qwen/Qwen3-8B', '-tp=8'] },
    is: { gpus: 4, args: ['Qwen/Qwen3-8B', '-tp=4'] },
    want: [],
  },
  'another image of the same model needs no word': { is: { image: 'v0.24.0' }, want: [] },
  'another replica of the same model needs no word': { is: { replicas: 2 }, want: [] },
};

test.each(Object.entries(rows))('%s', (_, { was = {}, is, want }) => {
  const [old, now] = [was, is].map((one) => [aClass('h100'), us, model(one)]);
  const before = state('main', old ?? []);
  const after = state('here', now ?? [], before.decision.lock, before);
  const found = findUncheckedMemory(diff(old ?? [], now ?? []), {
    before: before.decision,
    after: after.decision,
    at: 'fleet',
  });
  expect(found.map(({ message }) => message)).toEqual(want);
  for (const { at } of found) expect(at).toMatch(/^ModelDeployment ml\/coder .*engines/);
});
