import type * as ChildProcess from 'node:child_process';
import { basename, dirname, resolve } from 'node:path';
import { FleetwrightError } from '../../base/errors';
import { isFolder } from '../../files/fleet-paths';
import { errorCodeOf } from '../../files/fs-error';
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
    const what = `at '${revision}' it is a link to a file outside the repository`;
    throw commandError('git', path, what, 'Use a revision that has the file itself');
  }
  return / blob \d+\n$/.test(head) ? stdout.toString('utf8', start, stdout.length - 1) : undefined;
}

/** @throws FleetwrightError when git is missing, the path is in no repository, or the revision does not exist */
export function resolveCommit(revision: string, path: string): string {
  const folder = isFolder(path) ? path : dirname(path);
  const commit = parseRevision(folder, revision);
  if (commit !== undefined) return commit;
  const inside = runGit(folder, ['rev-parse', '--is-inside-work-tree']).status === 0;
  if (!inside)
    throw commandError('git', path, `'${folder}' is not in a git repository`, 'Run the command in a checkout');
  const shallow = runGit(folder, ['rev-parse', '--is-shallow-repository']).stdout.trim() === 'true';
  const what = `unknown git revision '${revision}'`;
  if (!shallow) throw commandError('git', path, what, 'Use a branch, a tag or a commit');
  const hint = "Fetch the history: 'git fetch --unshallow', or fetch-depth: 0 in CI";
  throw commandError('git', path, `${what} in this shallow clone`, hint);
}

/** @throws FleetwrightError when the path is in no working tree, as in a bare repository */
export function findTopLevel(path: string): string {
  const folder = isFolder(path) ? path : dirname(path);
  const { status, stdout } = runGit(folder, ['rev-parse', '--show-toplevel']);
  if (status === 0) return stdout.trimEnd();
  throw commandError('git', path, `'${folder}' is not in a working tree of git`, 'Run the command in a checkout');
}

/**
 * Lists the commits from a revision back to the last change of a file, the newest first, if they changed the file or
 * the other path. Empty if git does not know the file.
 *
 * @throws FleetwrightError when git is missing
 */
export function listCommitsSince(revision: string, path: string, otherPath: string): string[] {
  const folder = dirname(path);
  const start = parseRevision(folder, revision);
  const list = (...args: string[]): string[] =>
    runGit(folder, ['log', '--format=%H', ...args])
      .stdout.split('\n')
      .filter((line) => line !== '');
  if (start === undefined) return [];
  const [last] = list('-1', start, '--', `./${basename(path)}`);
  const commits = list(start, '--', `./${basename(path)}`, resolve(otherPath));
  return last === undefined ? [] : commits.slice(0, commits.indexOf(last) + 1);
}

/**
 * Lists the last commits that changed a path, the newest first. Empty if git does not know the revision.
 *
 * @throws FleetwrightError when git is missing
 */
export function listCommits(revision: string, path: string, most: number): string[] {
  const folder = isFolder(path) ? path : dirname(path);
  const start = parseRevision(folder, revision);
  if (start === undefined) return [];
  const { stdout } = runGit(folder, ['log', '--format=%H', `--max-count=${most}`, start, '--', resolve(path)]);
  return stdout.split('\n').filter((line) => line !== '');
}

/** Lists the last commits that changed a path. Empty also where git is missing. */
export function listCommitsSafely(revision: string, path: string, most: number): string[] {
  try {
    return listCommits(revision, path, most);
  } catch (error) {
    if (error instanceof FleetwrightError) return [];
    throw error;
  }
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

/**
 * Lists the files of a name that git tracks in the whole working tree of a path, as full paths. Empty outside of a
 * working tree, and where git is missing.
 */
export function listTracked(path: string, name: string): string[] {
  try {
    const top = findTopLevel(path);
    const { stdout } = runGit(top, ['ls-files', '-z', '--', `:(glob)**/${name}`]);
    return stdout.split('\0').flatMap((file) => (file === '' ? [] : [resolve(top, file)]));
  } catch (error) {
    if (error instanceof FleetwrightError) return [];
    throw error;
  }
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
  return objects.map((object) => {
    const start = stdout.indexOf('\n', at) + 1;
    const size = Number(stdout.toString('latin1', at, start).split(' ')[2]);
    if (!Number.isInteger(size)) throw missingObjectError(folder, object);
    at = start + size + 1;
    return stdout.subarray(start, start + size);
  });
}

function missingObjectError(folder: string, object: string): FleetwrightError {
  const hint = "Fetch the history, or check the repository with 'git fsck'";
  return commandError('git', folder, `git has no object ${object}`, hint);
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

/** The maximum size of the output of git in bytes. Commits with more manifests are over the limits of input. */
const MAX_OUTPUT_BYTES = 256 * 2 ** 20;

/** The default time limit of git: a partial clone fetches objects. `FLEETWRIGHT_GIT_SECONDS` overrides it. */
const DEFAULT_TIMEOUT_SECONDS = 300;

function timeoutSeconds(): number {
  const seconds = Number(process.env['FLEETWRIGHT_GIT_SECONDS']);
  return seconds > 0 ? seconds : DEFAULT_TIMEOUT_SECONDS;
}

function spawnGit(folder: string, args: readonly string[], input: string): { status: number | null; stdout: Buffer } {
  const env = { ...process.env, ...Object.fromEntries(REPOSITORY_VARIABLES.map((name) => [name, undefined])) };
  const options = {
    input,
    // Without a terminal to ask for a password, git fails instead of waiting.
    env: { ...env, GIT_TERMINAL_PROMPT: '0' },
    maxBuffer: MAX_OUTPUT_BYTES,
    timeout: timeoutSeconds() * 1000,
    killSignal: 'SIGKILL' as const,
  };
  // Loaded here, because most commands run no git.
  const { spawnSync } = require('node:child_process') as typeof ChildProcess;
  try {
    const run = spawnSync('git', ['-C', folder, ...args], options);
    if (!run.error) return run;
    throw gitFailedError(args, run.error);
  } catch (error) {
    // A name with a null character is no argument of a process.
    if (errorCodeOf(error) === 'ERR_INVALID_ARG_VALUE') throw gitFailedError(args, error as Error);
    throw error;
  }
}

function gitFailedError(args: readonly string[], error: Error): FleetwrightError {
  const { what, hint } = FAILURE_BY_ERROR_CODE[errorCodeOf(error) ?? ''] ?? {
    what: `cannot be run: ${error.message}`,
    hint: 'Install git, or use no revision',
  };
  return commandError('git', ['git', ...args.slice(0, 1)].join(' '), what, hint);
}

const FAILURE_BY_ERROR_CODE: Readonly<Record<string, { readonly what: string; readonly hint: string }>> = {
  ENOENT: { what: 'git is not installed', hint: 'Install git, or use no revision' },
  ENOBUFS: {
    what: `it prints more than ${MAX_OUTPUT_BYTES / 2 ** 20} MiB`,
    hint: 'Put the manifests into a repository or a folder of their own',
  },
  ETIMEDOUT: {
    what: 'it does not finish in time',
    hint: 'Run it to see what it waits for, or raise the limit of 300 seconds with FLEETWRIGHT_GIT_SECONDS',
  },
  ERR_INVALID_ARG_VALUE: { what: 'a name has a null character', hint: 'Rename the file or the revision' },
};
