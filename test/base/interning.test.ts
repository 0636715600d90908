import { Interner } from '../../src/base/interning';

function fail(): number {
  throw new Error('no');
}

describe('what is kept', () => {
  test('is made once', () => {
    const kept = new Interner<number>(2);
    expect([kept.intern('a', () => 1), kept.intern('a', () => 2)]).toEqual([1, 1]);
  });

  test('is forgotten when there is too much of it', () => {
    const kept = new Interner<number>(2);
    for (const key of ['a', 'b', 'c']) kept.intern(key, () => 1);
    expect([kept.intern('a', () => 2), kept.intern('c', () => 2)]).toEqual([2, 1]);
  });

  test('is made again after it could not be made', () => {
    const kept = new Interner<number>(2);
    expect(() => kept.intern('a', fail)).toThrow('no');
    expect(kept.intern('a', () => 1)).toBe(1);
  });
});
