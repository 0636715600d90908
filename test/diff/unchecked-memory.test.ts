import { findUncheckedMemory } from '../../src/diff/unchecked-memory';
import { aClass, aDeployment, aMember } from '../api/build';
import { aSite } from '../routing/build';
import { diff, state } from './build';

interface Setup {
  readonly gpus?: number;
  readonly args?: string[];
  readonly image?: string;
  readonly replicas?: number;
  readonly id?: string;
}

const us = aSite('us', { pools: { h100: { nodeCount: 4 } } });
const model = ({
  gpus = 8,
  args = ['acme/coder', '-tp=8'],
  image = 'v0.23.0',
  replicas = 1,
  id = 'ml/coder',
}: Setup) => {
  const container = { name: 'engine', image: `vllm/vllm-openai:${image}`, args };
  const member = aMember({ gpus, template: { spec: { containers: [container] } } });
  return aDeployment(id, { replicas, engines: [{ name: 'main', members: [member] }] });
};

const rows: Record<string, { was?: Setup | null; is: Setup; want: string[]; hint?: string }> = {
  'a model that the catalog lacks on fewer GPUs is not checked': {
    is: { gpus: 4, args: ['acme/coder', '-tp=4'] },
    want: ["memory of ml/coder is not checked: the model catalog has no 'acme/coder'"],
    hint: "Check that weights and KV cache fit 4 x h100, or add a row with 'fleetwright model add FOLDER --name acme/coder', where FOLDER has the config.json of the model",
  },
  'a model that comes with a new deployment is not checked': {
    was: null,
    is: { args: ['mistralai/Mistral-Small-24B-Instruct-2501', '-tp=8'] },
    want: ["memory of ml/coder is not checked: the model catalog has no 'mistralai/Mistral-Small-24B-Instruct-2501'"],
    hint: 'Did you mean mistralai/Mistral-Small-3.2-24B-Instruct-2506, mistralai/Ministral-3-14B-Instruct-2512, or mistralai/Ministral-3-3B-Instruct-2512? Check that weights and KV cache fit 8 x h100, or add a row',
  },
  'a misspelled model of a new deployment has a warning of its own': {
    was: null,
    is: { args: ['Qwen/Qwen-3_8B', '-tp=8'] },
    want: [],
  },
  'a deployment of the same model under another name needs no word': { was: { id: 'ml/former' }, is: {}, want: [] },
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

test.each(Object.entries(rows))('%s', (_, { was = {}, is, want, hint = '' }) => {
  const [old, now] = [was, is].map((one) => [aClass('h100'), us, ...(one ? [model(one)] : [])]);
  const before = state('main', old ?? []);
  const after = state('here', now ?? [], before.decision.lock, before);
  const found = findUncheckedMemory(diff(old ?? [], now ?? []), {
    before: before.decision,
    after: after.decision,
    at: 'fleet',
  });
  expect(found.map(({ message }) => message)).toEqual(want);
  for (const { at } of found)
    expect(at).toMatch(was ? /^ModelDeployment ml\/coder .*engines/ : /^ModelDeployment ml\/coder/);
  for (const one of found) expect(one.hint).toContain(hint);
});
