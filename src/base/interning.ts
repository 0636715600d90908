/** Maps equal values to one object, so that later work is done once for each. Drops all values when it is full. */
export class Interner<T> {
  readonly #values = new Map<string, T>();

  constructor(private readonly maxSize = Infinity) {}

  /** The object for a key; `make` creates it on first use. */
  intern(key: string, make: () => T): T {
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const made = make();
    if (this.#values.size >= this.maxSize) this.#values.clear();
    this.#values.set(key, made);
    return made;
  }
}

/** Collects distinct values in the order of their first use, and returns the index of each. */
export class ValueIndex<T> {
  readonly values: T[] = [];
  readonly #places = new Map<string, number>();

  /** The index of a value. Values with equal keys are the same. */
  of(value: T, key: string = JSON.stringify(value)): number {
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    this.#places.set(key, this.values.length);
    return this.values.push(value) - 1;
  }
}
