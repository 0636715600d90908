import { rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { FleetwrightError, type Problem } from '../errors';
import { codeOf, orProblem } from './fs-error';
import { isRunning } from './is-running';
import { RUN_FILE } from './output-path';
import { readFileIfThere } from './read-file';

/**
 * Does something in a folder that no other run may do there at the same time.
 *
 * @throws FleetwrightError if another run is at it. One that was killed on this machine is taken over
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
  if (tryClaim(path)) return;
  const owner = ownerOf(path);
  if (owner.isGone) rmSync(path, { force: true });
  if (owner.isGone && tryClaim(path)) return;
  throw new FleetwrightError([occupied(folder, path, owner)]);
}

/** Makes the file that says that a run is at work; false when there is one. */
function tryClaim(path: string): boolean {
  try {
    writeFileSync(path, `${process.pid} ${hostname()}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    rmSync(path, { force: true });
    throw error;
  }
}

interface Owner {
  readonly name: string;
  /** It was killed on this machine. Of a run on another machine nobody can tell. */
  readonly isGone: boolean;
}

function ownerOf(path: string): Owner {
  const [id = '', host] = (readFileIfThere(path) ?? '').trim().split(' ');
  const pid = Number.parseInt(id, 10);
  if (Number.isNaN(pid)) return { name: 'another run', isGone: false };
  const isHere = host === hostname();
  return {
    name: `another run (process ${pid} on ${host ?? 'some machine'})`,
    isGone: isHere && !isRunning(pid),
  };
}

function occupied(folder: string, path: string, { name }: Owner): Problem {
  return {
    code: 'output-in-use',
    where: folder,
    what: `${name} is writing here`,
    hint: `Wait for it. If there is none, remove ${path}`,
  };
}
