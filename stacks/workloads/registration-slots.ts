/**
 * How many objects of a cluster are registered at the same time. The engine works on fewer by default, and the provider
 * sends 50 requests a second.
 */
const SLOTS = 32;

/**
 * Limits how many objects of a cluster are registered at the same time. The SDK would convert all of them at once and
 * keep the results until the engine has come to them, which takes most of the memory of a large stack.
 */
export class RegistrationSlots {
  #free = SLOTS;
  readonly #waiting: (() => void)[] = [];

  /** Takes a slot when one is free, in the order of the calls. */
  take(): Promise<void> {
    if (this.#free === 0) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#free--;
    return Promise.resolve();
  }

  /** Gives a slot back. */
  give(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}
