import { CommanderError } from 'commander';
import { describe, FleetwrightError } from '../errors';
import { EXIT, type ExitCode } from './exit-code';
import { type Io, jsonDocument } from './output';
import { program } from './program';

/** Runs the command line and tells its exit code. Never throws: what goes wrong is printed. */
export function run(args: readonly string[], io: Io, version: string): ExitCode {
  let code: ExitCode = EXIT.ok;
  try {
    program(io, version, (result) => {
      code = result;
    }).parse([...args], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.badInput;
    if (error instanceof FleetwrightError) return tell(error, args.includes('--json'), io);
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    io.err(
      `bug: ${text}\nThis is a mistake in fleetwright, not in your files. Nothing was written after it.\n`,
    );
    return EXIT.bug;
  }
}

function tell({ problems }: FleetwrightError, json: boolean, io: Io): ExitCode {
  if (json) io.out(jsonDocument('Problems', { problems }));
  else io.err(problems.map((problem) => `${describe(problem)}\n`).join(''));
  return problems.every(({ code }) => code === 'stale-lock') ? EXIT.stale : EXIT.badInput;
}
