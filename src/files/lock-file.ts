import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LOCK_FILE } from '../scheduler/lock';

/** The lock of the manifests in a folder, or beside a file of them. What comes from a pipe is of the working directory. */
export function lockBeside(target: string): string {
  const stat = statSync(target, { throwIfNoEntry: false });
  if (!stat || stat.isDirectory()) return join(target, LOCK_FILE);
  return stat.isFile() ? join(dirname(target), LOCK_FILE) : LOCK_FILE;
}
