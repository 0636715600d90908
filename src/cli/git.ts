import { statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { gitProblem, readFollowed, runGit } from './run-git';

/**
 * The text of a file in a git revision, links followed; nothing where the revision does not have the file.
 *
 * @throws FleetwrightError when git is missing, the folder is in no repository, the revision does not exist, or a link
 *   leads out of the repository
 */
export function gitShow(revision: string, path: string): string | undefined {
  const folder = dirname(path);
  const commit = commitAt(revision, path);
  const file = readFollowed(folder, `${commit}:./${basename(path)}`);
  if (file !== 'outside') return file?.text;
  const what = `at '${revision}' it is a link out of the repository, and what was there is in no revision`;
  throw gitProblem(path, what, 'Name a revision that has the file itself');
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
  const inside = runGit(folder, ['rev-parse', '--is-inside-work-tree']).status === 0;
  if (!inside) throw gitProblem(path, `'${folder}' is in no git repository`, 'Run the command in a checkout');
  const shallow = runGit(folder, ['rev-parse', '--is-shallow-repository']).stdout.trim() === 'true';
  const what = `git knows no revision '${revision}'`;
  if (!shallow) throw gitProblem(path, what, 'Name a branch, a tag or a commit');
  throw gitProblem(
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
  const { status, stdout } = runGit(folder, ['rev-parse', '--show-toplevel']);
  if (status === 0) return stdout.trimEnd();
  throw gitProblem(path, `'${folder}' is in no working tree of git`, 'Run the command in a checkout');
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
export function commitsSince(revision: string, path: string, beside: string): string[] {
  const folder = dirname(path);
  const start = commitOf(folder, revision);
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
  const { status, stdout } = runGit(top, args);
  if (status !== 0) throw gitProblem(top, "'git status' fails here", 'Run it to see why');
  return stdout.split('\0').flatMap((entry) => {
    // Two letters, for the index and the working tree, a space, the name.
    return entry === ''
      ? []
      : [{ path: resolve(top, entry.slice(3)), gone: entry.slice(0, 2).includes('D') }];
  });
}

function commitOf(folder: string, revision: string): string | undefined {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  const { status, stdout } = runGit(folder, args);
  return status === 0 ? stdout.trim() : undefined;
}
