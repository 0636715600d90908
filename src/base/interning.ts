/** Gives equal values one object, so that later work is done once for each. */
export class Interner<T> {
  readonly #values = new Map<string, T>();

  intern(key: string, make: () => T): T {
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.#values.set(key, made);
    return made;
  }
}

/** Lists distinct values in the order in which they are first seen, and tells the place of each. */
export class ValueIndex<T> {
  readonly values: T[] = [];
  readonly #places = new Map<string, number>();

  /** The place of a value; values of equal key are the same. */
  of(value: T, key: string = JSON.stringify(value)): number {
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    this.#places.set(key, this.values.length);
    return this.values.push(value) - 1;
  }
}
