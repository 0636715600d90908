import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LOCK_FILE } from '../scheduler/lock';

/** The lock of the manifests in a folder, or beside a file of them. */
export function lockBeside(target: string): string {
  const isFile = statSync(target, { throwIfNoEntry: false })?.isFile() ?? false;
  return join(isFile ? dirname(target) : target, LOCK_FILE);
}
