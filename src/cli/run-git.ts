import { spawnSync } from 'node:child_process';
import { FleetwrightError } from '../errors';

/** What a run of git printed. */
export interface GitRun {
  readonly status: number | null;
  readonly stdout: string;
}

/**
 * Runs git on the repository of a folder.
 *
 * @throws FleetwrightError when git is missing
 */
export function runGit(folder: string, args: readonly string[]): GitRun {
  const { status, stdout } = spawned(folder, args, '');
  return { status, stdout: stdout.toString('utf8') };
}

/**
 * The contents of objects, read in one go: `OBJECT blob SIZE`, a line feed, the content, a line feed.
 *
 * @throws FleetwrightError when git is missing
 */
export function readObjects(folder: string, objects: readonly string[]): Buffer[] {
  if (objects.length === 0) return [];
  const { stdout } = spawned(folder, ['cat-file', '--batch'], `${objects.join('\n')}\n`);
  let at = 0;
  return objects.map(() => {
    const start = stdout.indexOf('\n', at) + 1;
    const size = Number(stdout.toString('latin1', at, start).split(' ')[2]);
    at = start + size + 1;
    return stdout.subarray(start, start + size);
  });
}

/** What git finds at a path of a commit: the text of a file, a link out of the repository, or nothing. */
export type FollowedFile = { readonly text: string } | 'outside' | undefined;

/**
 * Reads a file of a commit, links within the repository followed.
 *
 * @param file `COMMIT:./NAME`
 * @throws FleetwrightError when git is missing
 */
export function readFollowed(folder: string, file: string): FollowedFile {
  const { stdout } = spawned(folder, ['cat-file', '--batch', '--follow-symlinks'], `${file}\n`);
  const start = stdout.indexOf('\n') + 1;
  const head = stdout.toString('utf8', 0, start);
  if (head.startsWith('symlink ')) return 'outside';
  return / blob \d+\n$/.test(head) ? { text: stdout.toString('utf8', start, stdout.length - 1) } : undefined;
}

/** Something about a repository that a user has to see to. */
export function gitProblem(where: string, what: string, hint: string): FleetwrightError {
  return new FleetwrightError([{ code: 'git', where, what, hint }]);
}

/**
 * Variables that tell git of one repository, as `git rev-parse --local-env-vars` lists them. A hook has some of its
 * own. Configuration that is given for a run (GIT_CONFIG_PARAMETERS, GIT_CONFIG_COUNT) is of no repository, and git
 * hands it on to submodules too.
 */
const OF_A_REPOSITORY: readonly string[] = [
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

function spawned(
  folder: string,
  args: readonly string[],
  input: string,
): { status: number | null; stdout: Buffer } {
  const env = { ...process.env, ...Object.fromEntries(OF_A_REPOSITORY.map((name) => [name, undefined])) };
  const run = spawnSync('git', ['-C', folder, ...args], { input, env, maxBuffer: 2 ** 30 });
  if (run.error) {
    throw gitProblem('git', `cannot be run: ${run.error.message}`, 'Install git, or name no revision');
  }
  return run;
}
