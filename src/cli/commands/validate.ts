import { formatDiagnostic } from '../../base/diagnostic';
import { toDiagnosticDocument } from '../../base/diagnostic-document';
import { pluralize } from '../../base/text';
import type { PolicyDiagnostic } from '../../fleet/policy';
import { diagnoseDenials } from '../../plan/apply-blockers';
import { isDeniedByPolicy } from '../../plan/policy/check-policies';
import { collectDeclarationWarnings } from '../../plan/warnings/collect-warnings';
import { formatNotes, formatWarnings } from '../../report/plan/plan-text';
import { formatPolicyFinding } from '../../report/plan/policy-text';
import type { CommonFlags } from '../decide-fleet';
import { EXIT, type ExitCode } from '../exit-code';
import { formatJsonDocument, type Io, printAnnotations, printResult } from '../output';
import { readInput } from '../read-inputs';
import { refuseWarnings, type StrictFlags } from '../strict-warnings';
import { validateFleet } from '../validate-fleet';

/**
 * `fleetwright validate`: finds everything for which a plan without a lock would reject the declarations, and warns of
 * what does not depend on where replicas are. Replicas without a place are no error. With `--strict`, warnings are.
 */
export function runValidate(target: string, flags: CommonFlags & StrictFlags, io: Io): ExitCode {
  const { declared, decision } = validateFleet(readInput(target, flags, io));
  const { locate, resources, ...read } = declared;
  const { policies } = decision.plan;
  const found = collectDeclarationWarnings(decision, { notes: read.notes, warnings: read.warnings }, locate);
  printAnnotations(() => [...policies, ...found.warnings], flags, io);
  if (isDeniedByPolicy({ policies })) return reportDenials(policies, flags, io);
  for (const finding of flags.json || flags.quiet ? [] : policies) io.err(`${formatPolicyFinding(finding)}\n`);
  const { notes } = found;
  const count = resources.length;
  const text = `${pluralize(count, 'resource')} in ${target}: all valid.`;
  const blocks = flags.quiet ? [] : [text, ...formatWarnings(found.warnings), ...formatNotes(notes)];
  const warnings = found.warnings.map(toDiagnosticDocument);
  printResult('Validation', { resources: count, warnings, notes }, () => blocks, { flags, io });
  return refuseWarnings([...policies, ...found.warnings], flags, io);
}

/** Prints the policy rules that deny the declarations. */
function reportDenials(policies: readonly PolicyDiagnostic[], flags: CommonFlags, io: Io): ExitCode {
  const problems = diagnoseDenials({ policies });
  if (flags.json) io.out(formatJsonDocument('Problems', { problems: problems.map(toDiagnosticDocument) }));
  else for (const problem of problems) io.err(`${formatDiagnostic(problem)}\n`);
  return EXIT.refused;
}
