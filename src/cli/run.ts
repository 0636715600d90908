import { basename, resolve } from 'node:path';
import { CommanderError } from 'commander';
import { formatDiagnostic, limitListed, relocate } from '../base/diagnostic';
import { toDiagnosticDocument } from '../base/diagnostic-document';
import { FleetwrightError } from '../base/errors';
import { ANNOTATION_FORMATS, type AnnotationFormat, formatAnnotations } from '../report/ci-annotations';
import { createCommandLine } from './command-line';
import { EXIT, type ExitCode } from './exit-code';
import { guardOutput, type Io, type RawIo, STANDARD_OUTPUT } from './output';

/** Runs the command line. Never throws: failures are printed. Commands that use the network return a promise. */
export function runCommandLine(args: readonly string[], rawIo: RawIo, version: string): ExitCode | Promise<ExitCode> {
  const io = guardOutput(rawIo);
  let code: ExitCode | Promise<ExitCode> = EXIT.ok;
  try {
    const program = createCommandLine(io, version, (result) => {
      code = result;
    });
    // Where a word names what a command does, a command that is spelled like it is not meant.
    if (Object.hasOwn(COMMANDS_BY_WORD, args[0] ?? '')) program.showSuggestionAfterError(false);
    program.parse([...args], { from: 'user' });
  } catch (error) {
    return reportFailure(error, args, io);
  }
  return catchFailure(code, args, io);
}

function catchFailure(
  code: ExitCode | Promise<ExitCode>,
  args: readonly string[],
  io: Io,
): ExitCode | Promise<ExitCode> {
  return code instanceof Promise ? code.catch((error: unknown) => reportFailure(error, args, io)) : code;
}

function reportFailure(error: unknown, args: readonly string[], io: Io): ExitCode {
  if (error instanceof CommanderError) {
    if (error.code === 'commander.unknownCommand') suggestCommand(args[0] ?? '', io);
    return error.exitCode === 0 ? EXIT.ok : EXIT.badInput;
  }
  if (error instanceof FleetwrightError) return reportProblems(error, args, io);
  return printBug(error, io);
}

/** What shows or does what a user may look for as a command of its own. */
const COMMANDS_BY_WORD: Readonly<Record<string, string>> = {
  apply: 'fleetwright synth DIR',
  check: 'fleetwright validate DIR',
  cost: 'fleetwright plan DIR --cost',
  costs: 'fleetwright plan DIR --cost',
  diff: 'fleetwright plan DIR --against REVISION',
  free: 'fleetwright explain CLUSTER DIR',
  graph: 'fleetwright plan DIR --graph',
  lint: 'fleetwright validate DIR --strict',
  list: 'fleetwright plan DIR --all',
  ls: 'fleetwright plan DIR --all',
  map: 'fleetwright plan DIR --html FILE',
  price: 'fleetwright catalog QUERY',
  prices: 'fleetwright catalog QUERY',
  render: 'fleetwright synth DIR',
  show: 'fleetwright plan DIR --all',
};

function suggestCommand(word: string, io: Io): void {
  if (Object.hasOwn(COMMANDS_BY_WORD, word)) io.err(`(Use '${COMMANDS_BY_WORD[word] ?? ''}')\n`);
}

/** Reports an error that escaped a run, as one that a stray event throws. */
export function reportCrash(error: unknown, io: RawIo): ExitCode {
  return reportFailure(error, [], guardOutput(io));
}

function printBug(error: unknown, io: Io): ExitCode {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  io.err(
    `bug: ${text}\nThis is a bug in fleetwright, not a problem of your files. Nothing was written after the error.\n`,
  );
  return EXIT.bug;
}

function reportProblems({ diagnostics }: FleetwrightError, args: readonly string[], io: Io): ExitCode {
  const listed = limitListed(diagnostics).map((problem) => relocate(problem, nameFolder));
  // A document about an output that takes nothing would be lost with it.
  const readable = !listed.some(({ at }) => at === STANDARD_OUTPUT);
  if (readable && args.includes('--json')) io.outDocument('Problems', { problems: listed.map(toDiagnosticDocument) });
  else io.err(listed.map((problem) => `${formatDiagnostic(problem)}\n`).join(''));
  const format = parseAnnotationFormat(args);
  if (format) io.annotate(formatAnnotations(listed, format));
  return EXIT_OF_PROBLEMS.find(({ codes }) => diagnostics.every(({ code }) => codes.has(code)))?.exit ?? EXIT.badInput;
}

/** The folder of the run by its name: `.` says nothing in a log. */
function nameFolder(at: string): string {
  return at === '.' ? basename(resolve(at)) || at : at;
}

/** The exit codes of runs that fail for another reason than bad input, by the codes of all their problems. */
const EXIT_OF_PROBLEMS: readonly { readonly codes: ReadonlySet<string>; readonly exit: ExitCode }[] = [
  { codes: new Set(['lock-out-of-date']), exit: EXIT.outOfDate },
  { codes: new Set(['unreachable', 'unseen', 'no-slices', 'no-context']), exit: EXIT.amiss },
];

/** Parses the annotation format from the arguments. The failure can have occurred before a command read its flags. */
function parseAnnotationFormat(args: readonly string[]): AnnotationFormat | undefined {
  return ANNOTATION_FORMATS.find((format) =>
    args.some((arg, i) => arg === `--annotations=${format}` || (arg === format && args[i - 1] === '--annotations')),
  );
}
