import { pluralize } from '../../base/text';
import { showInvisible } from '../../base/untrusted-text';
import type { Block, Table } from './document';
import { terminalLines } from './write-terminal';

/**
 * Formats a Markdown table. The first column is left-aligned, the others are right-aligned.
 *
 * @param texts the indexes of other columns that are left-aligned
 */
export function formatMarkdownTable(
  { rows: [titles = [], ...rows] }: Table,
  texts: ReadonlySet<number> = new Set(),
): string[] {
  const rule = titles.map((_, c) => (c === 0 || texts.has(c) ? '---' : '---:'));
  return [titles, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

/** The command that prints what a comment has no room for. */
export const EACH_CHANGE = 'fleetwright plan DIR --against REVISION --all';

/** An upper bound for the characters of the tags and of the line that counts omitted lines. */
const FRAME_CHARACTERS = 200;

/**
 * Formats blocks as a collapsible section of a comment, with as many lines as fit.
 *
 * @param title the summary of the collapsed section
 * @param room the maximum number of characters; the section takes a few hundred even if this is less
 * @param source where a reader finds the lines that do not fit
 */
export function formatFoldedSection(
  title: string,
  blocks: readonly Block[],
  room: number,
  source = `'${EACH_CHANGE}'`,
): string {
  const lines = terminalLines(blocks).map(showInvisible);
  const available = room - title.length - 2 * chooseFence(lines).length - FRAME_CHARACTERS;
  const kept = cutLines(lines, available, (more) => [`... and ${pluralize(more, 'more line')}: see ${source}`]);
  const fence = chooseFence(kept);
  return frameFold(title, [`${fence}text`, ...kept, fence]);
}

/**
 * Formats Markdown lines as a collapsible section of a comment, with as many lines as fit.
 *
 * @param room the maximum number of characters; the section takes a few hundred even if this is less
 */
export function formatFoldedMarkdown(title: string, lines: readonly string[], room: number): string {
  const kept = cutLines(lines, room - title.length - FRAME_CHARACTERS, (more) => [
    '',
    `And ${pluralize(more, 'more line')}: see ${formatCode(EACH_CHANGE)}.`,
  ]);
  return frameFold(title, kept);
}

function frameFold(title: string, lines: readonly string[]): string {
  const summary = title.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return ['<details>', `<summary>${summary}</summary>`, '', ...lines, '', '</details>', ''].join('\n');
}

/** Keeps the first lines that fit into `room` characters, and appends the lines of `rest`, which are not counted. */
export function cutLines(lines: readonly string[], room: number, rest: (count: number) => readonly string[]): string[] {
  let remaining = room;
  const first = lines.findIndex((line) => {
    remaining -= line.length + 1;
    return remaining < 0;
  });
  return first === -1 ? [...lines] : [...lines.slice(0, first), ...rest(lines.length - first)];
}

/** Returns a code fence that no line closes. */
function chooseFence(lines: readonly string[]): string {
  return '`'.repeat(lines.reduce((longest, line) => Math.max(longest, longestBacktickRun(line) + 1), 3));
}

/** Formats a text as inline code, also if it contains backticks. */
export function formatCode(text: string): string {
  const fence = '`'.repeat(longestBacktickRun(text) + 1);
  const line = showInvisible(text.replace(/\s+/g, ' '));
  const space = /^`|`$/.test(line) ? ' ' : '';
  return `${fence}${space}${line}${space}${fence}`;
}

function longestBacktickRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}

/**
 * Puts a text on one line without effect in a comment: markup is escaped, and a zero-width joiner keeps GitHub from making
 * mentions, references, links and emoji of it. Backslashes do not: GitHub looks for those in the text that is shown.
 */
export function escapeMarkdown(text: string): string {
  return showInvisible(text.replace(/\s+/g, ' '))
    .replace(/[\\`*_{}[\]<>()#|@~]/g, (sign) => (sign === '<' ? '&lt;' : `\\${sign}`))
    .replace(LINKED, `$&${ZERO_WIDTH_JOINER}`);
}

const ZERO_WIDTH_JOINER = '\u200D';

/** Matches where GitHub starts to read a mention, an issue, an address of the web or an emoji. */
const LINKED =
  /[@#]|\bGH-(?=\d)|:(?=\/\/)|\bwww(?=\.)|\b(?:mailto|xmpp):|:(?=(?:100|1234|[+-]1|[\w+\\-]{0,40}[a-z][\w+\\-]{0,40}):)/gi;
