/** A cache of expensive values by key. It drops all values when it is full, because it affects only speed. */
export class BoundedCache<V> {
  readonly #values = new Map<string, V>();

  constructor(readonly maxSize: number) {}

  /** Returns the value of a key. Makes the value on the first call. */
  get(key: string, make: () => V): V {
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const made = make();
    if (this.#values.size >= this.maxSize) this.#values.clear();
    this.#values.set(key, made);
    return made;
  }
}
