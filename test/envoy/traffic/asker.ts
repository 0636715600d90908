import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Answer, Ask, Door, Question } from './ask';

/** What the thread is sent: a door, before the first question to it, or a question. */
export type Sent =
  | { readonly door: number; readonly opened: Door }
  | { readonly door: number; readonly id: number; readonly question: Question };

/** What the thread sends back. */
export interface Answered {
  readonly id: number;
  readonly answer: Answer;
}

/**
 * The way to ask at one door. A thread of its own asks: an overloaded gateway closes connections, and the handshakes of
 * new ones would otherwise take the time of the engines, which run in this thread.
 */
export function asker(opened: Door): Ask {
  thread ??= new AskingThread();
  return thread.open(opened);
}

let thread: AskingThread | undefined;

const HOOK = join(__dirname, '../../../scripts/typescript-hook.cjs');

class AskingThread {
  readonly #worker = new Worker(join(__dirname, 'asking-thread.ts'), {
    execArgv: ['-r', HOOK],
    workerData: readClock() - performance.now(),
  });
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #doors = 0;
  #questions = 0;

  constructor() {
    this.#worker.on('message', ({ id, answer }: Answered) => {
      this.#waiting.get(id)?.(answer);
      this.#waiting.delete(id);
    });
  }

  open(opened: Door): Ask {
    const door = ++this.#doors;
    this.#send({ door, opened });
    return (question) => {
      const id = ++this.#questions;
      this.#send({ door, id, question });
      return new Promise((resolve) => this.#waiting.set(id, resolve));
    };
  }

  #send(sent: Sent): void {
    this.#worker.postMessage(sent);
  }
}

/** The milliseconds of a clock that all threads share. */
export function readClock(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
