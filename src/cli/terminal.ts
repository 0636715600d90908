import { stripVTControlCharacters } from 'node:util';
import { showInvisible } from '../base/untrusted-text';

const ESCAPE_CHARACTER = '\u001B';

/** The escape sequences of the styles that commands use: bold, faint, three colours, and the end of each. */
const OWN_COLOURS = /^\[(?:[12]|22|3[1-3]|39)m/;

/** Shows invisible characters as escapes, except new lines, tabs and the styles of commands. */
export function escapeSequences(text: string): string {
  const [first = '', ...parts] = text.split(ESCAPE_CHARACTER);
  const escaped = parts.map(
    (part) => (OWN_COLOURS.test(part) ? ESCAPE_CHARACTER : showInvisible(ESCAPE_CHARACTER)) + showInvisible(part),
  );
  return [showInvisible(first), ...escaped].join('');
}

/**
 * Breaks lines between words where they are longer than the terminal width, and indents the continuation. A longer
 * word is kept, so that names and paths can be copied.
 *
 * @param width columns of the terminal. Absent: lines are not broken
 */
export function wrapLines(text: string, width: number | undefined): string {
  if (width === undefined || width < MIN_WIDTH) return text;
  return text
    .split('\n')
    .flatMap((line) => (visibleLengthOf(line) > width ? breakLine(line, width) : [line]))
    .join('\n');
}

/** The minimum width for breaking lines. In narrower terminals each line would contain one word. */
const MIN_WIDTH = 40;

function breakLine(line: string, width: number): string[] {
  const plain = stripVTControlCharacters(line);
  const indent = ' '.repeat(Math.min(width / 2, plain.length - plain.trimStart().length + 4));
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(/(?<=\S)(?= +\S)/)) {
    if (current !== '' && visibleLengthOf(current) + visibleLengthOf(word) > width) {
      lines.push(current);
      current = indent + word.trimStart();
    } else current += word;
  }
  return [...lines, current];
}

function visibleLengthOf(text: string): number {
  return stripVTControlCharacters(text).length;
}

/** The delay before progress is shown, in milliseconds. Shorter runs show none. */
const DELAY_MS = 500;

/** The minimum interval between two updates of the line, in milliseconds. */
const INTERVAL_MS = 100;

const CLEAR_LINE = '\r\u001B[K';

/** Shows the progress of a long run on one line, which is cleared at the end. */
export class ProgressLine {
  readonly #start: number;
  #last = 0;
  #shown = false;

  /** @param now returns a time in milliseconds */
  constructor(
    private readonly write: (text: string) => void,
    private readonly now: () => number,
  ) {
    this.#start = now();
  }

  /** Shows the current step: `reading us.yaml`. */
  step(what: string): void {
    const time = this.now();
    if (time - this.#start < DELAY_MS || time - this.#last < INTERVAL_MS) return;
    this.#last = time;
    this.#shown = true;
    this.write(`${CLEAR_LINE}${what.slice(0, 70)} ...`);
  }

  /** Clears the line before other output. */
  clear(): void {
    if (this.#shown) this.write(CLEAR_LINE);
    this.#shown = false;
  }
}
