import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { signal, track } from './shutdown';

/**
 * Go collects garbage a quarter as often as by default, which took a seventh of the processor time of an API server, and
 * more often before a program takes too much memory.
 */
const ENVIRONMENT = { GOGC: '400', GOMEMLIMIT: '2GiB', ...process.env };

/** A program of the control plane that runs, with its log in a file. */
export class Program {
  readonly #child: ChildProcess;
  #stopping = false;

  /** Settles when the program ends; rejects when no one asked it to. */
  readonly ended: Promise<void>;

  constructor(
    readonly name: string,
    binary: string,
    args: readonly string[],
    readonly log: string,
  ) {
    const output = openSync(log, 'a');
    // The input is a pipe that only this process holds: the program ends when it closes.
    this.#child = spawn(binary, [name, ...args], { detached: true, env: ENVIRONMENT, stdio: ['pipe', output, output] });
    closeSync(output);
    this.#child.stdin?.on('error', () => {});
    track(this.#child);
    this.ended = new Promise((resolve, reject) => {
      this.#child.once('error', reject);
      this.#child.once('exit', (code, signal) => {
        if (this.#stopping) resolve();
        else reject(new ProgramEnded(this, code === null ? `signal ${signal}` : `exit code ${code}`));
      });
    });
    // Whoever waits for it hears of it; before that, it must not end the process.
    this.ended.catch(() => {});
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Asks the program to end, and makes it after a while. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#stopping = true;
    signal(this.#child, 'SIGTERM');
    const patience = setTimeout(() => signal(this.#child, 'SIGKILL'), 5_000);
    await this.ended.catch(() => {});
    clearTimeout(patience);
  }

  /** The last lines of its log. */
  tail(lines = 5): string {
    return readFileSync(this.log, 'utf8').trim().split('\n').slice(-lines).join('\n');
  }
}

/** A program ended though no one asked it to. */
export class ProgramEnded extends Error {
  override readonly name = 'ProgramEnded';

  /** Whether the program could not listen because another has its port. */
  readonly portTaken: boolean;

  constructor(
    readonly program: Program,
    how: string,
  ) {
    super(`${program.name} ended unexpectedly (${how}). The end of its log:\n${program.tail()}`);
    this.portTaken = /address already in use/.test(program.tail(200));
  }
}
