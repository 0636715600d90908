import { concurrently, sleep } from '../../kubernetes/harness/concurrently';
import type { Answer } from './ask';

/** Asks some number of times, at most `width` at once. */
export function burst(count: number, width: number, ask: () => Promise<Answer>): Promise<Answer[]> {
  return concurrently(width, Array.from({ length: count }), ask);
}

/** Of a wait that was longer than this, in milliseconds, no questions are made up for. */
const LATE = 50;

/**
 * Asks at a steady rate, whatever becomes of the answers, until it is stopped. What it could not ask in time, because
 * the machine was busy, it leaves out: asked at once, it would be a burst that the rate does not stand for.
 */
export class Load {
  readonly #answers: Promise<Answer>[] = [];
  readonly #done: Promise<void>;
  #stopped = false;

  /** @param rate requests a second */
  constructor(rate: number, ask: () => Promise<Answer>) {
    this.#done = this.#send(rate, ask);
  }

  async #send(rate: number, ask: () => Promise<Answer>): Promise<void> {
    let last = performance.now();
    let due = 1;
    while (!this.#stopped) {
      for (; due >= 1; due--) this.#answers.push(ask());
      await sleep(5);
      const now = performance.now();
      due += (Math.min(now - last, LATE) / 1000) * rate;
      last = now;
    }
  }

  /** Stops, and returns all answers once they are there. */
  async stop(): Promise<Answer[]> {
    this.#stopped = true;
    await this.#done;
    return Promise.all(this.#answers);
  }
}

/** Asks at a steady rate for some seconds. */
export async function steady(rate: number, seconds: number, ask: () => Promise<Answer>): Promise<Answer[]> {
  const load = new Load(rate, ask);
  await sleep(seconds * 1000);
  return load.stop();
}

/** How many answers each engine gave. Those of no one count for `none`. */
export function byEngine(answers: readonly Answer[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { engine = 'none' } of answers) counts.set(engine, (counts.get(engine) ?? 0) + 1);
  return counts;
}

/** Answers that a user would call a failure. */
export function failed(answers: readonly Answer[]): Answer[] {
  return answers.filter(({ status, error }) => error !== undefined || status === undefined || status >= 500);
}
