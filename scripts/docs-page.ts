// Pages of the docs as data: their prose and their blocks of code.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A block of code on a page. */
export interface CodeBlock {
  /** The word after the fence. Empty for blocks without one, and for indented blocks. */
  readonly language: string;

  /** What follows that word: `exit=3`. */
  readonly info: string;
  readonly lines: readonly string[];

  /** The number of its first line in the file, from 1. */
  readonly line: number;
  readonly fenced: boolean;
}

/** The fenced and indented blocks of a page, in their order. */
export function readBlocks(text: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; ) {
    const block = fencedAt(lines, at) ?? indentedAt(lines, at);
    if (block) blocks.push(block);
    at = block ? block.line - 1 + block.lines.length + (block.fenced ? 1 : 0) : at + 1;
  }
  return blocks;
}

function fencedAt(lines: readonly string[], at: number): CodeBlock | undefined {
  const { ticks, indent = '', language = '', info = '' } = openingOf(lines[at]);
  if (ticks === undefined) return undefined;
  const end = lines.findIndex((line, i) => i > at && line.trim() === ticks);
  if (end === -1) throw new Error(`line ${at + 1}: the block has no end`);
  const inside = lines.slice(at + 1, end).map((line) => line.slice(indent.length));
  return { language, info, lines: inside, line: at + 2, fenced: true };
}

function openingOf(line = ''): Partial<Record<'indent' | 'ticks' | 'language' | 'info', string>> {
  return /^(?<indent> *)(?<ticks>`{3,})(?<language>[\w-]*) *(?<info>.*)$/.exec(line)?.groups ?? {};
}

/** A block by four spaces, after an empty line. Lines of lists are no such blocks. */
function indentedAt(lines: readonly string[], at: number): CodeBlock | undefined {
  if (!lines[at]?.startsWith('    ') || lines[at - 1]?.trim() !== '' || isInList(lines, at)) return undefined;
  let end = at;
  while (end < lines.length && (lines[end]?.startsWith('    ') || lines[end] === '')) end++;
  while (lines[end - 1] === '') end--;
  const inside = lines.slice(at, end).map((line) => line.slice(4));
  return { language: '', info: '', lines: inside, line: at + 1, fenced: false };
}

function isInList(lines: readonly string[], at: number): boolean {
  const before = lines.slice(0, at).findLast((line) => line !== '' && !line.startsWith(' '));
  return /^([-*]|\d+\.) /.test(before ?? '');
}

/** A page without its blocks of code. */
export function proseOf(text: string): string {
  const inBlock = new Set(
    readBlocks(text).flatMap(({ line, lines, fenced }) =>
      Array.from({ length: lines.length + (fenced ? 2 : 0) }, (_, i) => line + i - (fenced ? 1 : 0)),
    ),
  );
  return text
    .split('\n')
    .filter((_, i) => !inBlock.has(i + 1))
    .join('\n');
}

/** The paths of all Markdown files below a folder. */
export function listMarkdown(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))
    .sort();
}

/** The anchor of a heading, as GitHub makes it, so that links work there and on the site. */
export function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');
}

/** Text in a cell of a table, where a bar ends the cell and angle brackets are tags. */
export function cell(text: string): string {
  return text
    .replaceAll('\n', ' ')
    .replaceAll('|', '\\|')
    .replaceAll(/<(?=[a-z])/gi, '&lt;');
}
