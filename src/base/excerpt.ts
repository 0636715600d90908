/** A line of a text with a part marked: what stands below a message about an expression. */
export interface Excerpt {
  /** The line, or what of a long one is around the part. */
  readonly line: string;

  /** The column of the part in it, from 1. */
  readonly column: number;

  /** How many characters of it are marked. */
  readonly width: number;
}

/** The longest line that is shown whole, and what is kept before the part in a longer one. */
const MAX_LINE_LENGTH = 100;
const CONTEXT_BEFORE = 40;

/** The line of a text in which a part begins. Offsets are of its first character, and behind its last. */
export function excerptOf(text: string, start: number, end: number): Excerpt {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const to = text.indexOf('\n', start);
  const whole = text.slice(from, to === -1 ? undefined : to);
  const at = start - from;
  const before = Math.max(0, Math.min(CONTEXT_BEFORE, MAX_LINE_LENGTH - (end - start)));
  const cut =
    whole.length > MAX_LINE_LENGTH ? Math.max(0, Math.min(at - before, whole.length - MAX_LINE_LENGTH)) : 0;
  const line = whole.slice(cut, cut + MAX_LINE_LENGTH);
  const column = at - cut + 1;
  const width = Math.max(1, Math.min(end - start, line.length - column + 1));
  return { line, column, width };
}

/** An excerpt as two lines: the text, and carets below the part. */
export function formatExcerpt({ line, column, width }: Excerpt): string {
  return `    ${line}\n    ${' '.repeat(column - 1)}${'^'.repeat(width)}`;
}
