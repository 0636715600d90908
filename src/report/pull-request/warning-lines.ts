import { type Diagnostic, formatDiagnostic } from '../../base/diagnostic';
import { formatCount } from '../../base/figures';
import { groupBy, sortUnique } from '../../base/order';
import { joinNames } from '../../base/text';
import type { Plan } from '../../plan/plan';
import { formatPolicyFinding } from '../plan/policy-text';

/** The fewest warnings of one kind that become one line. */
const MIN_GROUP = 3;

/** Formats warnings, with one line for many of the same kind. */
export function groupWarnings(warnings: readonly Diagnostic[]): string[] {
  return [...groupBy(warnings, ({ code }) => code).values()].flatMap((group) => {
    const [first] = group;
    if (!first || group.length < MIN_GROUP) return group.map(formatWarning);
    const others = sortUnique(group.slice(1).flatMap((one) => NAME_IN_TEXT.exec(one.message)?.[1] ?? []));
    const names = others.length === 0 ? '' : `: ${joinNames(others, MAX_NAMED)}`;
    return [`${formatWarning(first)} ${formatCount(group.length - 1)} more of this kind (${first.code})${names}.`];
  });
}

/** The first `namespace/name` of a message, before what it has in parentheses. */
const NAME_IN_TEXT = /^(?:[^/(]* )?([a-z\d][a-z\d-]*\/[a-z\d][a-z\d.-]*)(?=[\s:;,]|$)/;

/** The most names of warnings that are counted. */
const MAX_NAMED = 5;

/** Formats findings of policies, with one line for many of the same rule. */
export function groupPolicies(findings: Plan['policies']): string[] {
  return [...groupBy(findings, ({ rule }) => rule).values()].flatMap((group) => {
    const [first] = group;
    if (!first || group.length < MIN_GROUP) return group.map(formatPolicyFinding);
    return [`${formatPolicyFinding(first)} ${formatCount(group.length - 1)} more of this rule.`];
  });
}

export function formatWarning(warning: Diagnostic): string {
  return formatDiagnostic(warning).split('\n', 1).join('');
}
