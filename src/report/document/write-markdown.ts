import { pluralize } from '../../base/text';
import type { Block, Table } from './document';
import { terminalLines } from './write-terminal';

/** A table, with its first column to the left. */
export function formatMarkdownTable({ rows: [titles = [], ...rows] }: Table): string[] {
  const rule = titles.map((_, c) => (c === 0 ? '---' : '---:'));
  return [titles, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

/** More than the tags and the line that counts the rest take. */
const FRAME_CHARACTERS = 200;

/**
 * Blocks as a part of a comment that opens on a click, with as many lines as fit.
 *
 * @param title what is seen of it before
 * @param room how many characters it may have; it has a few hundred also where there is less
 */
export function formatFoldedSection(title: string, blocks: readonly Block[], room: number): string {
  const lines = terminalLines(blocks);
  const left = room - title.length - 2 * chooseFence(lines).length - FRAME_CHARACTERS;
  const kept = cutLines(lines, left, (more) => [
    `... and ${pluralize(more, 'line')} more: see 'fleetwright plan'`,
  ]);
  const fence = chooseFence(kept);
  return [
    '<details>',
    `<summary>${title.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</summary>`,
    '',
    `${fence}text`,
    ...kept,
    fence,
    '',
    '</details>',
    '',
  ].join('\n');
}

/**
 * The lines that fit, from the first on and whole, and where others are left out, lines that say how many.
 *
 * @param room how many characters the lines may have together, with their ends; what `rest` makes comes on top
 * @param rest tells that so many lines are left out
 */
export function cutLines(
  lines: readonly string[],
  room: number,
  rest: (count: number) => readonly string[],
): string[] {
  let left = room;
  const first = lines.findIndex((line) => {
    left -= line.length + 1;
    return left < 0;
  });
  return first === -1 ? [...lines] : [...lines.slice(0, first), ...rest(lines.length - first)];
}

/** A fence that no line closes. */
function chooseFence(lines: readonly string[]): string {
  return '`'.repeat(lines.reduce((longest, line) => Math.max(longest, longestBacktickRun(line) + 1), 3));
}

/** Text as code, whatever it holds. */
export function formatCode(text: string): string {
  const fence = '`'.repeat(longestBacktickRun(text) + 1);
  const line = text.replace(/\s+/g, ' ');
  const space = /^`|`$/.test(line) ? ' ' : '';
  return `${fence}${space}${line}${space}${fence}`;
}

function longestBacktickRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}

/** Text that means itself, also what looks like markup, a mention or the end of a line. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]<>()#|@~]/g, (sign) => (sign === '<' ? '&lt;' : `\\${sign}`));
}
