import { pluralize } from '../../base/text';
import { compileFleet } from '../../plan/compile-fleet';
import type { CommonFlags } from '../decide-fleet';
import { EXIT, type ExitCode } from '../exit-code';
import { formatJsonDocument, formatNotes, type Io } from '../output';
import { readFleet } from '../read-inputs';

/** `fleetwright validate`: checks the declarations alone, without a lock and without placing anything. */
export function runValidate(target: string, flags: CommonFlags, io: Io): ExitCode {
  const { fleet, locate, resources, notes } = readFleet(target, flags, io);
  compileFleet(fleet, locate);
  const count = resources.length;
  if (flags.json) io.out(formatJsonDocument('Validation', { resources: count, notes }));
  else if (!flags.quiet) {
    io.out(`${pluralize(count, 'resource')} in ${target}: all valid.\n${formatNotes(notes)}`);
  }
  return EXIT.ok;
}
