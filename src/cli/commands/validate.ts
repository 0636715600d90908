import { pluralize } from '../../base/text';
import { compileFleet } from '../../plan/compile-fleet';
import { formatNotes } from '../../report/plan/plan-text';
import type { CommonFlags } from '../decide-fleet';
import { EXIT, type ExitCode } from '../exit-code';
import { type Io, printResult } from '../output';
import { readFleet } from '../read-inputs';

/** `fleetwright validate`: checks the declarations alone, without a lock and without placing anything. */
export function runValidate(target: string, flags: CommonFlags, io: Io): ExitCode {
  const { fleet, locate, resources, notes } = readFleet(target, flags, io);
  compileFleet(fleet, locate);
  const count = resources.length;
  const text = `${pluralize(count, 'resource')} in ${target}: all valid.`;
  const blocks = flags.quiet ? [] : [text, ...formatNotes(notes)];
  printResult('Validation', { resources: count, notes }, () => blocks, { flags, io });
  return EXIT.ok;
}
