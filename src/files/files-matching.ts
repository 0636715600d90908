import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { sortedBy } from '../order';
import { codeOf, orProblem } from './fs-error';

/**
 * The files that a path names, sorted. `*` in its last part stands for any text, but not for a dot at the start.
 *
 * @throws FleetwrightError if the folder cannot be read
 */
export function filesMatching(path: string): string[] {
  const [folder, name] = [dirname(path), basename(path)];
  const names = name.includes('*') ? namesIn(folder).filter((one) => matches(one, name)) : [name];
  return sortedBy(names, (one) => one)
    .map((one) => join(folder, one))
    .filter(isFile);
}

function namesIn(folder: string): string[] {
  return orProblem('unreadable', folder, () => {
    try {
      return readdirSync(folder);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    }
  });
}

/** Without a regular expression: a row of stars would make one slow. */
function matches(name: string, pattern: string): boolean {
  if (name.startsWith('.') && !pattern.startsWith('.')) return false;
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop() ?? '';
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}

/** What is there and no folder: whoever reads it tells whether it can be read. */
function isFile(path: string): boolean {
  return orProblem('unreadable', path, () => {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
  });
}
