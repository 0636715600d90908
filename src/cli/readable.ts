import type { Io } from './output';

/** What begins the sequences by which terminals are told what to do. */
const ESCAPE = '\u001B';

/** The colours that we use: bold, faint, three colours, and the end of each. */
const OURS = /^\[(?:[12]|22|3[1-3]|39)m/;

/**
 * Where a command prints, with what names and files of users could do to a terminal shown instead of done: an escape
 * as `\u001b`. Colours of ours, new lines and tabs stay.
 */
export function readable(io: Io): Io {
  return { ...io, out: (text) => io.out(shown(text)), err: (text) => io.err(shown(text)) };
}

function shown(text: string): string {
  const [first = '', ...parts] = text.split(ESCAPE);
  const escaped = parts.map((part) => (OURS.test(part) ? ESCAPE : written(ESCAPE)) + harmless(part));
  return [harmless(first), ...escaped].join('');
}

/** Characters that move the cursor, ring a bell or change a terminal. */
function harmless(text: string): string {
  return text.replace(/\p{Cc}/gu, (sign) => (sign === '\n' || sign === '\t' ? sign : written(sign)));
}

function written(sign: string): string {
  return `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}
