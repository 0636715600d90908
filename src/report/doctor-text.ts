import type { Diagnostic } from '../base/diagnostic';
import { pluralize } from '../base/text';
import { type FindingLevel, LEVEL_OF } from '../live/finding';
import type { Block, Item, StyleName, StyledText } from './document/document';

/** Formats findings for a terminal: one line each with its hint, then the totals by level. */
export function formatFindings(
  title: string,
  findings: readonly Diagnostic[],
  totals: Readonly<Record<FindingLevel, number>>,
): Block[] {
  return [{ text: title, look: 'strong', below: findings.map(formatFinding) }, '', formatLevelTotals(totals)];
}

/** Formats a finding as a line: `FAILURE  nodes: what is wrong. What to do.` */
function formatFinding({ code, severity, message, hint }: Diagnostic): Item {
  const advice = hint === undefined ? '' : ` ${hint}${hint.endsWith('?') ? '' : '.'}`;
  return { text: [formatLevel(LEVEL_OF[severity]), `  ${code}: ${message}.${advice}`] };
}

/** `1 failure, 2 warnings, 3 unknown, 9 ok.` */
function formatLevelTotals({ failure, warning, unknown, ok }: Readonly<Record<FindingLevel, number>>): string {
  return `${pluralize(failure, 'failure')}, ${pluralize(warning, 'warning')}, ${unknown} unknown, ${ok} ok.`;
}

const LOOKS: Readonly<Record<FindingLevel, StyleName>> = {
  ok: 'add',
  warning: 'warn',
  failure: 'remove',
  unknown: 'change',
};

/** The width of the column of levels: the length of the longest level. */
const LEVEL_WIDTH = 'warning'.length;

/** Formats a level for the start of a line: `FAILURE`, `ok     `. */
export function formatLevel(level: FindingLevel): StyledText {
  return formatLevelColumn(level, level === 'failure' ? 'FAILURE' : level, LEVEL_WIDTH);
}

/** Returns a text in the color of a level, padded with spaces to a width. */
export function formatLevelColumn(level: FindingLevel, text: string, width: number): StyledText {
  return { look: LOOKS[level], text: text.padEnd(width) };
}
