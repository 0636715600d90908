import { spawnSync } from 'node:child_process';
import { basename, dirname } from 'node:path';
import { FleetwrightError } from '../errors';

/**
 * The text of a file in a git revision; nothing where the revision does not have the file.
 *
 * @throws FleetwrightError when git is missing, the folder is in no repository, or the revision does not exist
 */
export function gitShow(revision: string, path: string): string | undefined {
  const folder = dirname(path);
  const commit = git(folder, [
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${revision}^{commit}`,
  ]);
  if (commit.status !== 0) {
    const inside = git(folder, ['rev-parse', '--is-inside-work-tree']).status === 0;
    const what = inside ? `git knows no revision '${revision}'` : `'${folder}' is in no git repository`;
    throw problem(path, what, inside ? 'Name a branch, a tag or a commit' : 'Run the command in a checkout');
  }
  const file = git(folder, ['show', `${commit.stdout.trim()}:./${basename(path)}`]);
  return file.status === 0 ? file.stdout : undefined;
}

function git(folder: string, args: readonly string[]): { status: number | null; stdout: string } {
  const { status, stdout, error } = spawnSync('git', ['-C', folder, ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  if (error) throw problem('git', `cannot be run: ${error.message}`, 'Install git, or leave --from out');
  return { status, stdout };
}

function problem(where: string, what: string, hint: string): FleetwrightError {
  return new FleetwrightError([{ code: 'git', where, what, hint }]);
}
