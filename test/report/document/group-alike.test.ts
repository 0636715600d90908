import { mergeAlike, nameClusters } from '../../../src/report/document/group-alike';

const show = (words: readonly string[]): string[] =>
  mergeAlike(words, {
    keyOf: (word) => word,
    kindOf: (word) => word.charAt(0),
    one: (word) => word,
    several: ([first, ...others], isAlike) => `${others.length + 1} ${isAlike ? first : `of ${first.charAt(0)}`}`,
  });
const times = (count: number, word: string): string[] => Array.from({ length: count }, () => word);
const numbered = (count: number, letter: string): string[] =>
  Array.from({ length: count }, (_, at) => `${letter}${at}`);

test.each<[does: string, words: string[], want: string[]]>([
  ['few items are shown one by one, also those that are alike', times(12, 'a'), times(12, 'a')],
  [
    'of many items, one stands for all that are alike',
    [...times(13, 'a'), 'b', ...times(3, 'c')],
    ['b', '13 a', '3 c'],
  ],
  ['two that are alike are shown one by one', [...times(13, 'a'), 'b', 'b'], ['b', 'b', '13 a']],
  ['many that differ are one for each kind', [...numbered(20, 'a'), ...numbered(2, 'b')], ['20 of a', '2 of b']],
  [
    'next to many that differ, large groups that are alike are shown',
    [...times(9, 'x'), ...numbered(13, 'a'), 'z'],
    ['9 x', '13 of a', 'z'],
  ],
])('%s', (_, words, want) => {
  expect(show(words)).toEqual(want);
});

test.each([
  ['clusters are named where they are few, each once', ['us', 'eu', 'us'], 'eu, us'],
  ['many clusters are counted', ['a', 'b', 'c', 'd'], '4 clusters'],
])('%s', (_, clusters, want) => {
  expect(nameClusters(clusters)).toBe(want);
});
