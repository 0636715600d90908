import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { type Diagnostic, errorAt } from '../base/diagnostic';
import { tolerate } from './fs-error';

/**
 * The real path of the folder of a fleet: the target itself, that of a file, or the working directory for standard
 * input. What the fleet names has to be inside it.
 */
export function fleetFolderOf(target: string, isFolder: boolean): string {
  return realpathSync(target === '-' ? '.' : isFolder ? target : dirname(target));
}

/** Whether a path is in a folder, as it is written and where links lead. A path that does not exist is compared as written. */
export function isInside(folder: string, path: string): boolean {
  const real = tolerate(['ENOENT', 'ENOTDIR'], undefined, () => realpathSync(path));
  if (real !== undefined) return isBelow(folder, real);
  const parent = tolerate(['ENOENT', 'ENOTDIR'], undefined, () => realpathSync(dirname(path)));
  return isBelow(folder, parent ?? resolve(path));
}

function isBelow(folder: string, path: string): boolean {
  const rest = relative(folder, path);
  return rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest);
}

export function describeOutside(where: string, what: string): Diagnostic {
  const hint = 'Move it into the folder, or add --allow-outside if you trust the declarations';
  return errorAt('outside', where, `${what} leads out of the folder of the fleet`, hint);
}
