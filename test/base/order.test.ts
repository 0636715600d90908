import { sortedNaturally } from '../../src/base/order';

const rows: Record<string, string[]> = {
  'numbers in names count as numbers': ['c2', 'c10'],
  'numbers in the middle too': ['eu-2-a', 'eu-10-a'],
  'text decides before numbers do': ['a10', 'b2'],
  'a name comes before a longer one that starts with it': ['c', 'c1', 'c1-a'],
  'fewer zeros in front come later, and never make two names equal': ['c01', 'c1', 'c02'],
  'numbers of any length': ['c99999999999999999998', 'c99999999999999999999'],
};

test.each(Object.entries(rows))('natural order: %s', (_, sorted) => {
  expect(sortedNaturally(sorted.toReversed(), (name) => name)).toEqual(sorted);
});
