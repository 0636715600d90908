import { plural } from '../plan/format';
import { compile } from '../scheduler/compile';
import type { CommonFlags } from './context';
import { EXIT, type ExitCode } from './exit-code';
import { readFleet } from './inputs';
import { formatNotes, type Io, jsonDocument } from './output';

/** `fleetwright validate`: checks the declarations alone, without a lock and without placing anything. */
export function validate(target: string, flags: CommonFlags, io: Io): ExitCode {
  const { fleet, locate, resources, notes } = readFleet(target, flags, io);
  compile(fleet, locate);
  const count = resources.length;
  if (flags.json) io.out(jsonDocument('Validation', { resources: count, notes }));
  else if (!flags.quiet) {
    io.out(`${plural(count, 'resource')} in ${target}: all valid.\n${formatNotes(notes)}`);
  }
  return EXIT.ok;
}
