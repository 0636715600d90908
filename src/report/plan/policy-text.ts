import type { Diagnostic, Severity } from '../../base/diagnostic';
import { groupBy } from '../../base/order';
import { joinNames, pluralize } from '../../base/text';
import type { PolicyChange } from '../../diff/policy-changes';
import type { Fleet } from '../../fleet/fleet';
import type { FewerReplicas, PolicyDiagnostic } from '../../fleet/policy';
import type { Plan } from '../../plan/plan';

export function formatPolicyFinding(finding: PolicyDiagnostic): string {
  const { rule, code, at, message } = finding;
  return `${code} by ${rule}: ${at}: ${[message, ...explainUse(finding)].join('. ')}.`;
}

/** What uses most of a limit, and what meets it, as sentences without a full stop. */
function explainUse(finding: PolicyDiagnostic): string[] {
  const { users } = finding;
  return [...(users === undefined ? [] : [`Most is used by ${users}`]), ...formatMet(finding)];
}

/** What meets a limit: fewer new replicas, else less of what uses most. Empty: nothing is known. */
function formatMet({ fewer, smaller = [] }: PolicyDiagnostic): string[] {
  if (fewer) return [formatFewer(fewer)];
  return smaller.length > 0 ? [`It is met with ${joinNames(smaller, MAX_NAMED, ' or ')}`] : [];
}

/** `It is met with 2 replicas of ml/q instead of 3, or 1 replica of ml/r instead of 2`. */
function formatFewer(fewer: readonly FewerReplicas[]): string {
  const choices = fewer.map(
    ({ deployment, from, to, declared }) =>
      `${pluralize(to, 'replica')} of ${deployment} instead of ${declared === undefined ? from : `the ${from} of ${declared} that have a place`}`,
  );
  return `It is met with ${joinNames(choices, MAX_NAMED, ' or ')}`;
}

/** A finding, and how the deployment is placed as the rule demands. */
export function formatAdvisedFinding(finding: PolicyDiagnostic): string {
  return `${formatPolicyFinding(finding)}${finding.advice === undefined ? '' : ` ${finding.advice}.`}`;
}

/**
 * Says that what is advised for replicas without a place has another limit of the rule, which includes what it adds.
 * Empty: nothing that is printed has one.
 */
export function pointToRemedies({ rule }: PolicyDiagnostic, deployments: Plan['deployments']): string {
  const isRaised = deployments.some(({ shortfall }) =>
    shortfall?.remedies.some(({ breaks = [] }) => breaks.some((one) => one.rule === rule && one.allow)),
  );
  return isRaised ? ' What is advised above adds to that, and names the limit that it needs.' : '';
}

const VERBS: Readonly<Record<PolicyChange['action'], (rules: string) => string>> = {
  added: (rules) => `puts ${rules} in force`,
  changed: (rules) => `changes ${rules}`,
  removed: (rules) => `drops ${rules}`,
};

/** ``puts the policy rule `quota of search` in force``, `drops the policy rules a and b`: what the next changes have to meet. */
export function describePolicyChanges(
  changes: readonly PolicyChange[],
  format: (rule: string) => string = String,
): string[] {
  return [...groupBy(changes, ({ action }) => action)].map(([action, all]) => {
    const names = joinNames(
      all.map(({ rule }) => format(rule)),
      MAX_NAMED,
    );
    return VERBS[action](`the policy ${all.length === 1 ? 'rule' : 'rules'} ${names}`);
  });
}

const MAX_NAMED = 3;

/** Converts a finding to a diagnostic whose message names the rule. */
export function toPolicyProblem(finding: PolicyDiagnostic): Diagnostic {
  const { rule, fewer: _fewer, users: _users, smaller: _smaller, ...found } = finding;
  const sentences = [`${found.code} by ${rule}: ${found.message}`, ...explainUse(finding)];
  return { ...found, message: sentences.join('. ') };
}

/**
 * Formats the result of all rules: `Policies: 1 of 2 met; denied by digests.`, `Policies: 1 of 2 met; budget is
 * undecided, which does not refuse: 1 price unknown, about $77,800.` Empty for a fleet without rules.
 */
export function formatPolicyVerdict({ policies: rules = [] }: Fleet, findings: readonly PolicyDiagnostic[]): string[] {
  if (rules.length === 0) return [];
  const rulesWith = (severity: Severity): Set<string> =>
    new Set(findings.filter((finding) => finding.severity === severity).map(({ rule }) => rule));
  const [denied, warned] = [rulesWith('error'), rulesWith('warning')];
  const unsure = new Map(findings.flatMap((one) => (one.unsure === undefined ? [] : [[one.rule, one.unsure]])));
  const plain = [...warned].filter((rule) => !unsure.has(rule));
  const unmet = [
    ...(denied.size > 0 ? [`; denied by ${joinNames([...denied])}`] : []),
    ...(plain.length > 0 ? [`; warned by ${joinNames(plain)}`] : []),
    ...[...unsure].map(([rule, why]) => `; ${rule} is undecided, which does not refuse: ${why}`),
  ];
  return [`Policies: ${rules.length - denied.size - warned.size} of ${rules.length} met${unmet.join('')}.`];
}
