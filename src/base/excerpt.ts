import { showOnOneLine } from './untrusted-text';

/** A line of a text with a part marked: what is printed below a message about an expression. */
export interface Excerpt {
  /** The line, or what of a long one is around the part. */
  readonly line: string;

  /** The column of the part in it, from 1. */
  readonly column: number;

  /** How many characters of it are marked. */
  readonly width: number;
}

/** The longest line that is printed uncut, and the length of the text before the part in a longer line. */
const MAX_LINE_LENGTH = 100;
const CONTEXT_BEFORE = 40;

/**
 * Cuts the line of a text in which a part begins. `start` is the offset of the first character of the part, `end`
 * the offset after its last.
 */
export function excerptOf(text: string, start: number, end: number): Excerpt {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const to = text.indexOf('\n', start);
  const fullLine = text.slice(from, to === -1 ? undefined : to);
  const at = start - from;
  const before = Math.max(0, Math.min(CONTEXT_BEFORE, MAX_LINE_LENGTH - (end - start)));
  const cut =
    fullLine.length > MAX_LINE_LENGTH ? Math.max(0, Math.min(at - before, fullLine.length - MAX_LINE_LENGTH)) : 0;
  const line = fullLine.slice(cut, cut + MAX_LINE_LENGTH);
  const column = at - cut + 1;
  const width = Math.max(1, Math.min(end - start, line.length - column + 1));
  return { line, column, width };
}

/** Formats an excerpt as two lines: the text, and carets below the part. */
export function formatExcerpt({ line, column, width }: Excerpt): string {
  const before = showOnOneLine(line.slice(0, column - 1));
  const marked = showOnOneLine(line.slice(column - 1, column - 1 + width));
  const after = showOnOneLine(line.slice(column - 1 + width));
  return `    ${before}${marked}${after}\n    ${' '.repeat(before.length)}${'^'.repeat(Math.max(width, marked.length))}`;
}
