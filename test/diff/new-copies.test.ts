import type { Resource } from '../../src/api/kinds';
import { aClass, aMember, type Doc } from '../api/build';
import { aModel, aSite } from '../routing/build';
import { judge } from './lost-nodes-build';

const PLACE = [aClass('h100'), aSite('us', { monitoring: {} })];

const model = (copies: Doc, image: string, more: Doc = {}, spec: Doc = {}): Resource => {
  const template = {
    spec: { containers: [{ name: 'engine', image: `vllm/vllm-openai:${image}`, args: ['Qwen/Qwen3-8B'] }] },
  };
  const engine = { name: 'main', members: [aMember({ gpus: 1, template })], copies, scaling: { on: [{ queue: 4 }] } };
  return aModel('ml/q', { engines: [{ ...engine, ...more }], ...spec });
};

const ALONE = model({ min: 1, max: 2 }, 'v0.23.0');
const OLD = 'v0.23.0';
const NEW = 'v0.24.0';
const LATER =
  '. Apply that edit in a later change, when the new copies serve (cost unchanged): one copy at a time restarts then; or ';

const cases: Record<string, { after: Resource; want: unknown[] }> = {
  'an image comes after the copies that the same change adds, which serve meanwhile': {
    after: model({ min: 2, max: 3 }, NEW),
    want: [expect.stringContaining(LATER)],
  },
  'copies that may not run serve nothing': {
    after: model({ min: 1, max: 3 }, NEW),
    want: [expect.stringContaining('. Leave out that edit; or ')],
  },
  'an image alone has no other edit to wait for': {
    after: model({ min: 1, max: 2 }, NEW),
    want: [expect.not.stringMatching(/eave out|later change/)],
  },
  'new copies alone take nothing down': { after: model({ min: 2, max: 3 }, OLD), want: [] },
};

test.each(Object.entries(cases))('%s', (_, { after, want }) => {
  expect(judge([...PLACE, ALONE], [...PLACE, after]).refused).toEqual(want);
});

test.each<[string, Doc, Doc, string]>([
  [
    'copies restart one after the other, which the table says',
    { min: 2, max: 4 },
    {},
    '1 restarted without downtime, up to 4 copies one after the other, each down in its turn: v0.23.0 → v0.24.0',
  ],
  [
    'a surge starts new copies before others stop',
    { min: 2, max: 4 },
    { rollout: { surge: 1 } },
    '1 restarted without downtime: v0.23.0 → v0.24.0',
  ],
])('%s', (_, copies, more, want) => {
  const [was, is] = [OLD, NEW].map((image) => [...PLACE, model(copies, image, {}, more)]);
  expect(judge(was ?? [], is ?? []).happens).toBe(want);
});
