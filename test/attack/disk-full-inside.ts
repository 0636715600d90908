import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DiskFullTask } from './disk-full';
import { readFiles, writeFiles } from './files';
import type { Part } from './kills';
import { findDifferences, runIn } from './two-states';

/** The file to run. Whoever imports it has it compiled: in a namespace of users the compiler may not unpack itself. */
export const PROGRAM = __filename;

/** Runs in a mount namespace of its own: what it mounts is gone when it ends. */
async function main([taskFile = '', resultFile = '']: readonly string[]): Promise<void> {
  const { step, mount, freeKib } = JSON.parse(readFileSync(taskFile, 'utf8')) as DiskFullTask;
  const breaches: Part['breaches'][number][] = [];
  for (const free of freeKib) {
    mountSmall(mount);
    writeFiles(mount, step.from);
    leaveFree(mount, free);
    const input = `'${step.command}' with ${free} KiB free`;
    const { code, err } = await runIn(mount, step.command);
    const wanted = code === 0 ? step.to : step.from;
    const left = findDifferences(
      wanted,
      readFiles(mount, (path) => path !== FILLER),
    );
    const isRefused = code === 1 && err.includes('ENOSPC') === false && /: .+\./.test(err) && !/^\s+at /m.test(err);
    if (code !== 0 && !isRefused)
      breaches.push({ input, rule: 'a full disk is an error with a place', what: `${code}: ${err}` });
    breaches.push(...left.map((path) => ({ input, rule: 'a full disk changes nothing', what: path })));
    rmSync(join(mount, FILLER));
    const again = await runIn(mount, step.command);
    const after = findDifferences(step.to, readFiles(mount));
    if (again.code !== 0) breaches.push({ input, rule: 'the run with room again succeeds', what: again.err });
    breaches.push(
      ...after.map((path) => ({ input, rule: 'the run with room again leaves what it should', what: path })),
    );
    process.chdir('/');
    spawnSync('umount', [mount]);
  }
  writeFileSync(resultFile, JSON.stringify(breaches));
}

const FILLER = 'filler';

function mountSmall(mount: string): void {
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', mount], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

/** Fills the file system up to some KiB. */
function leaveFree(mount: string, kib: number): void {
  const { bavail, bsize } = statfsSync(mount);
  writeFileSync(join(mount, FILLER), Buffer.alloc(Math.max(0, bavail * bsize - kib * 1024)));
}

if (require.main === module) void main(process.argv.slice(2));
