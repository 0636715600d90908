import { type Diagnostic, formatDiagnostic } from '../../base/diagnostic';
import type { DiagnosticCode } from '../../base/diagnostic-codes';
import { formatCount } from '../../base/figures';
import { groupBy, sortUnique } from '../../base/order';
import { splitSteps } from '../../base/numbered-steps';
import { capitalize, joinNames, toSentence } from '../../base/text';
import type { Plan } from '../../plan/plan';
import { firstItems } from '../document/document';
import { MIN_GROUP } from '../document/group-alike';
import { escapeMarkdown } from '../document/write-markdown';
import { capitalizeMessage, countOthers, groupMessages } from '../plan/message-groups';
import { formatPolicyFinding } from '../plan/policy-text';
import { type FindEdits, nameNumbers } from './edit-list';

/** A line of one or more warnings. */
interface WarningLine {
  readonly codes: readonly DiagnosticCode[];
  readonly at: readonly string[];

  /** The positions of all edits that cause them. */
  readonly causedAt: readonly string[];
  readonly parts: readonly Pick<Diagnostic, 'message' | 'hint'>[];

  /** How many others of the kind there are, and what they are about. */
  readonly more?: string;

  /** Whether it has steps, which other warnings would hide. */
  readonly hasSteps: boolean;
}

/** Warnings with several steps to follow in order. */
const WITH_STEPS: ReadonlySet<DiagnosticCode> = new Set(['fewer-nodes']);

/**
 * Formats warnings, with one line for those that say the same, for many of the same kind, and for those of the same
 * edits that are about the same deployment or service.
 *
 * @param editsAt the edits at a position, which are named in its place
 */
export function groupWarnings(warnings: readonly Diagnostic[], editsAt: FindEdits = NO_EDITS): string[] {
  return groupLines(warnings, editsAt).map((line) => formatLine(line, editsAt));
}

/** Formats warnings in the same way: the lines with one that comes first, and the others. */
export function splitWarningLines(
  warnings: readonly Diagnostic[],
  first: ReadonlySet<DiagnosticCode>,
  editsAt: FindEdits = NO_EDITS,
): { readonly first: string[]; readonly others: string[] } {
  const lines = groupLines(warnings, editsAt);
  const of = (isFirst: boolean): string[] =>
    lines
      .filter(({ codes }) => codes.some((code) => first.has(code)) === isFirst)
      .map((line) => formatLine(line, editsAt));
  return { first: of(true), others: of(false) };
}

function groupLines(warnings: readonly Diagnostic[], editsAt: FindEdits): WarningLine[] {
  const lines = groupMessages(warnings).map((group) => {
    return { ...toLine(group.same), ...(group.others.length > 0 && { more: countOthers(group) }) };
  });
  return mergeRelated(lines, editsAt);
}

const NO_EDITS: FindEdits = () => [];

/** The position of what concerns a change as a whole: no edit causes it. */
export const WHOLE = '';

/** @param same warnings that say the same, of several positions */
function toLine(same: readonly Diagnostic[]): WarningLine {
  const [first] = same;
  return {
    codes: same.map(({ code }) => code),
    at: same.map(({ at }) => at),
    causedAt: same.flatMap(({ at, alsoAt = [] }) => [at, ...alsoAt]),
    parts: first ? [first] : [],
    hasSteps: same.some(({ code }) => WITH_STEPS.has(code)),
  };
}

/** Merges lines of the same edits that name the same deployment or service. */
function mergeRelated(lines: readonly WarningLine[], editsAt: FindEdits): WarningLine[] {
  const merged: WarningLine[] = [];
  for (const line of lines) {
    const isRelated = (other: WarningLine): boolean => isOfSame(line, other, editsAt);
    const related = line.more === undefined && !line.hasSteps ? merged.filter(isRelated) : [];
    const [first] = related;
    if (first) {
      const all = [...related, line];
      const one = {
        ...first,
        codes: all.flatMap(({ codes }) => codes),
        causedAt: all.flatMap(({ causedAt }) => causedAt),
        parts: all.flatMap(({ parts }) => parts),
      };
      merged.splice(merged.indexOf(first), 1, one);
      for (const other of related.slice(1)) merged.splice(merged.indexOf(other), 1);
    } else merged.push(line);
  }
  return merged;
}

function isOfSame(line: WarningLine, other: WarningLine, editsAt: FindEdits): boolean {
  const [edits, others] = [line, other].map(({ at }) => sortUnique(at.flatMap(editsAt).map(String)).join());
  if (edits === '' || edits !== others || other.more !== undefined || other.hasSteps) return false;
  const named = new Set(namesIn(other));
  return namesIn(line).some((name) => named.has(name));
}

function namesIn({ parts }: WarningLine): string[] {
  return parts.flatMap(({ message }) => message.split(/[\s,;:()]/).filter((word) => ONE_NAME.test(word)));
}

const ONE_NAME = /^[a-z\d][a-z\d-]*\/[a-z\d][a-z\d.-]*$/;

/**
 * `What is wrong (edit 2). What to do.`, or behind the positions where these are no edits. What is wrong besides follows,
 * with what to do about that.
 */
function formatLine({ at, causedAt, parts, more }: WarningLine, editsAt: FindEdits): string {
  const found = at.map(editsAt);
  const edits = [...new Set(causedAt.flatMap(editsAt))].sort((a, b) => a - b);
  const isCited = found.every(({ length }) => length > 0);
  const places = isCited ? [] : at.filter((one) => one !== WHOLE);
  const [first, ...others] = joinSameAdvice(omitSaid(parts));
  const text = first?.message ?? '';
  const cited = isCited ? ` (${nameNumbers(edits)})` : '';
  const message = places.length > 0 ? text : `${capitalizeMessage(text)}${cited}`;
  const rest = others.flatMap((one) => [capitalizeMessage(one.message), ...(one.hint === undefined ? [] : [one.hint])]);
  const hint = [
    ...(first?.hint === undefined ? [] : [first.hint]),
    ...rest,
    ...(more === undefined ? [] : [more]),
  ].join('. ');
  const line = { at: joinNames(places, MAX_POSITIONS), message, ...(hint !== '' && { hint }) };
  const [shown = ''] = formatDiagnostic({ ...line, code: 'warned', severity: 'warning' }).split('\n', 1);
  return places.length > 0 ? shown : shown.replace(/^: /, '');
}

/** Leaves out what other messages say, and puts those that refer to others last. */
function omitSaid(parts: WarningLine['parts']): WarningLine['parts'] {
  const messages = parts.map(({ message }) => message);
  const isCounted = ({ message }: Pick<Diagnostic, 'message'>): boolean => omitCount(message, messages) !== message;
  const ordered = [...parts.filter((one) => !isCounted(one)), ...parts.filter(isCounted)];
  return ordered.map(({ message, hint }, i) => {
    const before = ordered.slice(0, i).map((one) => one.message);
    return { message: omitSubject(omitCount(message, messages), before), ...(hint !== undefined && { hint }) };
  });
}

/** Joins messages with the same advice. */
function joinSameAdvice(parts: WarningLine['parts']): WarningLine['parts'] {
  return [...groupBy(parts, ({ hint = '' }) => hint)].map(([hint, all]) => {
    return { message: all.map(({ message }) => message).join('; '), ...(hint !== '' && { hint }) };
  });
}

/** The most positions of warnings that say the same. */
const MAX_POSITIONS = 3;

/** Leaves out the name before a colon, where another message is about it. */
function omitSubject(text: string, others: readonly string[]): string {
  const [start, name] = /^([\w-]+\/[\w.-]+): /.exec(text) ?? [];
  const isNamed = others.some((other) => other.replace(/^the service /, '').startsWith(name ?? ''));
  return start !== undefined && isNamed ? text.slice(start.length) : text;
}

/**
 * `each gets 2 times as many requests` of `ml/q gets 100 % of the requests with 1 replica instead of 2: each gets 2 times
 * as many`, where another message has the numbers of replicas.
 */
function omitCount(text: string, others: readonly string[]): string {
  const { id, count, effect } = SHARE_OF_FEWER.exec(text)?.groups ?? {};
  return others.some((other) => other.includes(`${id} has ${count}: `)) ? `${effect} requests` : text;
}

const SHARE_OF_FEWER =
  /^(?:[\w./-]+: )?(?<id>[\w./-]+) gets \d+ % of the requests with (?<count>\d+ replicas? instead of \d+): (?<effect>.*)$/;

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

export function formatWarning(warning: Diagnostic, editsAt: FindEdits = NO_EDITS): string {
  return formatLine(toLine([warning]), editsAt);
}

/** The maximum number of items of a list, which keeps a comment readable. */
export const MAX_LIST_ITEMS = 20;

export const MAX_ITEM_CHARACTERS = 1000;

/** Formats texts as a list, with their steps as lists of their own. Items above the maximum are counted with a noun. */
export function formatList(sign: string, texts: readonly string[], noun: string): string[] {
  const items = texts.map((text) => {
    const { before, steps } = splitSteps(text) ?? { before: text, steps: [] };
    const shown = `- ${sign} ${escapeMarkdown(before.slice(0, MAX_ITEM_CHARACTERS))}`;
    return steps.length === 0 ? [shown] : [`${shown}:`, ...steps.map(formatListStep)];
  });
  return firstItems(items, MAX_LIST_ITEMS, (more) => [`- and ${more} more ${noun}`]).flat();
}

function formatListStep(step: string, i: number): string {
  return `  ${i + 1}. ${escapeMarkdown(capitalize(toSentence(step.slice(0, MAX_ITEM_CHARACTERS).replace(/[.]$/, ''))))}`;
}
