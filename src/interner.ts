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
