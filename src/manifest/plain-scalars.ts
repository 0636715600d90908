/** Thrown where a document is not of the plain subset. */
export class NotPlain extends Error {}

/** Characters that some YAML reader gives a meaning of its own: tabs, line ends, marks of byte order. */
const SPECIAL_CHARACTERS = /[^\n -~\u00A1-\u1FFF\u2010-\u2027\u2030-\u205E\u20A0-\uD7FF]/;

/** Whether a text has only characters that the plain reader reads. */
export function hasPlainCharacters(text: string): boolean {
  return !SPECIAL_CHARACTERS.test(text);
}

export const DOUBLE_QUOTED = /"(?:[^"\\\n]|\\["\\nt])*"/y;
export const SINGLE_QUOTED = /'(?:[^'\n]|'')*'/y;

/** Text without quotes up to the end of the line or a comment. */
export const BLOCK_TEXT = /(?:[A-Za-z0-9_./$(+~]|-(?=[\w-]))(?:[^\n:#]|:(?=[^ \n])|(?<=[^ ])#)*/y;

/** The same inside brackets. */
export const FLOW_TEXT = /(?:[A-Za-z0-9_./$(+~]|-(?=[\w-]))(?:[^\n:#,[\]{}]|:(?=[^ \n,[\]{}])|(?<=[^ ])#)*/y;

/** The text inside quotes. */
export function unquote(quoted: string): string {
  const inner = quoted.slice(1, -1);
  if (quoted.startsWith("'")) return inner.includes("'") ? inner.replaceAll("''", "'") : inner;
  return inner.includes('\\') ? (JSON.parse(quoted) as string) : inner;
}

/** Texts without quotes that are other values. */
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
  ...['~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
]);

/** Numbers that no notation and no rounding makes ambiguous. */
const SIMPLE_NUMBER = /^(?:0|-?[1-9]\d{0,14}|\d{1,9}\.\d{1,6})$/;

/** All numbers of the core schema of YAML 1.2. */
const NUMBER =
  /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)|[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?|0o[0-7]+|0x[\da-fA-F]+)$/;

const MAY_BE_NUMBER = /^[-+.\d]/;

/** The value of a text without quotes, by the core schema of YAML 1.2. Throws `NotPlain` for unusual numbers. */
export function resolvePlain(text: string): unknown {
  if (MAY_BE_NUMBER.test(text)) {
    if (SIMPLE_NUMBER.test(text)) return Number(text);
    if (NUMBER.test(text)) throw new NotPlain();
    return text;
  }
  return text.length <= 5 && WORDS.has(text) ? WORDS.get(text) : text;
}
