import { bytesOf } from './bytes-of-text';

const SHORT: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

/** What Go prints as it is: of white space, the space of ASCII alone. */
const PRINTED = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** A text as Go's `%q` writes it: in double quotes, with escapes for what is not printed. */
export function goQuote(text: string): string {
  return `"${[...text].map(escaped).join('')}"`;
}

/** A text as CEL's `strings.quote` writes it: in double quotes, with short escapes alone. */
export function celQuote(text: string): string {
  const parts = [...text].map((character) => SHORT[character] ?? character.replace(/\p{Cs}/u, '\ufffd'));
  return `"${parts.join('')}"`;
}

function escaped(character: string): string {
  const short = SHORT[character];
  if (short !== undefined) return short;
  if (PRINTED.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  if (/\p{Cs}/u.test(character)) return `\\x${hex(bytesOf(character).charCodeAt(0), 2)}`;
  if (code < 0x20 || code === 0x7f) return `\\x${hex(code, 2)}`;
  return code < 0x1_0000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}
