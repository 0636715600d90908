import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { runCommandLine } from '../src/cli/run';

const ROOT = resolve(__dirname, '..');

const GIT = {
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.com',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
};

/** A folder of its own in which commands of the docs run, as a reader runs them. */
export class Desk {
  readonly #top = realpathSync(mkdtempSync(join(tmpdir(), 'fleetwright-docs-')));
  #folder = this.#top;

  /** Puts a copy of an example into `fleet`, committed to git. */
  copyExample(name: string): void {
    cpSync(join(ROOT, 'examples', name), this.#path('fleet'), { recursive: true });
    rmSync(this.#path('fleet/expected'), { recursive: true, force: true });
    for (const line of ['git init -q -b main', 'git add .', 'git commit -qm Start']) this.runProgram(line);
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(this.#path(path)), { recursive: true });
    writeFileSync(this.#path(path), text);
  }

  /** Replaces a text of a file. @throws Error when the file does not have the text */
  edit(path: string, old: string, text: string): void {
    const before = readFileSync(this.#path(path), 'utf8');
    if (!before.includes(old)) throw new Error(`${path} does not have these lines:\n${old}`);
    writeFileSync(
      this.#path(path),
      before.replace(old, () => text),
    );
  }

  /** Goes to a folder. */
  enter(folder: string): void {
    this.#folder = this.#path(folder);
  }

  /** Runs a program of the machine. Returns what it prints. */
  runProgram(line: string): string {
    const env = { ...process.env, ...GIT };
    return execFileSync('sh', ['-c', line], { cwd: this.#folder, encoding: 'utf8', env });
  }

  /** Runs a command of Fleetwright. Returns its exit code, and what it prints on both streams. */
  run(line: string): { readonly code: number; readonly output: string } {
    const args = (line.match(/'[^']*'|\S+/g) ?? []).map((arg) => arg.replaceAll(/^'|'$/g, ''));
    let output = '';
    const add = (text: string): void => void (output += text);
    const before = process.cwd();
    process.chdir(this.#folder);
    try {
      const code = runCommandLine(args, { out: add, err: add, terminal: false, env: {}, stdin: () => '' }, '0.2.0');
      if (typeof code !== 'number') throw new Error(`'${line}' asks a cluster`);
      return { code, output: output.replaceAll(this.#top, '') };
    } finally {
      process.chdir(before);
    }
  }

  remove(): void {
    rmSync(this.#top, { recursive: true, force: true });
  }

  #path(path: string): string {
    return join(this.#folder, path);
  }
}
