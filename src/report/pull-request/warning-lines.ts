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

/** What an error says of replicas that lose their places, before it says why in parentheses. */
const MISFITS = ' fit any more (';

/** Refers to the reasons of another error instead of repeating them, and keeps what is to be done for each. */
export function shareReasons(problems: readonly Diagnostic[]): Diagnostic[] {
  const said = new Set<string>();
  return problems.map((problem) => {
    const at = problem.message.indexOf(MISFITS);
    if (at === -1) return problem;
    const [what, why] = [problem.message.slice(0, at), problem.message.slice(at)];
    if (!said.has(why)) {
      said.add(why);
      return problem;
    }
    const [first] = (problem.hint ?? '').split('. ', 1);
    return { ...problem, message: `${what} fit any more, for the same reasons`, ...(first && { hint: first }) };
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

/** What stands before why a device does not match, at the end of a warning. */
const BEFORE_MISMATCH = ['no device of any pool matches. Of the nearest device, ', ' does not match: '];

/** Why a device does not match, behind its name. Undefined: the warning says something else. */
function mismatchOf({ message }: Diagnostic): string | undefined {
  const [nearest = '', device = ''] = BEFORE_MISMATCH;
  if (message.startsWith(nearest)) return message.slice(message.indexOf(', ', nearest.length) + 2);
  const at = message.indexOf(device);
  return at === -1 ? undefined : message.slice(at + device.length);
}

/**
 * Leaves out warnings that a device does not match where others say the same of replicas that do not fit.
 *
 * @param said the sentences on these replicas
 */
export function omitSaidMismatches(warnings: readonly Diagnostic[], said: readonly string[]): Diagnostic[] {
  return warnings.filter((warning) => {
    const why = mismatchOf(warning);
    return why === undefined || !said.some((text) => text.includes(why));
  });
}

export function formatWarning(warning: Diagnostic): string {
  return formatDiagnostic(warning).split('\n', 1).join('');
}
