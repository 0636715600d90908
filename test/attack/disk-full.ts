import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROGRAM } from './disk-full-inside';
import type { Part } from './kills';
import type { Step } from './two-states';

/** The free space that a step finds, in KiB. The last is enough. */
const FREE_KIB: readonly number[] = [0, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 1024];

/** What the process gets that has a file system of its own. */
export interface DiskFullTask {
  readonly step: Step;
  readonly mount: string;
  readonly freeKib: readonly number[];
}

/**
 * Runs a step on a small file system that has little room left. Undefined where this user may not mount one: then
 * only the errors that `failEverywhere` makes show what a full disk does.
 */
export function fillDisk(step: Step, folder: string): Part | undefined {
  const work = mkdtempSync(join(folder, 'disk-'));
  const task: DiskFullTask = { step, mount: mkdtempSync(join(work, 'mount-')), freeKib: FREE_KIB };
  const file = join(work, 'task.json');
  writeFileSync(file, JSON.stringify(task));
  const unshare = findUnshare(task.mount);
  if (!unshare) return undefined;
  const hook = join(__dirname, '../../scripts/typescript-hook.cjs');
  const result = join(work, 'result.json');
  const program = [process.execPath, '-r', hook, PROGRAM, file, result];
  const { status, stderr } = spawnSync('unshare', [...unshare, ...program], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the run on a full disk ended with ${status}: ${stderr}`);
  const breaches = JSON.parse(readFileSync(result, 'utf8')) as Part['breaches'];
  return { name: `full disks for '${step.command}'`, count: FREE_KIB.length, breaches };
}

/** Ways to a mount namespace of one's own. Most systems give one to a user who is root in a namespace of users. */
const NAMESPACES: readonly (readonly string[])[] = [['--mount'], ['--user', '--map-root-user', '--mount']];

/** The arguments of `unshare` with which this user can mount a file system. */
function findUnshare(mount: string): readonly string[] | undefined {
  const command = ['mount', '-t', 'tmpfs', 'tmpfs', mount];
  return NAMESPACES.find((flags) => spawnSync('unshare', [...flags, ...command]).status === 0);
}
