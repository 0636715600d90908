import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { errorAt } from '../../base/diagnostic';
import { FleetwrightError } from '../../base/errors';

/**
 * The text of a file in a git revision, links followed; nothing where the revision does not have the file.
 *
 * @throws FleetwrightError when git is missing, the folder is in no repository, the revision does not exist, or a link
 *   leads out of the repository
 */
export function readFileAtRevision(revision: string, path: string): string | undefined {
  const folder = dirname(path);
  const commit = resolveCommit(revision, path);
  const file = readCommitFile(folder, `${commit}:./${basename(path)}`);
  if (file !== 'outside') return file?.text;
  const what = `at '${revision}' it is a link out of the repository, and what was there is in no revision`;
  throw createGitError(path, what, 'Name a revision that has the file itself');
}

/**
 * The commit of a revision in the repository that a path is in.
 *
 * @throws FleetwrightError when git is missing, the path is in no repository, or the revision does not exist
 */
export function resolveCommit(revision: string, path: string): string {
  const folder = isFolder(path) ? path : dirname(path);
  const commit = parseRevision(folder, revision);
  if (commit !== undefined) return commit;
  const inside = runGit(folder, ['rev-parse', '--is-inside-work-tree']).status === 0;
  if (!inside)
    throw createGitError(path, `'${folder}' is in no git repository`, 'Run the command in a checkout');
  const shallow = runGit(folder, ['rev-parse', '--is-shallow-repository']).stdout.trim() === 'true';
  const what = `git knows no revision '${revision}'`;
  if (!shallow) throw createGitError(path, what, 'Name a branch, a tag or a commit');
  throw createGitError(
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
export function findTopLevel(path: string): string {
  const folder = isFolder(path) ? path : dirname(path);
  const { status, stdout } = runGit(folder, ['rev-parse', '--show-toplevel']);
  if (status === 0) return stdout.trimEnd();
  throw createGitError(path, `'${folder}' is in no working tree of git`, 'Run the command in a checkout');
}

/** Whether a path is a folder, links followed. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/**
 * The commits from a revision back to the one that last changed a file, the newest first, as far as they changed the
 * file or `beside`. None where git knows nothing of it.
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

/** A file that is not as HEAD has it. */
export interface UncommittedFile {
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
export function listUncommitted(top: string, paths: readonly string[]): UncommittedFile[] {
  const flags = ['--porcelain', '-z', '--no-renames', '--untracked-files=all'];
  const args = ['--no-optional-locks', 'status', ...flags, '--', ...paths];
  const { status, stdout } = runGit(top, args);
  if (status !== 0) throw createGitError(top, "'git status' fails here", 'Run it to see why');
  return stdout.split('\0').flatMap((entry) => {
    // Two letters, for the index and the working tree, a space, the name.
    return entry === ''
      ? []
      : [{ path: resolve(top, entry.slice(3)), gone: entry.slice(0, 2).includes('D') }];
  });
}

function parseRevision(folder: string, revision: string): string | undefined {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  const { status, stdout } = runGit(folder, args);
  return status === 0 ? stdout.trim() : undefined;
}

/** What a run of git printed. */
export interface GitResult {
  readonly status: number | null;
  readonly stdout: string;
}

/**
 * Runs git on the repository of a folder.
 *
 * @throws FleetwrightError when git is missing
 */
export function runGit(folder: string, args: readonly string[]): GitResult {
  const { status, stdout } = spawnGit(folder, args, '');
  return { status, stdout: stdout.toString('utf8') };
}

/**
 * The contents of objects, read in one go: `OBJECT blob SIZE`, a line feed, the content, a line feed.
 *
 * @throws FleetwrightError when git is missing
 */
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

/** What git finds at a path of a commit: the text of a file, a link out of the repository, or nothing. */
export type CommitFile = { readonly text: string } | 'outside' | undefined;

/**
 * Reads a file of a commit, links within the repository followed.
 *
 * @param file `COMMIT:./NAME`
 * @throws FleetwrightError when git is missing
 */
export function readCommitFile(folder: string, file: string): CommitFile {
  const { stdout } = spawnGit(folder, ['cat-file', '--batch', '--follow-symlinks'], `${file}\n`);
  const start = stdout.indexOf('\n') + 1;
  const head = stdout.toString('utf8', 0, start);
  if (head.startsWith('symlink ')) return 'outside';
  return / blob \d+\n$/.test(head) ? { text: stdout.toString('utf8', start, stdout.length - 1) } : undefined;
}

/** Something about a repository that a user has to see to. */
export function createGitError(where: string, what: string, hint: string): FleetwrightError {
  return new FleetwrightError([errorAt('git', where, what, hint)]);
}

/**
 * Variables that tell git of one repository, as `git rev-parse --local-env-vars` lists them. A hook has some of its
 * own. Configuration that is given for a run (GIT_CONFIG_PARAMETERS, GIT_CONFIG_COUNT) is of no repository, and git
 * hands it on to submodules too.
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

function spawnGit(
  folder: string,
  args: readonly string[],
  input: string,
): { status: number | null; stdout: Buffer } {
  const env = {
    ...process.env,
    ...Object.fromEntries(REPOSITORY_VARIABLES.map((name) => [name, undefined])),
  };
  const run = spawnSync('git', ['-C', folder, ...args], { input, env, maxBuffer: 2 ** 30 });
  if (run.error) {
    throw createGitError('git', `cannot be run: ${run.error.message}`, 'Install git, or name no revision');
  }
  return run;
}
