/**
 * Values that are expensive to make, kept by key. Forgets all of them when there are too many: what is kept is a
 * matter of speed alone.
 */
export class BoundedCache<V> {
  readonly #values = new Map<string, V>();

  constructor(readonly most: number) {}

  /** The value of a key, made on first use. */
  get(key: string, make: () => V): V {
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const made = make();
    if (this.#values.size >= this.most) this.#values.clear();
    this.#values.set(key, made);
    return made;
  }
}
