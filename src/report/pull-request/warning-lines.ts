import { type Diagnostic, formatDiagnostic } from '../../base/diagnostic';
import { formatCount } from '../../base/figures';
import { groupBy, sortUnique } from '../../base/order';
import { joinNames } from '../../base/text';
import type { Plan } from '../../plan/plan';
import { firstItems } from '../document/document';
import { escapeMarkdown } from '../document/write-markdown';
import { formatPolicyFinding } from '../plan/policy-text';

/** The fewest warnings of one kind that become one line. */
export const MIN_GROUP = 3;

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

/** The maximum number of items of a list, which keeps a comment readable. */
export const MAX_LIST_ITEMS = 20;

export const MAX_ITEM_CHARACTERS = 1000;

/** Formats texts as a list. Items above the maximum are counted with a noun. */
export function formatList(sign: string, texts: readonly string[], noun: string): string[] {
  const items = texts.map((text) => `- ${sign} ${escapeMarkdown(text.slice(0, MAX_ITEM_CHARACTERS))}`);
  return firstItems(items, MAX_LIST_ITEMS, (more) => `- and ${more} more ${noun}`);
}
