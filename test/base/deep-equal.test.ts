import { isDeepEqual } from '../../src/base/deep-equal';

const cases: Record<string, { a: unknown; b: unknown; want: boolean }> = {
  'the order of keys does not matter': { a: { x: 1, y: 2 }, b: { y: 2, x: 1 }, want: true },
  'the order of items does': { a: [1, 2], b: [2, 1], want: false },
  'a field that is undefined is absent': { a: { x: 1 }, b: { x: 1, y: undefined }, want: true },
  'a field that one has alone differs': { a: { x: 1 }, b: { x: 1, y: 2 }, want: false },
  'so does one with the name of what every object inherits': { a: {}, b: { constructor: 'x' }, want: false },
  'and one whose value every object inherits': { a: { valueOf: {}.valueOf }, b: {}, want: false },
};

test.each(Object.entries(cases))('%s', (_, { a, b, want }) => {
  expect([isDeepEqual(a, b), isDeepEqual(b, a)]).toEqual([want, want]);
});
