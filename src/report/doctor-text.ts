import type { Diagnostic } from '../base/diagnostic';
import { pluralize } from '../base/text';
import { type FindingLevel, LEVEL_OF } from '../live/finding';
import type { Style } from './document/terminal-style';

/** Findings for a person: one line each, what to do in it, and how many there are. */
export function formatFindings(
  title: string,
  findings: readonly Diagnostic[],
  totals: Readonly<Record<FindingLevel, number>>,
  style: Style,
): string {
  const lines = findings.map((finding) => formatFinding(finding, style));
  return [style.strong(title), ...lines, '', formatLevelTotals(totals), ''].join('\n');
}

/** One finding on a line: `FAILURE  nodes: what is wrong. What to do.` */
export function formatFinding({ code, severity, message, hint }: Diagnostic, style: Style): string {
  const advice = hint === undefined ? '' : ` ${hint}${hint.endsWith('?') ? '' : '.'}`;
  return `  ${formatLevel(LEVEL_OF[severity], style)}  ${code}: ${message}.${advice}`;
}

/** `1 failure, 2 warnings, 3 unknown, 9 ok.` */
export function formatLevelTotals({
  failure,
  warning,
  unknown,
  ok,
}: Readonly<Record<FindingLevel, number>>): string {
  return `${pluralize(failure, 'failure')}, ${pluralize(warning, 'warning')}, ${unknown} unknown, ${ok} ok.`;
}

/** The colour of each level. */
export const LEVEL_COLOURS: Readonly<Record<FindingLevel, keyof Style>> = {
  ok: 'add',
  warning: 'warn',
  failure: 'remove',
  unknown: 'change',
};

/** All as wide as the widest. */
const LEVEL_WIDTH = 'warning'.length;

/** A level at the start of a line: `FAILURE`, `ok     `. */
export function formatLevel(level: FindingLevel, style: Style): string {
  const mark = level === 'failure' ? 'FAILURE' : level;
  return style[LEVEL_COLOURS[level]](mark.padEnd(LEVEL_WIDTH));
}
