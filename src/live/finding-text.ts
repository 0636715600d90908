import type { Style } from '../plan/style';
import { plural } from '../plan/format';
import type { Finding, Level } from './finding';
import { levelMark } from './level-mark';

/** Findings for a person: one line each, what to do in it, and how many there are. */
export function formatFindings(
  title: string,
  findings: readonly Finding[],
  totals: Readonly<Record<Level, number>>,
  style: Style,
): string {
  const lines = findings.map((finding) => formatFinding(finding, style));
  return [style.strong(title), ...lines, '', totalsText(totals), ''].join('\n');
}

/** One finding on a line: `FAILURE  nodes: what is wrong. What to do.` */
export function formatFinding({ check, level, what, hint }: Finding, style: Style): string {
  const advice = hint === undefined ? '' : ` ${hint}${hint.endsWith('?') ? '' : '.'}`;
  return `  ${levelMark(level, style)}  ${check}: ${what}.${advice}`;
}

/** `1 failure, 2 warnings, 3 unknown, 9 ok.` */
export function totalsText({ failure, warning, unknown, ok }: Readonly<Record<Level, number>>): string {
  return `${plural(failure, 'failure')}, ${plural(warning, 'warning')}, ${unknown} unknown, ${ok} ok.`;
}
