import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { mapConcurrently } from '../../src/base/concurrency';
import { COMMAND_LINE, environment } from './command';
import { readFiles } from './files';
import { disturb, type Fault } from './fs-faults.cjs';
import type { Breach } from './judge';
import { findDifferences, findTorn, inFolder, runIn, type Step } from './two-states';

const HOOK = join(__dirname, 'fs-faults.cjs');

const WITHOUT_EFFECT: ReadonlySet<string> = new Set(['reopenSync', 'closeSync', 'fsyncSync']);

/** What came of a part of the attack. */
export interface Part {
  readonly name: string;
  readonly count: number;
  readonly breaches: readonly (Breach & { readonly input: string })[];
}

/** Kills a step at each of its changes of files, before it and in the middle of it, and runs it again. */
export async function killEverywhere(step: Step, folder: string): Promise<Part> {
  const changes = await listChanges(step, folder);
  // A half of what is no write is all of it; and a kill before what changes no disk is one before the next change.
  const kills = changes.flatMap((name, i) =>
    WITHOUT_EFFECT.has(name)
      ? []
      : (name === 'writeFileSync' ? (['kill', 'torn'] as const) : (['kill'] as const)).map((action) => ({
          at: i + 1,
          action,
        })),
  );
  const found = await mapConcurrently(Math.min(availableParallelism(), 4), kills, ({ at, action }) =>
    inFolder(folder, step.from, async (work) => {
      const input = `${step.command}, ${action} at change ${at} of ${changes.length}`;
      await startProcess(step.command, work, { folder: work, at, action });
      const torn = findTorn(step, readFiles(work));
      const { code, err } = await runIn(work, step.command);
      const left = findDifferences(step.to, readFiles(work));
      return [
        ...torn.map((path) => ({ input, rule: 'a killed run leaves whole files', what: path })),
        ...(code === 0 ? [] : [{ input, rule: 'the run after a kill succeeds', what: `exit code ${code}: ${err}` }]),
        ...left.map((path) => ({ input, rule: 'the run after a kill leaves what it should', what: path })),
      ];
    }),
  );
  return { name: `kills of '${step.command}'`, count: kills.length, breaches: found.flat() };
}

/** The changes of files that a step makes, by the names of the calls. */
export function listChanges(step: Step, folder: string): Promise<readonly string[]> {
  return inFolder(folder, step.from, async (work) => {
    const end = disturb({ folder: work, at: 0, action: 'count' });
    const { code, err } = await runIn(work, step.command);
    const changes = end();
    if (code !== 0) throw new Error(`'${step.command}' ended with ${code}: ${err}`);
    return changes;
  });
}

/** Runs a command as a process in a folder. */
export async function startProcess(
  command: string,
  work: string,
  fault?: Fault,
): Promise<{ code: number | null; err: string }> {
  const env = { ...environment(dirname(work)), ...(fault && { FLEETWRIGHT_ATTACK_FAULT: JSON.stringify(fault) }) };
  const child = spawn(process.execPath, ['-r', HOOK, ...COMMAND_LINE, ...command.split(' ')], {
    cwd: work,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let err = '';
  child.stderr.on('data', (part) => void (err += String(part)));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, err })));
}
