import { attemptBoth } from '../../base/attempt';
import { formatDiagnostic } from '../../base/diagnostic';
import { diagnosticDocument } from '../../base/diagnostic-document';
import { pluralize } from '../../base/text';
import type { PolicyDiagnostic } from '../../fleet/policy';
import { diagnoseDenials } from '../../plan/apply-blockers';
import { compileFleet, refuseImpossibleRequests } from '../../plan/compile-fleet';
import { checkPoliciesOfDeclarations, isDeniedByPolicy } from '../../plan/policy/check-policies';
import { collectDeclarationWarnings } from '../../plan/warnings/collect-warnings';
import { formatNotes, formatWarnings } from '../../report/plan/plan-text';
import { formatPolicyFinding } from '../../report/plan/policy-text';
import type { CommonFlags } from '../decide-fleet';
import { EXIT, type ExitCode } from '../exit-code';
import { formatJsonDocument, type Io, printAnnotations, printResult } from '../output';
import { readFleet } from '../read-inputs';

/**
 * `fleetwright validate`: checks the declarations alone, without a lock and without placing anything. Evaluates the
 * policies that do not depend on where replicas are, and warns of secrets.
 */
export function runValidate(target: string, flags: CommonFlags, io: Io): ExitCode {
  const { fleet, locate, resources, ...read } = readFleet(target, flags, io);
  attemptBoth(
    () => compileFleet(fleet, locate),
    () => refuseImpossibleRequests(fleet, locate),
  );
  const policies = checkPoliciesOfDeclarations(fleet, locate);
  const found = collectDeclarationWarnings(fleet, locate);
  printAnnotations(() => [...policies, ...found.warnings], flags, io);
  if (isDeniedByPolicy({ policies })) return reportDenials(policies, flags, io);
  for (const finding of flags.json || flags.quiet ? [] : policies) io.err(`${formatPolicyFinding(finding)}\n`);
  const notes = [...read.notes, ...found.notes];
  const count = resources.length;
  const text = `${pluralize(count, 'resource')} in ${target}: all valid.`;
  const blocks = flags.quiet ? [] : [text, ...formatWarnings(found.warnings), ...formatNotes(notes)];
  const warnings = found.warnings.map(diagnosticDocument);
  printResult('Validation', { resources: count, warnings, notes }, () => blocks, { flags, io });
  return EXIT.ok;
}

/** Prints the policy rules that deny the declarations. */
function reportDenials(policies: readonly PolicyDiagnostic[], flags: CommonFlags, io: Io): ExitCode {
  const problems = diagnoseDenials({ policies });
  if (flags.json) io.out(formatJsonDocument('Problems', { problems: problems.map(diagnosticDocument) }));
  else for (const problem of problems) io.err(`${formatDiagnostic(problem)}\n`);
  return EXIT.refused;
}
