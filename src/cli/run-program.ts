import type * as ChildProcess from 'node:child_process';
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { relocate } from '../base/diagnostic';
import { FleetwrightError } from '../base/errors';
import { clipText } from '../base/text';
import { showInvisible } from '../base/untrusted-text';
import { type FleetProgram, PROGRAM_FILE } from '../files/fleet-paths';
import { readTextFileIfExists } from '../files/read-file';
import { withWorkFolder } from '../files/work-folder';
import {
  CHARTS_LOCK_VARIABLE,
  CHARTS_VARIABLE,
  parseProgramCharts,
  type ProgramChart,
} from '../manifest/program-charts';
import { EMIT_VARIABLE, parseProgramOutput, type ProgramOutput } from '../manifest/program-output';
import { commandError } from './command-error';
import { explainPulumiFailure, type ProgramFailure } from './explain-pulumi-failure';
import type { Io } from './output';

/** The default time limit of a program. `FLEETWRIGHT_PROGRAM_SECONDS` overrides it. */
const DEFAULT_TIMEOUT_SECONDS = 120;

const SUPERVISOR = join(__dirname, 'supervise.cjs');

/** The maximum size of the output of a program in bytes. It is on disk while the program runs. */
const MAX_OUTPUT_BYTES = 64 * 2 ** 20;

/** The number of bytes at the end of the output that are shown on failure: enough for the error. */
const MAX_OUTPUT_SHOWN = 8000;

/**
 * Runs a program up to its `place()` and reads its declarations. Its output is shown only when it fails.
 *
 * @throws FleetwrightError when it fails, hangs, never calls `place()`, or its declarations are invalid
 */
export function runProgram(program: FleetProgram, io: Io): ProgramOutput {
  return readFromProgram(program, io, {
    variablesOf: (file) => ({ [EMIT_VARIABLE]: file }),
    parse: parseProgramOutput,
    missing: NEVER_PLACED,
  });
}

/**
 * Runs a program to its end and reads the charts that it has then. Undefined if it has no charts of `place()`.
 *
 * @param lock the path of the lock, or `ephemeral`
 * @throws FleetwrightError when it fails or hangs
 */
export function runProgramToEnd(program: FleetProgram, io: Io, lock: string): ProgramChart[] | undefined {
  return readFromProgram(program, io, {
    // Charts are not written into the folder of the program.
    variablesOf: (file) => ({
      [CHARTS_VARIABLE]: file,
      [CHARTS_LOCK_VARIABLE]: lock,
      CDK8S_OUTDIR: join(dirname(file), 'charts'),
    }),
    parse: parseProgramCharts,
    missing: NO_CHARTS,
  });
}

/** How a run of a program says what it has. */
interface ProgramRun<T> {
  /** The environment of the program, by the file that it writes. */
  variablesOf(file: string): Readonly<Record<string, string>>;

  /** Parses the file. `path` is its name in messages. */
  parse(text: string, path: string): T;

  /** The failure of a program that did not write the file. */
  readonly missing: ProgramFailure;
}

function readFromProgram<T>(program: FleetProgram, io: Io, { variablesOf, parse, missing }: ProgramRun<T>): T {
  rejectRecursion(program, io);
  return withWorkFolder((work) => {
    const file = join(work, 'declarations.yaml');
    const printed = join(work, 'output.txt');
    const ended = spawnProgram(program, io, variablesOf(file), printed);
    const failure = statSync(printed).size > MAX_OUTPUT_BYTES ? TOO_MUCH_OUTPUT : failureOf(ended, io, printed);
    const text = failure ? undefined : readDeclarations(program, file);
    if (failure || text === undefined) throw programFailedError(program, io, printed, failure ?? missing);
    return parse(text, `${program.folder}/${PROGRAM_FILE}`);
  });
}

/** Reads the declarations that a program wrote. Undefined if it wrote none. */
function readDeclarations(program: FleetProgram, file: string): string | undefined {
  try {
    return readTextFileIfExists(file);
  } catch (error) {
    // The file is temporary, so its path says nothing.
    if (!(error instanceof FleetwrightError)) throw error;
    const { diagnostics } = error;
    const at = join(program.folder, PROGRAM_FILE);
    throw new FleetwrightError(diagnostics.map((one) => relocate(one, () => `${at}: declarations of the program`)));
  }
}

/** @param printed the file for its output. A file accepts any amount of output without a reader */
function spawnProgram(
  { folder, command }: FleetProgram,
  io: Io,
  variables: Readonly<Record<string, string>>,
  printed: string,
) {
  const { spawnSync } = require('node:child_process') as typeof ChildProcess;
  const output = openSync(printed, 'w');
  try {
    return spawnSync(process.execPath, [SUPERVISOR, command, String(MAX_OUTPUT_BYTES)], {
      cwd: folder,
      env: { ...io.env, ...variables },
      stdio: ['ignore', output, output],
      timeout: timeoutSecondsOf(io) * 1000,
    });
  } finally {
    closeSync(output);
  }
}

function timeoutSecondsOf({ env }: Io): number {
  const seconds = Number(env['FLEETWRIGHT_PROGRAM_SECONDS']);
  return seconds > 0 ? seconds : DEFAULT_TIMEOUT_SECONDS;
}

const NEVER_PLACED: ProgramFailure = {
  what: 'ended without calling place()',
  hint: 'After everything is declared, call place() of its Fleet or create its FleetStack, outside apply(). If the program catches errors, print them',
};

const NO_CHARTS: ProgramFailure = {
  what: 'exited before it wrote its charts',
  hint: 'Do not call process.exit() after place()',
};

const TOO_MUCH_OUTPUT: ProgramFailure = {
  what: `printed more than ${MAX_OUTPUT_BYTES / 2 ** 20} MiB`,
  hint: 'Reduce its output. The end of the output is above',
};

function failureOf(
  { status, signal, error }: ChildProcess.SpawnSyncReturns<Buffer>,
  io: Io,
  printed: string,
): ProgramFailure | undefined {
  if (error && 'code' in error && error.code === 'ETIMEDOUT') {
    const hint = 'Find what it waits for, or raise the limit with FLEETWRIGHT_PROGRAM_SECONDS';
    return { what: `did not end within ${timeoutSecondsOf(io)} seconds`, hint };
  }
  if (error) return { what: `cannot be run: ${error.message}`, hint: `Check 'app' of ${PROGRAM_FILE}` };
  if (status === 0) return undefined;
  if (signal) return { what: `was ended by ${signal}`, hint: 'Its output is above' };
  const pulumi = explainPulumiFailure(readEnd(printed, MAX_OUTPUT_SHOWN));
  return pulumi ?? { what: `failed with exit code ${status}`, hint: 'Its output is above' };
}

function programFailedError(
  program: FleetProgram,
  io: Io,
  printed: string,
  { what, hint }: ProgramFailure,
): FleetwrightError {
  const output = readEnd(printed, MAX_OUTPUT_SHOWN).trim();
  if (output !== '') io.err(`${quoteOutput(output)}\n\n`);
  return programError(program, `the program '${clipText(program.command)}' ${what}`, hint);
}

/** Quotes the output of a program: no line of it is a command of a CI, and none looks like one of the command line. */
function quoteOutput(output: string): string {
  return showInvisible(output.replaceAll('\r\n', '\n')).replace(/^/gm, '| ');
}

/** Reads the last bytes of a file as text. A character that is cut becomes a replacement character. */
function readEnd(path: string, most: number): string {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, most));
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, size - bytes.length));
  } finally {
    closeSync(file);
  }
}

/** Rejects a program that runs the command line on itself, which would never end. */
function rejectRecursion(program: FleetProgram, { env }: Io): void {
  if (!env[EMIT_VARIABLE] && !env[CHARTS_VARIABLE]) return;
  const hint = `Set 'app' of ${PROGRAM_FILE} to a program that declares a fleet`;
  throw programError(
    program,
    `the program '${clipText(program.command)}' runs fleetwright, which would run the program again`,
    hint,
  );
}

function programError({ folder }: FleetProgram, what: string, hint: string): FleetwrightError {
  return commandError('program-failed', join(folder, PROGRAM_FILE), what, hint);
}
