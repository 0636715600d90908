import type { Diagnostic } from '../base/diagnostic';
import { pluralize } from '../base/text';
import { EXIT, type ExitCode } from './exit-code';
import type { Io } from './output';

export interface StrictFlags {
  /** Whether warnings make the command fail. */
  readonly strict?: boolean;
}

export function countWarnings(found: readonly Pick<Diagnostic, 'severity'>[]): number {
  return found.filter(({ severity }) => severity === 'warning').length;
}

/** The exit code for the warnings of a command: with `--strict`, they are bad input. */
export function refuseWarnings(found: readonly Pick<Diagnostic, 'severity'>[], flags: StrictFlags, io: Io): ExitCode {
  const count = flags.strict ? countWarnings(found) : 0;
  if (count === 0) return EXIT.ok;
  io.err(`refused: ${pluralize(count, 'warning')}, which --strict does not allow.\n`);
  return EXIT.badInput;
}
