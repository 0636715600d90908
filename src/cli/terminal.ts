import { stripVTControlCharacters } from 'node:util';

/** What begins the sequences by which terminals are told what to do. */
const ESCAPE_CHARACTER = '\u001B';

/** The colours that we use: bold, faint, three colours, and the end of each. */
const OWN_COLOURS = /^\[(?:[12]|22|3[1-3]|39)m/;

interface TextOutput {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/**
 * Where a command prints, with what names and files of users could do to a terminal shown instead of done: an escape
 * as `\u001b`. Colours of ours, new lines and tabs stay.
 */
export function escapeOutput<T extends TextOutput>(io: T): T {
  return {
    ...io,
    out: (text) => io.out(escapeSequences(text)),
    err: (text) => io.err(escapeSequences(text)),
  };
}

function escapeSequences(text: string): string {
  const [first = '', ...parts] = text.split(ESCAPE_CHARACTER);
  const escaped = parts.map(
    (part) =>
      (OWN_COLOURS.test(part) ? ESCAPE_CHARACTER : formatCodePoint(ESCAPE_CHARACTER)) +
      escapeControlCharacters(part),
  );
  return [escapeControlCharacters(first), ...escaped].join('');
}

/** Characters that move the cursor, ring a bell or change a terminal. */
function escapeControlCharacters(text: string): string {
  return text.replace(/\p{Cc}/gu, (sign) => (sign === '\n' || sign === '\t' ? sign : formatCodePoint(sign)));
}

function formatCodePoint(sign: string): string {
  return `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}

/**
 * Lines that are broken between words where they are longer than a terminal is wide, the rest indented below. A word
 * that is longer stays whole, as names and places are copied.
 *
 * @param width columns of the terminal; absent: lines stay as they are
 */
export function wrapLines(text: string, width: number | undefined): string {
  if (width === undefined || width < MIN_WIDTH) return text;
  return text
    .split('\n')
    .flatMap((line) => (visibleLengthOf(line) > width ? breakLine(line, width) : [line]))
    .join('\n');
}

/** In less room indented lines would be words below each other. */
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

/** Colours take no room. */
function visibleLengthOf(text: string): number {
  return stripVTControlCharacters(text).length;
}

/** A run that is over sooner says nothing on the way. */
const DELAY_MS = 500;

/** So often the line is written anew at most. */
const INTERVAL_MS = 100;

const CLEAR_LINE = '\r\u001B[K';

/** Tells a person on one line what a long run is at, and leaves nothing behind. */
export class ProgressLine {
  readonly #start: number;
  #last = 0;
  #shown = false;

  /**
   * @param write to standard error
   * @param now milliseconds
   */
  constructor(
    private readonly write: (text: string) => void,
    private readonly now: () => number,
  ) {
    this.#start = now();
  }

  /** What is done from now on: `reading us.yaml`. */
  step(what: string): void {
    const time = this.now();
    if (time - this.#start < DELAY_MS || time - this.#last < INTERVAL_MS) return;
    this.#last = time;
    this.#shown = true;
    this.write(`${CLEAR_LINE}${what.slice(0, 70)} ...`);
  }

  /** Takes the line away, before anything else is printed. */
  clear(): void {
    if (this.#shown) this.write(CLEAR_LINE);
    this.#shown = false;
  }
}
