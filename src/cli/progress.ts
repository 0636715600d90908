/** A run that is over sooner says nothing on the way. */
const QUIET_MS = 500;

/** So often the line is written anew at most. */
const EVERY_MS = 100;

const CLEAR = '\r\u001B[K';

/** Tells a person on one line what a long run is at, and leaves nothing behind. */
export class Progress {
  readonly #start: number;
  #last = 0;
  #shown = false;

  /**
   * @param write to standard error
   * @param now milliseconds
   */
  constructor(
    private readonly write: (text: string) => void,
    private readonly now: () => number,
  ) {
    this.#start = now();
  }

  /** What is done from now on: `reading us.yaml`. */
  step(what: string): void {
    const time = this.now();
    if (time - this.#start < QUIET_MS || time - this.#last < EVERY_MS) return;
    this.#last = time;
    this.#shown = true;
    this.write(`${CLEAR}${what.slice(0, 70)} ...`);
  }

  /** Takes the line away, before anything else is printed. */
  clear(): void {
    if (this.#shown) this.write(CLEAR);
    this.#shown = false;
  }
}
