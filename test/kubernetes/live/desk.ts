import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runCommandLine } from '../../../src/cli/run';

/** What a run of the command line printed. */
export interface Ran {
  readonly code: number;
  readonly out: string;
}

/** A folder with files, and the command line to run on it. */
export class Desk {
  readonly folder = mkdtempSync(join(tmpdir(), 'fleetwright-live-'));

  constructor(private readonly env: Readonly<Record<string, string>>) {}

  path(name: string): string {
    return join(this.folder, name);
  }

  write(name: string, text: string): string {
    const path = this.path(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  async run(...args: string[]): Promise<Ran> {
    let out = '';
    const print = (text: string): void => void (out += text);
    const io = { out: print, err: print, terminal: false, env: this.env, stdin: () => '' };
    return { code: await runCommandLine(args, io, '0.0.0'), out };
  }

  delete(name: string): void {
    rmSync(this.path(name));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
