import { createDigester } from '../../src/base/digest';

const digest = createDigester();
const LONG = 'x'.repeat(200);

test.each<[string, unknown, unknown]>([
  ['of another text', { a: 'b' }, { a: 'c' }],
  ['of another text behind a long one', [LONG, 'a'], [LONG, 'b']],
  ['of another text within a long list', { a: [[LONG], 1] }, { a: [[`${LONG}y`], 1] }],
  ['of another key', { a: 1 }, { b: 1 }],
  ['with keys in another order', { a: 1, b: 2 }, { b: 2, a: 1 }],
  ['with items in another order', ['a', 'b'], ['b', 'a']],
  ['of another type', [1, true, null], ['1', 'true', 'null']],
  ['that is absent in place of null', [undefined], [null]],
  ['with parts at other places', [['a'], 'b'], ['a', ['b']]],
  ['with two texts in place of one', ['a","b'], ['a', 'b']],
  ['with a list in place of a map', { 0: 'a' }, ['a']],
  ['of a map with another entry', new Map([['a', 1]]), new Map([['a', 2]])],
  ['that is a map in place of its entries', new Map([['a', 1]]), [['a', 1]]],
  ['that reads as the digest of another', { a: LONG }, { a: digest(LONG) }],
])('a value %s has another digest', (_, one, other) => {
  expect(digest(one)).toMatch(/^[\da-f]{64}$/);
  expect(digest(other)).toMatch(/^[\da-f]{64}$/);
  expect(digest(one)).not.toBe(digest(other));
});

function makeMixed(): unknown {
  const map = new Map([['k', { c: LONG }]]);
  return { a: [1, -2.5, true, null, undefined, { b: LONG }], map };
}

test('equal values have the same digest, also of another process', () => {
  expect(digest(makeMixed())).toBe(digest(makeMixed()));
  expect(createDigester()(makeMixed())).toBe(digest(makeMixed()));
});

test('a part that two values share counts in both', () => {
  const shared = { deep: [LONG] };
  expect(digest([shared, 1])).toBe(digest([structuredClone(shared), 1]));
  expect(digest([shared, 2])).not.toBe(digest([shared, 1]));
});

test.each<[string, unknown]>([
  ['a function', () => 1],
  ['an object of a class', new Error('a')],
  ['a date', new Date(0)],
  ['a set', new Set(['a'])],
  ['a symbol', Symbol('a')],
])('%s has no digest, and neither has what holds it', (_, value) => {
  expect(digest(value)).toBeUndefined();
  expect(digest({ a: [new Map([['b', value]])] })).toBeUndefined();
});
