import { editDistance, findByWords, hintAtName, suggestName, suggestObjectName } from '../../src/base/name-suggestion';

const cases: Record<string, { name: string; known: string[]; want: string | undefined }> = {
  'the one of that name in a namespace': { name: 'q', known: ['ml/q', 'q2/x'], want: 'ml/q' },
  'one that begins so before one that is as near': { name: 'l40', known: ['l4', 'l40s'], want: 'l40s' },
  'the nearest name': { name: 'ml/lama', known: ['ml/lama-70b', 'ml/llama'], want: 'ml/llama' },
  'one that begins so': { name: 'ml/llama', known: ['ml/qwen', 'ml/llama-70b'], want: 'ml/llama-70b' },
  'one of which each part begins so': { name: 'eks/l', known: ['gke/l4', 'eks-us/l4'], want: 'eks-us/l4' },
  'one that begins so in a namespace': { name: 'Llama', known: ['ml/Llama-70b'], want: 'ml/Llama-70b' },
  'the shortest that begins so': {
    name: 'ml/llama',
    known: ['ml/llama-3.1-70b', 'ml/llama-70b', 'ml/llama-405'],
    want: 'ml/llama-405',
  },
  'the first of those that are alike': {
    name: 'llama',
    known: ['ml/llama-70b', 'it/llama-70b'],
    want: 'it/llama-70b',
  },
  'none with more parts than known ones': { name: 'us/east/pool1', known: ['us/east'], want: undefined },
  'none that merely holds it': { name: 'east', known: ['us-east-eks'], want: undefined },
  'none by one letter': { name: 'e', known: ['eks-us-east'], want: undefined },
};

test.each(Object.entries(cases))('a user meant %s', (_, { name, known, want }) => {
  expect(suggestObjectName(name, known)).toBe(want);
  expect(suggestObjectName(name, known.toReversed())).toBe(want);
});

test.each([
  ['mem', ['memory', 'multiprocessors'], "Use 'memory'"],
  ['mem', ['memory', 'memoryClock'], 'Use one of memory, memoryClock'],
  ['me', ['memory', 'shares'], 'Use one of memory, shares'],
])('the start %s of a name in %j is a hint if it is the only one that begins so', (name, known, want) => {
  expect(hintAtName(name, known)).toBe(want);
});

const byWords: Record<string, { name: string; known: string[]; want: string | undefined }> = {
  'more words before a name are one too many, and the longest name counts': {
    name: 'inferenceClassName',
    known: ['name', 'className', 'zones'],
    want: 'className',
  },
  'more words behind a name are one too many': { name: 'queueName', known: ['type', 'queue'], want: 'queue' },
  'the last word is short for a name': { name: 'pools', known: ['cluster', 'nodePools'], want: 'nodePools' },
  'of two names that are as long, none is meant': { name: 'size', known: ['maxSize', 'minSize'], want: undefined },
  'letters are no words': { name: 'where', known: ['nowhere'], want: undefined },
};

test.each(Object.entries(byWords))('by words, %s', (_, { name, known, want }) => {
  expect(findByWords(name, known)).toBe(want);
});

const WORDS = [
  'memory',
  'memoyr',
  'mmeory',
  'emory',
  'replicas',
  'replcas',
  'qwen',
  'llama-70b',
  'lalma-07b',
  '',
  'ab',
  'ba',
];
const PAIRS = WORDS.flatMap((a) => WORDS.map((b): [string, string] => [a, b]));

test('a limit changes no distance up to it, and hides none above it', () => {
  const wrong = PAIRS.filter(([a, b]) => {
    const exact = editDistance(a, b);
    return [0, 1, 2, 3, 5].some((limit) =>
      exact <= limit ? editDistance(a, b, limit) !== exact : editDistance(a, b, limit) <= limit,
    );
  });
  expect(wrong).toEqual([]);
});

test.each([
  ['llama-70b', 2, 'llama-7b'],
  ['llama-7000', 1, undefined],
])('of names, %s means one with at most %d edits: %s', (name, most, want) => {
  expect(suggestName(name, ['llama-7b', 'qwen'], most)).toBe(want);
});
