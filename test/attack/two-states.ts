import { mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tryParseJson } from '../../src/base/json';
import type { Specimen } from './corpus';
import { environment, type Ran, runHere } from './command';
import { below, changedPaths, type Content, type Files, readFiles, textOf, writeFiles } from './files';

/** The files of a fleet before a change and after it, with lock and output as commands write them. */
export interface TwoStates {
  readonly before: Files;
  readonly after: Files;
}

/** A command, and what it starts from and leads to. */
export interface Step {
  readonly command: string;
  readonly from: Files;
  readonly to: Files;
}

/** A change that adds, changes and removes lines of the lock and files of the output. */
export async function makeTwoStates(corpus: readonly Specimen[], folder: string): Promise<TwoStates> {
  const specimen = corpus.find(({ name }) => name === 'every-kind');
  const fleet = pick(specimen?.files ?? {}, /^fleet\//);
  const changed = { ...fleet, 'fleet/models.yaml': changeModels(String(fleet['fleet/models.yaml'])) };
  return { before: await written(fleet, folder), after: await written(changed, folder) };
}

/** One deployment goes, another comes, and one gets a further argument. */
function changeModels(models: string): string {
  const renamed = models.replace('name: small, namespace: team-b', 'name: tiny, namespace: team-b');
  const changed = renamed.replace('--tensor-parallel-size=2', '--tensor-parallel-size=2, --max-num-seqs=64');
  if (renamed === models || changed === renamed) throw new Error('the fleet has no deployment to rename');
  return changed;
}

async function written(fleet: Files, folder: string): Promise<Files> {
  return inFolder(folder, without(fleet, /lock/), async (work) => {
    for (const command of ['lock fleet --finalize', 'synth fleet -o out']) {
      const { code, err } = await runIn(work, command);
      if (code !== 0) throw new Error(`'${command}' ended with ${code}: ${err}`);
    }
    return readFiles(work);
  });
}

/** `lock` and `synth` of the change. */
export async function stepsOf({ before, after }: TwoStates, folder: string): Promise<readonly Step[]> {
  const declared = pick(after, /^fleet\//);
  const output = pick(before, /^out\//);
  const lock = pick(before, /lock/);
  return [
    await undisturbed('lock fleet --finalize', { ...declared, ...output, ...lock }, folder),
    await undisturbed('synth fleet -o out', { ...declared, ...output }, folder),
  ];
}

/** A step with what it leads to when nothing disturbs it. */
function undisturbed(command: string, from: Files, folder: string): Promise<Step> {
  return inFolder(folder, from, async (work) => {
    const { code, err } = await runIn(work, command);
    if (code !== 0) throw new Error(`'${command}' ended with ${code}: ${err}`);
    return { command, from, to: readFiles(work) };
  });
}

/** What is wrong with a folder in the middle of a step: every file has to be that of before or that of after. */
export function findTorn({ from, to }: Step, now: Files): readonly string[] {
  const known = new Set([...Object.keys(from), ...Object.keys(to)]);
  return [...known].filter((path) =>
    path === INVENTORY ? !isWholeInventory(now) : ![from[path], to[path]].some((state) => isSame(state, now[path])),
  );
}

const INVENTORY = 'out/.fleetwright-inventory.json';

/** In the middle of a step it lists the files of before and of after, so that no file is forgotten. */
function isWholeInventory(now: Files): boolean {
  const listed = textOf(now[INVENTORY] ?? '');
  const manifests = Object.keys(now).filter((path) => /^out\/[^.].*\.yaml$/.test(path));
  return tryParseJson(listed) !== undefined && manifests.every((path) => listed.includes(path.slice('out/'.length)));
}

/** What is wrong with a folder after a step. */
export function findDifferences(wanted: Files, now: Files): readonly string[] {
  return changedPaths(wanted, now);
}

function isSame(one: Content | undefined, other: Content | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Runs a command in a folder, in this process. */
export function runIn(work: string, command: string): Promise<Ran> {
  process.chdir(work);
  return runHere(command.split(' '), environment(dirname(work)));
}

/** Calls a function with a folder of its own that holds files. */
export async function inFolder<T>(folder: string, files: Files, call: (work: string) => Promise<T>): Promise<T> {
  const work = mkdtempSync(join(folder, 'step-'));
  try {
    writeFiles(work, below('.', files));
    return await call(work);
  } finally {
    process.chdir(folder);
    rmSync(work, { recursive: true, force: true });
  }
}

function pick(files: Files, pattern: RegExp): Files {
  return Object.fromEntries(Object.entries(files).filter(([path]) => pattern.test(path)));
}

function without(files: Files, pattern: RegExp): Files {
  return Object.fromEntries(Object.entries(files).filter(([path]) => !pattern.test(path)));
}
