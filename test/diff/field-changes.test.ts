import * as fc from 'fast-check';
import { diffFields } from '../../src/diff/field-changes';
import { formatFieldChange } from '../../src/report/diff/field-changes-text';

const cases: Record<string, { before: unknown; after: unknown; want: string[] }> = {
  'equal documents have none': { before: { a: [1, { b: 2 }] }, after: { a: [1, { b: 2 }] }, want: [] },
  'the order of keys is none': { before: { a: 1, b: 2 }, after: { b: 2, a: 1 }, want: [] },
  'a value': { before: { a: { b: 1 } }, after: { a: { b: 2 } }, want: ['a.b: 1 -> 2'] },
  'a field that is new': { before: {}, after: { a: { b: 1 } }, want: ['a: {"b":1}, new'] },
  'a field that is gone': { before: { a: 'x' }, after: {}, want: ['a: was x, removed'] },
  'a map of several words is shown': {
    before: { e: { selector: { matchLabels: { track: 'next' } }, match: { headers: { 'x-track': 'next' } } } },
    after: {},
    want: ['e: was {"selector":{"matchLabels":{"track":"next"}},"match":{"headers":{"x-track":"next"}}}, removed'],
  },
  'a key that every object inherits, gone': {
    before: { labels: { constructor: 'x', valueOf: 'y' } },
    after: { labels: {} },
    want: ['labels.constructor: was x, removed', 'labels.valueOf: was y, removed'],
  },
  'a key that every object inherits, new': {
    before: { labels: {} },
    after: { labels: { constructor: 'x' } },
    want: ['labels.constructor: x, new'],
  },
  'the words that differ in a script that is too long to be shown': {
    before: { args: [`exec python3 -m server ${'--flag '.repeat(20)} --model-path old`] },
    after: { args: [`exec python3 -m server ${'--flag '.repeat(20)} --model-path new`] },
    want: ['args: --model-path old -> new'],
  },
  'the words that differ in a long text': {
    before: { text: `${'same '.repeat(20)}old` },
    after: { text: `${'same '.repeat(20)}new` },
    want: ['text: -old +new'],
  },
  'what had another form': { before: { a: 1 }, after: { a: [1] }, want: ['a: 1 -> [1]'] },
  'a key with a dot': {
    before: { m: { 'a.b/c': 1 } },
    after: { m: { 'a.b/c': 2 } },
    want: ["m['a.b/c']: 1 -> 2"],
  },
  'items by their name': {
    before: { l: [{ name: 'x', v: 1 }, { name: 'y' }] },
    after: { l: [{ name: 'new' }, { name: 'x', v: 2 }, { name: 'y' }] },
    want: ['l[new]: {"name":"new"}, new', 'l[x].v: 1 -> 2'],
  },
  'their order, where it is all that changed': {
    before: { l: [{ name: 'x' }, { name: 'y' }] },
    after: { l: [{ name: 'y' }, { name: 'x' }] },
    want: ['the order of l: ["x","y"] -> ["y","x"]'],
  },
  'items without a name by their place': {
    before: { l: [{ a: 1 }, { a: 2 }] },
    after: { l: [{ a: 1 }, { a: 3 }, { a: 4 }] },
    want: ['l[1].a: 2 -> 3', 'l[2]: {"a":4}, new'],
  },
  'an item without a name that goes, and none of those behind it': {
    before: { l: [{ v: 1 }, { v: 2 }, { v: 2, w: 3 }] },
    after: { l: [{ v: 2 }, { v: 2, w: 3 }] },
    want: ['l[0]: was {"v":1}, removed'],
  },
  'an item without a name that comes, and none of those behind it': {
    before: { l: [{ v: 1 }, { v: 2 }] },
    after: { l: [{ v: 0 }, { v: 1 }, { v: 2 }] },
    want: ['l[0]: {"v":0}, new'],
  },
  'of words what comes and goes': {
    before: { args: ['--a', '--b=1', '--b=1'] },
    after: { args: ['--b=1', '--c'] },
    want: ['args: + --c, - --a, - --b=1'],
  },
  'an option with its former and its new value': {
    before: { args: ['serve', '--max-model-len=8192', '--port', '80'] },
    after: { args: ['serve', '--port', '80', '--max-model-len', '16384', '--eager'] },
    want: ['args: --max-model-len 8192 -> 16384, + --eager'],
  },
  'all values of an option that takes several': {
    before: { args: ['m', '--served-model-name=a', '--port', '80'] },
    after: { args: ['m', '--served-model-name', 'a', 'b', '--port', '80'] },
    want: ['args: --served-model-name a -> a b'],
  },
  'such an option at the end': {
    before: { args: ['m', '--served-model-name', 'a', 'b'] },
    after: { args: ['m', '--served-model-name', 'b'] },
    want: ['args: --served-model-name a b -> b'],
  },
  'options in the order in which they are given': {
    before: { args: ['--z=1', '--b', '--a=1'] },
    after: { args: ['--z=2', '--c', '--a=2'] },
    want: ['args: --z 1 -> 2, + --c, --a 1 -> 2, - --b'],
  },
  'an option of a script with its former and its new value': {
    before: { args: ['set -e\nvllm serve m --max-model-len 8192 --port 80'] },
    after: { args: ['set -e\nvllm serve m --max-model-len 16384 --port 80'] },
    want: ['args: --max-model-len 8192 -> 16384'],
  },
  'the first digits of a revision': {
    before: { revision: 'a'.repeat(40) },
    after: { revision: 'b'.repeat(40) },
    want: ['revision: aaaaaaaa -> bbbbbbbb'],
  },
  'words in another order': {
    before: { l: ['a', 'b'] },
    after: { l: ['b', 'a'] },
    want: ['l: ["a","b"] -> ["b","a"]'],
  },
  'no secret of a variable': {
    before: { env: [{ name: 'HF_TOKEN', value: 'secret-a' }] },
    after: { env: [{ name: 'HF_TOKEN', value: 'secret-b' }] },
    want: ['env[HF_TOKEN].value: (hidden) -> (hidden)'],
  },
  'no secret of a variable that is new': {
    before: { env: [] },
    after: { env: [{ name: 'HF_TOKEN', value: 'secret-b' }] },
    want: ['env[HF_TOKEN]: {"name":"HF_TOKEN","value":"(hidden)"}, new'],
  },
  'no secret of a flag': {
    before: { args: ['serve', '--api-key', 'abcdef', '--x'] },
    after: { args: ['serve', '--api-key=ghijkl'] },
    want: ['args: - --x, - --api-key -(hidden) + --api-key=(hidden)'],
  },
};

test.each(Object.entries(cases))('%s', (_, { before, after, want }) => {
  expect(diffFields(before, after).map(formatFieldChange)).toEqual(want);
});

const documents = fc.object({ maxDepth: 3, values: [fc.string(), fc.integer(), fc.boolean()] });

test('only documents that differ have changes', () => {
  fc.assert(
    fc.property(documents, documents, (before, after) => {
      expect(diffFields(before, structuredClone(before))).toEqual([]);
      expect(diffFields(before, after).length === 0).toBe(canonical(before) === canonical(after));
    }),
  );
});

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => sorted(inner));
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
