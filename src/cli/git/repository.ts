import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { commandError } from '../command-error';

/**
 * Reads the text of a file in a git revision, with links resolved. Undefined if the revision does not contain the
 * file.
 *
 * @throws FleetwrightError when git is missing, the folder is in no repository, the revision does not exist, or a link
 *   leads out of the repository
 */
export function readFileAtRevision(revision: string, path: string): string | undefined {
  const object = `${resolveCommit(revision, path)}:./${basename(path)}`;
  const { stdout } = spawnGit(dirname(path), ['cat-file', '--batch', '--follow-symlinks'], `${object}\n`);
  const start = stdout.indexOf('\n') + 1;
  const head = stdout.toString('utf8', 0, start);
  if (head.startsWith('symlink ')) {
    const what = `at '${revision}' it is a link out of the repository, and what was there is in no revision`;
    throw commandError('git', path, what, 'Name a revision that has the file itself');
  }
  return / blob \d+\n$/.test(head) ? stdout.toString('utf8', start, stdout.length - 1) : undefined;
}

/** @throws FleetwrightError when git is missing, the path is in no repository, or the revision does not exist */
export function resolveCommit(revision: string, path: string): string {
  const folder = isFolder(path) ? path : dirname(path);
  const commit = parseRevision(folder, revision);
  if (commit !== undefined) return commit;
  const inside = runGit(folder, ['rev-parse', '--is-inside-work-tree']).status === 0;
  if (!inside) throw commandError('git', path, `'${folder}' is in no git repository`, 'Run the command in a checkout');
  const shallow = runGit(folder, ['rev-parse', '--is-shallow-repository']).stdout.trim() === 'true';
  const what = `git knows no revision '${revision}'`;
  if (!shallow) throw commandError('git', path, what, 'Name a branch, a tag or a commit');
  const hint = "Fetch the history: 'git fetch --unshallow', or fetch-depth: 0 in CI";
  throw commandError('git', path, `${what} in this shallow clone`, hint);
}

/** @throws FleetwrightError when the path is in no working tree, as in a bare repository */
export function findTopLevel(path: string): string {
  const folder = isFolder(path) ? path : dirname(path);
  const { status, stdout } = runGit(folder, ['rev-parse', '--show-toplevel']);
  if (status === 0) return stdout.trimEnd();
  throw commandError('git', path, `'${folder}' is in no working tree of git`, 'Run the command in a checkout');
}

/** Whether a path is a folder, with links resolved. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/**
 * Lists the commits from a revision back to the last change of a file, the newest first, if they changed the file or
 * `beside`. Empty if git does not know the file.
 *
 * @throws FleetwrightError when git is missing
 */
export function listCommitsSince(revision: string, path: string, beside: string): string[] {
  const folder = dirname(path);
  const start = parseRevision(folder, revision);
  const list = (...args: string[]): string[] =>
    runGit(folder, ['log', '--format=%H', ...args])
      .stdout.split('\n')
      .filter((line) => line !== '');
  if (start === undefined) return [];
  const [last] = list('-1', start, '--', `./${basename(path)}`);
  const commits = list(start, '--', `./${basename(path)}`, resolve(beside));
  return last === undefined ? [] : commits.slice(0, commits.indexOf(last) + 1);
}

export interface UncommittedFile {
  readonly path: string;
  readonly gone: boolean;
}

/**
 * Lists the files below some paths of a working tree that differ from HEAD, including new files, excluding ignored
 * ones. Does not change the index of git.
 *
 * @param top the folder of the working tree
 * @throws FleetwrightError when `git status` fails
 */
export function listUncommitted(top: string, paths: readonly string[]): UncommittedFile[] {
  const flags = ['--porcelain', '-z', '--no-renames', '--untracked-files=all'];
  const args = ['--no-optional-locks', 'status', ...flags, '--', ...paths];
  const { status, stdout } = runGit(top, args);
  if (status !== 0) throw commandError('git', top, "'git status' fails here", 'Run it to see why');
  return stdout.split('\0').flatMap((entry) => {
    // An entry has two letters, for the index and the working tree, a space, and the name.
    return entry === '' ? [] : [{ path: resolve(top, entry.slice(3)), gone: entry.slice(0, 2).includes('D') }];
  });
}

function parseRevision(folder: string, revision: string): string | undefined {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  const { status, stdout } = runGit(folder, args);
  return status === 0 ? stdout.trim() : undefined;
}

/** @throws FleetwrightError when git is missing */
export function runGit(folder: string, args: readonly string[]): { status: number | null; stdout: string } {
  const { status, stdout } = spawnGit(folder, args, '');
  return { status, stdout: stdout.toString('utf8') };
}

/** Reads objects in one run. Git prints `OBJECT blob SIZE`, a line feed, the content, a line feed. */
export function readGitObjects(folder: string, objects: readonly string[]): Buffer[] {
  if (objects.length === 0) return [];
  const { stdout } = spawnGit(folder, ['cat-file', '--batch'], `${objects.join('\n')}\n`);
  let at = 0;
  return objects.map(() => {
    const start = stdout.indexOf('\n', at) + 1;
    const size = Number(stdout.toString('latin1', at, start).split(' ')[2]);
    at = start + size + 1;
    return stdout.subarray(start, start + size);
  });
}

/**
 * Environment variables that select a repository, from `git rev-parse --local-env-vars`. Git hooks set some of them.
 * Configuration for a run (GIT_CONFIG_PARAMETERS, GIT_CONFIG_COUNT) does not depend on a repository, and git passes
 * it to submodules too.
 */
const REPOSITORY_VARIABLES: readonly string[] = [
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_CONFIG',
  'GIT_DIR',
  'GIT_GRAFT_FILE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_INTERNAL_SUPER_PREFIX',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_REPLACE_REF_BASE',
  'GIT_SHALLOW_FILE',
  'GIT_WORK_TREE',
];

function spawnGit(folder: string, args: readonly string[], input: string): { status: number | null; stdout: Buffer } {
  const env = { ...process.env, ...Object.fromEntries(REPOSITORY_VARIABLES.map((name) => [name, undefined])) };
  const run = spawnSync('git', ['-C', folder, ...args], { input, env, maxBuffer: 2 ** 30 });
  if (run.error) {
    throw commandError('git', 'git', `cannot be run: ${run.error.message}`, 'Install git, or name no revision');
  }
  return run;
}
