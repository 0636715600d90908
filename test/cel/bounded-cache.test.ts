import { BoundedCache } from '../../src/cel/bounded-cache';

function fail(): number {
  throw new Error('no');
}

describe('what is kept', () => {
  test('is made once', () => {
    const kept = new BoundedCache<number>(2);
    expect([kept.get('a', () => 1), kept.get('a', () => 2)]).toEqual([1, 1]);
  });

  test('is forgotten when there is too much of it', () => {
    const kept = new BoundedCache<number>(2);
    for (const key of ['a', 'b', 'c']) kept.get(key, () => 1);
    expect([kept.get('a', () => 2), kept.get('c', () => 2)]).toEqual([2, 1]);
  });

  test('is made again after it could not be made', () => {
    const kept = new BoundedCache<number>(2);
    expect(() => kept.get('a', fail)).toThrow('no');
    expect(kept.get('a', () => 1)).toBe(1);
  });
});
