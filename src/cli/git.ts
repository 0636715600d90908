import { spawnSync } from 'node:child_process';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { FleetwrightError } from '../errors';
import { isOutputPath } from '../files/output-path';

/**
 * The text of a file in a git revision; nothing where the revision does not have the file.
 *
 * @throws FleetwrightError when git is missing, the folder is in no repository, or the revision does not exist
 */
export function gitShow(revision: string, path: string): string | undefined {
  const folder = dirname(path);
  const commit = commitAt(revision, path);
  const file = git(folder, ['show', `${commit}:./${basename(path)}`]);
  return file.status === 0 ? file.stdout : undefined;
}

/**
 * The commit of a revision in the repository that a path is in.
 *
 * @throws FleetwrightError when git is missing, the path is in no repository, or the revision does not exist
 */
export function commitAt(revision: string, path: string): string {
  const folder = isFolder(path) ? path : dirname(path);
  const commit = commitOf(folder, revision);
  if (commit !== undefined) return commit;
  const inside = git(folder, ['rev-parse', '--is-inside-work-tree']).status === 0;
  if (!inside) throw problem(path, `'${folder}' is in no git repository`, 'Run the command in a checkout');
  const shallow = git(folder, ['rev-parse', '--is-shallow-repository']).stdout.trim() === 'true';
  const what = `git knows no revision '${revision}'`;
  if (!shallow) throw problem(path, what, 'Name a branch, a tag or a commit');
  throw problem(
    path,
    `${what} in this shallow clone`,
    "Fetch the history: 'git fetch --unshallow', or fetch-depth: 0 in CI",
  );
}

/**
 * The folder of the working tree that a path is in, without links.
 *
 * @throws FleetwrightError when it is in none, as in a bare repository
 */
export function topLevel(path: string): string {
  const folder = isFolder(path) ? path : dirname(path);
  const { status, stdout } = git(folder, ['rev-parse', '--show-toplevel']);
  if (status === 0) return stdout.trimEnd();
  throw problem(path, `'${folder}' is in no working tree of git`, 'Run the command in a checkout');
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/**
 * The commits from a revision back to the one that last changed a file, the newest first, as far as they changed the
 * file or `beside`. None where git knows nothing of it.
 *
 * @throws FleetwrightError when git is missing
 */
export function commitsSince(revision: string, path: string, beside: string): string[] {
  const folder = dirname(path);
  const start = commitOf(folder, revision);
  const list = (...args: string[]): string[] =>
    git(folder, ['log', '--format=%H', ...args])
      .stdout.split('\n')
      .filter((line) => line !== '');
  if (start === undefined) return [];
  const [last] = list('-1', start, '--', `./${basename(path)}`);
  const commits = list(start, '--', `./${basename(path)}`, resolve(beside));
  return last === undefined ? [] : commits.slice(0, commits.indexOf(last) + 1);
}

/**
 * Copies the files below a path, as they are in a commit, to a folder: without links, and only those with a name
 * that `wanted` accepts. A path that is a file stands in the folder under its own name.
 *
 * @throws FleetwrightError when git is missing
 */
export function exportCommit(
  commit: string,
  path: string,
  into: string,
  wanted: (name: string) => boolean,
): void {
  const whole = isFolder(path);
  const from = whole ? path : dirname(path);
  const tree = git(from, ['ls-tree', '-r', '-z', commit, '--', whole ? '.' : `./${basename(path)}`]);
  const blobs = tree.stdout.split('\0').flatMap((entry) => {
    const [, object = '', name = ''] = BLOB.exec(entry) ?? [];
    const takes = isOutputPath(name) && (!whole || wanted(basename(name)));
    return takes ? [{ object, name }] : [];
  });
  const texts = readBlobs(
    from,
    blobs.map(({ object }) => object),
  );
  for (const [b, { name }] of blobs.entries()) {
    mkdirSync(dirname(join(into, name)), { recursive: true });
    writeFileSync(join(into, name), texts[b] ?? '');
  }
}

/** The contents of objects, read in one go: `OBJECT blob SIZE`, a line feed, the content, a line feed. */
function readBlobs(folder: string, objects: readonly string[]): Buffer[] {
  const args = ['-C', folder, 'cat-file', '--batch'];
  const { stdout } = spawnSync('git', args, { input: `${objects.join('\n')}\n`, maxBuffer: 2 ** 30 });
  let at = 0;
  return objects.map(() => {
    const start = stdout.indexOf('\n', at) + 1;
    const size = Number(stdout.toString('latin1', at, start).split(' ')[2]);
    at = start + size + 1;
    return stdout.subarray(start, start + size);
  });
}

/** A regular file in a listing of git: links have another mode. */
const BLOB = /^100\d{3} blob ([0-9a-f]+)\t(.+)$/s;

/** A file that is not as HEAD has it. */
export interface FileChange {
  /** Absolute. */
  readonly path: string;
  readonly gone: boolean;
}

/**
 * The files below some paths of a working tree that are not as HEAD has them, new ones too, ignored ones not. Git's
 * index stays as it is.
 *
 * @param top the folder of the working tree
 * @throws FleetwrightError when git cannot tell
 */
export function changesIn(top: string, paths: readonly string[]): FileChange[] {
  const flags = ['--porcelain', '-z', '--no-renames', '--untracked-files=all'];
  const args = ['--no-optional-locks', 'status', ...flags, '--', ...paths];
  const { status, stdout } = git(top, args);
  if (status !== 0) throw problem(top, "'git status' fails here", 'Run it to see why');
  return stdout.split('\0').flatMap((entry) => {
    // Two letters, for the index and the working tree, a space, the name.
    return entry === ''
      ? []
      : [{ path: resolve(top, entry.slice(3)), gone: entry.slice(0, 2).includes('D') }];
  });
}

function commitOf(folder: string, revision: string): string | undefined {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  const { status, stdout } = git(folder, args);
  return status === 0 ? stdout.trim() : undefined;
}

function git(folder: string, args: readonly string[]): { status: number | null; stdout: string } {
  const { status, stdout, error } = spawnSync('git', ['-C', folder, ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  if (error) throw problem('git', `cannot be run: ${error.message}`, 'Install git, or name no revision');
  return { status, stdout };
}

function problem(where: string, what: string, hint: string): FleetwrightError {
  return new FleetwrightError([{ code: 'git', where, what, hint }]);
}
