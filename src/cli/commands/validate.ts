import { formatDiagnostic } from '../../base/diagnostic';
import { diagnosticDocument } from '../../base/diagnostic-document';
import { pluralize } from '../../base/text';
import type { PolicyDiagnostic } from '../../fleet/policy';
import { diagnoseDenials } from '../../plan/apply-blockers';
import { compileFleet } from '../../plan/compile-fleet';
import { checkPoliciesOfDeclarations, isDeniedByPolicy } from '../../plan/policy/check-policies';
import { formatNotes } from '../../report/plan/plan-text';
import { formatPolicyFinding } from '../../report/plan/policy-text';
import type { CommonFlags } from '../decide-fleet';
import { EXIT, type ExitCode } from '../exit-code';
import { formatJsonDocument, type Io, printAnnotations, printResult } from '../output';
import { readFleet } from '../read-inputs';

/**
 * `fleetwright validate`: checks the declarations alone, without a lock and without placing anything. Evaluates the
 * policies that do not depend on where replicas are.
 */
export function runValidate(target: string, flags: CommonFlags, io: Io): ExitCode {
  const { fleet, locate, resources, notes } = readFleet(target, flags, io);
  compileFleet(fleet, locate);
  const policies = checkPoliciesOfDeclarations(fleet, locate);
  printAnnotations(() => policies, flags, io);
  if (isDeniedByPolicy({ policies })) return reportDenials(policies, flags, io);
  for (const finding of flags.json || flags.quiet ? [] : policies) io.err(`${formatPolicyFinding(finding)}\n`);
  const count = resources.length;
  const text = `${pluralize(count, 'resource')} in ${target}: all valid.`;
  const blocks = flags.quiet ? [] : [text, ...formatNotes(notes)];
  printResult('Validation', { resources: count, notes }, () => blocks, { flags, io });
  return EXIT.ok;
}

/** Prints the policy rules that deny the declarations. */
function reportDenials(policies: readonly PolicyDiagnostic[], flags: CommonFlags, io: Io): ExitCode {
  const problems = diagnoseDenials({ policies });
  if (flags.json) io.out(formatJsonDocument('Problems', { problems: problems.map(diagnosticDocument) }));
  else for (const problem of problems) io.err(`${formatDiagnostic(problem)}\n`);
  return EXIT.refused;
}
