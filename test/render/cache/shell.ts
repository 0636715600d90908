import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Shells that images have as `sh`: Debian's, and one that is stricter or laxer in other places. */
export const SHELLS = ['dash', 'bash'] as const;

/** What a program said and how it ended. A signal is its name. */
export interface Ended {
  readonly code: number | string;
  readonly out: string;
}

/** A folder in which programs of caches run. */
export class Sandbox {
  readonly root = mkdtempSync(join(tmpdir(), 'cache-'));
  readonly bin = join(this.root, 'bin');

  constructor() {
    mkdirSync(this.bin);
    // No one waits for seconds in a test.
    this.tool('sleep', 'exec /bin/sleep 0.05');
  }

  path(...parts: string[]): string {
    return join(this.root, ...parts);
  }

  /** A command that stands before that of the machine. */
  tool(name: string, script: string): void {
    writeFileSync(join(this.bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }

  /** Runs a script as the image would, with these arguments. */
  async run(
    shell: string,
    script: string,
    { args = [], env = {}, cwd = this.root, kill }: RunOptions = {},
  ): Promise<Ended> {
    const child = spawn(shell, ['-c', script, 'script', ...args], {
      cwd,
      // A socket would make bash read the settings of whoever is logged in.
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: `${this.bin}:${process.env['PATH']}`, ...env },
      // A group of its own, so that a kill reaches what the script started too.
      detached: true,
    });
    let out = '';
    child.stdout.on('data', (data: Buffer) => (out += data.toString()));
    child.stderr.on('data', (data: Buffer) => (out += data.toString()));
    const ended = new Promise<Ended>((resolve) => {
      child.on('close', (code, signal) => resolve({ code: code ?? String(signal), out }));
    });
    if (kill) {
      await kill.when();
      process.kill(kill.group ? -child.pid! : child.pid!, kill.signal);
    }
    return await ended;
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

interface RunOptions {
  args?: string[];
  env?: Record<string, string>;
  cwd?: string;
  kill?: { when: () => Promise<void>; signal: NodeJS.Signals; group?: boolean };
}

/** Waits until something holds. */
export async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    if (tries > 500) throw new Error('it never held');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
