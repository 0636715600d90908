import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FleetwrightError, type Problem } from '../errors';
import { codeOf, orProblem } from './fs-error';
import { isRunning } from './is-running';
import { RUN_FILE } from './output-path';
import { readFileIfThere } from './read-file';

/**
 * Does something in a folder that no other run may do there at the same time.
 *
 * @throws FleetwrightError if another run is at it, or was killed while at it
 */
export function exclusively<T>(folder: string, work: () => T): T {
  const path = join(folder, RUN_FILE);
  orProblem('not-written', folder, () => claim(folder, path));
  try {
    return work();
  } finally {
    rmSync(path, { force: true });
  }
}

function claim(folder: string, path: string): void {
  try {
    writeFileSync(path, `${process.pid}\n`, { flag: 'wx' });
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw new FleetwrightError([occupied(folder, path)]);
    rmSync(path, { force: true });
    throw error;
  }
}

/** The file stays when a run is killed. Only a person can tell on which machine that was. */
function occupied(folder: string, path: string): Problem {
  const pid = Number.parseInt(readFileIfThere(path) ?? '', 10);
  const who = Number.isNaN(pid) ? 'another run' : `another run (process ${pid})`;
  const looksDead = !Number.isNaN(pid) && !isRunning(pid);
  return {
    code: 'output-in-use',
    where: folder,
    what: looksDead ? `${who} was writing here and is gone from this machine` : `${who} is writing here`,
    hint: looksDead ? `Remove ${path} and run again` : `Wait for it. If there is none, remove ${path}`,
  };
}
