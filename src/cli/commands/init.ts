import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { StarterFile } from '../../analyze/starter/starter-file';
import { buildStarterFiles, listNextSteps } from '../../analyze/starter/starter-files';
import { errorAt } from '../../base/diagnostic';
import { FleetwrightError } from '../../base/errors';
import { sortUnique } from '../../base/order';
import { replaceFiles } from '../../files/replace-files';
import { makeFolder } from '../../files/write-file';
import { EXIT, type ExitCode } from '../exit-code';
import { type Io, printResult } from '../output';
import { type InitFlags, parseInitFlags } from './init-flags';
import { askQuestions } from './init-questions';

/**
 * `fleetwright init [DIR]`: writes a small fleet that plans. On a terminal it asks for what no flag says; elsewhere,
 * and with `--yes`, it takes the defaults.
 */
export function runInit(folder: string, flags: InitFlags, version: string, io: Io): ExitCode | Promise<ExitCode> {
  const { ask } = io;
  if (!ask || flags.yes || flags.json) return writeFleet(folder, flags, version, io);
  const check = (some: InitFlags): void => {
    buildStarterFiles(parseInitFlags(some, version));
  };
  refuseTaken(folder, buildStarterFiles(parseInitFlags(flags, version)));
  return askQuestions(flags, { ask, say: io.err, check }).then((all) => writeFleet(folder, all, version, io));
}

/** @throws FleetwrightError with all flags that have a value that is not known */
export function checkInitFlags(flags: InitFlags): void {
  parseInitFlags(flags, '');
}

function writeFleet(folder: string, flags: InitFlags, version: string, io: Io): ExitCode {
  const answers = parseInitFlags(flags, version);
  const files = buildStarterFiles(answers);
  refuseTaken(folder, files);
  makeFolder(folder);
  replaceFiles(folder, new Map(files.map(({ path, text }) => [join(folder, path), text])));
  const steps = listNextSteps(answers, folder);
  const written = files.map(({ path }) => path);
  const fields = {
    folder,
    written,
    gpus: sortUnique(answers.gpus.map(({ gpu }) => gpu)),
    model: answers.model.repository,
    next: steps.map(([run]) => run),
  };
  printResult('NewFleet', fields, () => (flags.quiet ? [] : formatNewFleet(folder, written, steps)), { flags, io });
  return EXIT.ok;
}

/** @throws FleetwrightError when a file that would be written exists */
function refuseTaken(folder: string, files: readonly StarterFile[]): void {
  const taken = files.map(({ path }) => join(folder, path)).filter((path) => existsSync(path));
  if (taken.length === 0) return;
  const hint = 'Use a new folder, or move the file';
  throw new FleetwrightError(taken.map((path) => errorAt('exists', path, 'the file exists already', hint)));
}

function formatNewFleet(
  folder: string,
  written: readonly string[],
  steps: readonly (readonly [string, string])[],
): string[] {
  const width = Math.max(...steps.map(([command]) => command.length));
  return [
    `Wrote a fleet to ${folder}:`,
    ...written.map((path) => `  ${path}`),
    '',
    'Next:',
    ...steps.map(([command, what]) => (what === '' ? `  ${command}` : `  ${command.padEnd(width)}   ${what}`)),
  ];
}
