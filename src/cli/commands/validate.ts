import { pluralize } from '../../base/text';
import { diagnosticDocument } from '../../base/diagnostic-document';
import { compileFleet } from '../../plan/compile-fleet';
import { collectDeclarationWarnings } from '../../plan/warnings/collect-warnings';
import { formatNotes, formatWarnings } from '../../report/plan/plan-text';
import type { CommonFlags } from '../decide-fleet';
import { EXIT, type ExitCode } from '../exit-code';
import { type Io, printAnnotations, printResult } from '../output';
import { readFleet } from '../read-inputs';

/** `fleetwright validate`: checks the declarations alone, without a lock and without placing anything. Warns of secrets. */
export function runValidate(target: string, flags: CommonFlags, io: Io): ExitCode {
  const { fleet, locate, resources, ...read } = readFleet(target, flags, io);
  compileFleet(fleet, locate);
  const found = collectDeclarationWarnings(fleet, locate);
  const notes = [...read.notes, ...found.notes];
  const count = resources.length;
  const text = `${pluralize(count, 'resource')} in ${target}: all valid.`;
  const blocks = flags.quiet ? [] : [text, ...formatWarnings(found.warnings), ...formatNotes(notes)];
  const warnings = found.warnings.map(diagnosticDocument);
  printResult('Validation', { resources: count, warnings, notes }, () => blocks, { flags, io });
  printAnnotations(() => found.warnings, flags, io);
  return EXIT.ok;
}
