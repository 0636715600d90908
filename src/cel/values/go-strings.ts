/**
 * Strings in Go are bytes, in contrast to JavaScript. A byte that is not part of a character (`url("/?a=%ff")` has one)
 * becomes a single code unit from U+DC80, which no other text has: it counts as one character, and equals only itself.
 */
const STRAY_BYTE_BASE = 0xdc00;
const ASCII = /^[\0-\x7f]*$/;

/** Matches characters of UTF-8 in a byte string, or single invalid bytes. */
const UTF8 = new RegExp(
  [
    '[\\0-\\x7f]+',
    '[\\xc2-\\xdf][\\x80-\\xbf]',
    '\\xe0[\\xa0-\\xbf][\\x80-\\xbf]',
    '[\\xe1-\\xec\\xee\\xef][\\x80-\\xbf]{2}',
    '\\xed[\\x80-\\x9f][\\x80-\\xbf]',
    '\\xf0[\\x90-\\xbf][\\x80-\\xbf]{2}',
    '[\\xf1-\\xf3][\\x80-\\xbf]{3}',
    '\\xf4[\\x80-\\x8f][\\x80-\\xbf]{2}',
    '[\\x80-\\xff]',
  ].join('|'),
  'g',
);

/** Encodes a text as UTF-8. Each byte becomes a character below U+0100. */
export function toByteString(text: string): string {
  if (ASCII.test(text)) return text;
  const parts = text.split(/(\p{Cs})/u);
  const bytes = parts.map((part, i) => {
    if (i % 2 === 0) return Buffer.from(part, 'utf8').toString('latin1');
    return String.fromCharCode(part.charCodeAt(0) - STRAY_BYTE_BASE);
  });
  return bytes.join('');
}

/** Decodes a byte string as UTF-8. */
export function fromByteString(bytes: string): string {
  if (ASCII.test(bytes)) return bytes;
  return bytes.replace(UTF8, (part) =>
    part.length === 1 && part > '\x7f'
      ? String.fromCharCode(STRAY_BYTE_BASE + part.charCodeAt(0))
      : Buffer.from(part, 'latin1').toString('utf8'),
  );
}

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

/** Characters that Go prints without escapes. The ASCII space is the only white space. */
const PRINTED = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** Quotes a text as `%q` of Go does: in double quotes, with escapes for characters that are not printable. */
export function quoteLikeGo(text: string): string {
  return `"${[...text].map(escapeCharacter).join('')}"`;
}

/** Quotes a text as `strings.quote` of CEL does: in double quotes, with short escapes only. */
export function quoteLikeCel(text: string): string {
  const parts = [...text].map((character) => SHORT[character] ?? character.replace(/\p{Cs}/u, '\ufffd'));
  return `"${parts.join('')}"`;
}

function escapeCharacter(character: string): string {
  const short = SHORT[character];
  if (short !== undefined) return short;
  if (PRINTED.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  if (/\p{Cs}/u.test(character)) return `\\x${toHexEscape(toByteString(character).charCodeAt(0), 2)}`;
  if (code < 0x20 || code === 0x7f) return `\\x${toHexEscape(code, 2)}`;
  return code < 0x1_0000 ? `\\u${toHexEscape(code, 4)}` : `\\U${toHexEscape(code, 8)}`;
}

function toHexEscape(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}
