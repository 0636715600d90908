import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { FleetwrightError } from '../../src/base/errors';

/** What stands at a path: a text, a folder (`null`), or a link. */
export type Tree = Record<string, string | null | { link: string }>;

/** A real folder of its own for every test, removed after it. */
export class Folder {
  readonly root = mkdtempSync(join(tmpdir(), 'fleetwright-'));

  path(path = ''): string {
    return join(this.root, path);
  }

  add(tree: Tree): this {
    for (const [path, content] of Object.entries(tree)) {
      mkdirSync(dirname(this.path(path)), { recursive: true });
      if (content === null) mkdirSync(this.path(path));
      else if (typeof content === 'string') writeFileSync(this.path(path), content);
      else symlinkSync(content.link, this.path(path));
    }
    return this;
  }

  drop(path: string): this {
    rmSync(this.path(path), { recursive: true, force: true });
    return this;
  }

  /** Everything in it, with empty folders; the inverse of `add`. */
  tree(path = ''): Tree {
    const stat = lstatSync(this.path(path));
    if (stat.isSymbolicLink()) return { [path]: { link: readlinkSync(this.path(path)) } };
    if (!stat.isDirectory()) return { [path]: readFileSync(this.path(path), 'utf8') };
    const names = readdirSync(this.path(path)).sort();
    if (names.length === 0 && path !== '') return { [path]: null };
    return Object.assign({}, ...names.map((name) => this.tree(join(path, name)))) as Tree;
  }

  /** When a file was changed, in milliseconds. */
  modified(path: string): number {
    return lstatSync(this.path(path)).mtimeMs;
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** A folder for each test of the file that calls this. */
export function eachInFolder(): () => Folder {
  let folder: Folder;
  beforeEach(() => {
    folder = new Folder();
  });
  afterEach(() => folder.remove());
  return () => folder;
}

/** The lines of the `FleetwrightError` that a call throws, with the folder left out. */
export function refusal(call: () => unknown, root = '/nowhere'): string[] {
  try {
    call();
  } catch (error) {
    if (!(error instanceof FleetwrightError)) throw error;
    return error.message.replaceAll(`${root}/`, '').split('\n');
  }
  throw new Error('nothing was refused');
}

/** The few sources that a child loads are there sooner than the bundle of all. */
const { FLEETWRIGHT_SOURCES: _, ...ENV } = process.env;
const hook = ['-r', join(__dirname, '../../scripts/typescript-hook.cjs')];
const files = join(__dirname, '../../src/files');

/** A program for a child process: it sees the functions of `src/files` and the folder as `root`. */
function program(folder: Folder, script: string): string {
  return `
    const { withFolderLock } = require('${files}/file-lock');
    const { readTree } = require('${files}/read-tree');
    const { writeFileAtomic } = require('${files}/write-file');
    const { withWorkFolder } = require('${files}/work-folder');
    const { writeOutput } = require('${files}/write-output');
    const root = ${JSON.stringify(folder.root)};
    ${script}`;
}

/**
 * What a script in a process of its own prints, in at most 20 seconds of work. `limit` is the largest file it may
 * write, in blocks of the shell, and `piped` what its standard input is.
 */
export function inChild(folder: Folder, script: string, { limit = 'unlimited', piped = '' } = {}): string {
  const guarded = `try { ${script} } catch (error) { console.log(error.message.replaceAll(root + '/', '')) }`;
  const run = spawnSync(
    'sh',
    [
      '-c',
      `printf '${piped}' | { ulimit -t 20 && ulimit -f ${limit} && exec "$0" "$@"; }`,
      process.execPath,
      ...hook,
      '-e',
      program(folder, guarded),
    ],
    { encoding: 'utf8', env: ENV },
  );
  return run.stdout.trim() + run.stderr.trim();
}

/** As `inChild`, by a user whom permissions bind: root is asked to be nobody. */
export function asNobody(folder: Folder, script: string): string {
  chmodSync(folder.root, 0o755);
  const guarded = `${process.getuid?.() === 0 ? 'process.setgid(65534); process.setuid(65534);' : ''} ${script}`;
  return inChild(folder, guarded);
}

/** Runs a script until it was killed `kills` times, each time a little later after its first word. */
export async function killAgainAndAgain(folder: Folder, kills: number, script: string): Promise<void> {
  for (let kill = 0; kill < kills; kill++) {
    const child = spawn(process.execPath, [...hook, '-e', program(folder, script)], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: ENV,
    });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    await new Promise((resolve) => setTimeout(resolve, 7 * kill));
    const end = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await end;
  }
}

/** What changes files. A kill between two reads leaves what a kill before them leaves. */
const CHANGES = [
  'openSync',
  'writeFileSync',
  'writeSync',
  'linkSync',
  'renameSync',
  'rmSync',
  'unlinkSync',
  'mkdirSync',
];

/**
 * Runs a script in processes of its own, one after the other: the first is killed before its first change of a file,
 * the next before its second, and so on until one ends, or `most` were killed. `before` prepares the folder for each,
 * `after` checks it.
 */
export function killBeforeEachChange(
  folder: Folder,
  script: string,
  { most = 1000, ...each }: { most?: number; before(): void; after(): void },
): number {
  for (let kills = 0; ; kills++) {
    each.before();
    const run = spawnSync(process.execPath, [...hook, '-e', program(folder, `${killBefore(kills)}\n${script}`)], {
      encoding: 'utf8',
      env: ENV,
    });
    if (run.signal !== 'SIGKILL' && run.status !== 0) throw new Error(run.stderr);
    each.after();
    if (run.status === 0 || kills === most) return kills;
  }
}

/** A script that kills its process before a change of a file. */
function killBefore(change: number): string {
  return `{
    const fs = require('node:fs');
    let left = ${change};
    for (const name of ${JSON.stringify(CHANGES)}) {
      const call = fs[name];
      fs[name] = (...args) => {
        const isRead = name === 'openSync' && (args[1] ?? 'r') === 'r';
        if (!isRead && left-- === 0) process.kill(process.pid, 'SIGKILL');
        return call(...args);
      };
    }
  }`;
}

/** Starts a script in a process of its own. Its standard output is piped. */
export function startChild(folder: Folder, script: string): ChildProcess {
  return spawn(process.execPath, [...hook, '-e', program(folder, script)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: ENV,
  });
}
