/**
 * How much may still be tried, counted in replicas that are placed: the same on every machine. A hundred clusters with
 * ten thousand replicas leave some dozens of tries, a small fleet some thousands.
 */
export class Budget {
  #left = 400_000;

  /** Whether another fleet of so many replicas may be placed; it then counts as done. */
  spend(replicas: number): boolean {
    this.#left -= replicas + EACH;
    return this.#left >= 0;
  }
}

/** A small fleet takes as long as this many replicas of a large one. */
const EACH = 200;
