import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROCESSOR_SECONDS } from './command';
import type { InputId } from './input';
import type { Outcome } from './worker';

/** What an input may take that does not end by itself. Judges of processor time are more exact. */
const MAX_WALL_SECONDS = 180;
const MAX_MEMORY_BYTES = 3 * 2 ** 30;

/** Processor time of the input that runs, above which it is ended, in ticks of a hundredth of a second. */
const MAX_TICKS = (PROCESSOR_SECONDS + 2) * 100;

/** A process that runs inputs one after the other. It is ended, and another started, where an input does not end. */
export class Worker {
  #child: ChildProcess | undefined;

  constructor(private readonly corpus: string) {}

  async run(id: InputId): Promise<Outcome> {
    const child = (this.#child ??= await this.#start());
    return new Promise((resolve) => {
      const start = usageOf(child.pid);
      const begun = performance.now();
      const end = (outcome: Outcome): void => {
        clearInterval(watch);
        child.removeAllListeners();
        resolve(outcome);
      };
      const give = (rule: string, what: string): void => {
        this.#child = undefined;
        child.kill('SIGKILL');
        end({ breaches: [{ rule, what }] });
      };
      const watch = setInterval(() => {
        const now = usageOf(child.pid);
        if (now.ticks - start.ticks > MAX_TICKS) give('at most ten seconds of processor time', 'it did not end');
        else if (now.bytes > MAX_MEMORY_BYTES) give('at most three gigabytes of memory', `${now.bytes} bytes`);
        else if (performance.now() - begun > MAX_WALL_SECONDS * 1000)
          give('every run ends', `not in ${MAX_WALL_SECONDS} s`);
      }, 200);
      child.once('message', (outcome: Outcome) => end(outcome));
      child.once('exit', (code, signal) => give('no run ends the process', `exit code ${code ?? signal}`));
      child.send(id);
    });
  }

  stop(): void {
    this.#child?.removeAllListeners();
    this.#child?.kill('SIGKILL');
  }

  async #start(): Promise<ChildProcess> {
    const hook = join(__dirname, '../../scripts/typescript-hook.cjs');
    const child = fork(join(__dirname, 'worker.ts'), [this.corpus], { execArgv: ['-r', hook] });
    await new Promise<void>((resolve, reject) => {
      child.once('message', () => resolve());
      child.once('exit', (code) => reject(new Error(`a worker ended with ${code} before its first input`)));
    });
    child.removeAllListeners();
    return child;
  }
}

interface Usage {
  readonly ticks: number;
  readonly bytes: number;
}

const PAGE_BYTES = 4096;

/** What Linux says of a process. Elsewhere only the clock ends an input. */
function usageOf(pid: number | undefined): Usage {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return { ticks: Number(fields[11]) + Number(fields[12]), bytes: Number(fields[21]) * PAGE_BYTES };
  } catch {
    return { ticks: 0, bytes: 0 };
  }
}
