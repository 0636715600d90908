import type { Diagnostic, Severity } from '../../base/diagnostic';
import { joinNames } from '../../base/text';
import type { Fleet } from '../../fleet/fleet';
import type { PolicyDiagnostic } from '../../fleet/policy';

export function formatPolicyFinding({ rule, code, at, message }: PolicyDiagnostic): string {
  return `${code} by ${rule}: ${at}: ${message}.`;
}

/** Converts a finding to a diagnostic whose message names the rule. */
export function toPolicyProblem({ rule, ...found }: PolicyDiagnostic): Diagnostic {
  return { ...found, message: `${found.code} by ${rule}: ${found.message}` };
}

/** Formats the result of all rules: `Policies: 1 of 2 met; denied by digests.` Empty for a fleet without rules. */
export function formatPolicyVerdict({ policies: rules = [] }: Fleet, findings: readonly PolicyDiagnostic[]): string[] {
  if (rules.length === 0) return [];
  const rulesWith = (severity: Severity): Set<string> =>
    new Set(findings.filter((finding) => finding.severity === severity).map(({ rule }) => rule));
  const [denied, warned] = [rulesWith('error'), rulesWith('warning')];
  const unmet = [
    ...(denied.size > 0 ? [`; denied by ${joinNames([...denied])}`] : []),
    ...(warned.size > 0 ? [`; warned by ${joinNames([...warned])}`] : []),
  ];
  return [`Policies: ${rules.length - denied.size - warned.size} of ${rules.length} met${unmet.join('')}.`];
}
