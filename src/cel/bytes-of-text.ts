/**
 * Texts of Go are bytes, and those of JavaScript are not. A byte that is no part of a character (`url("/?a=%ff")` has
 * one) is kept in a text as one of the code units from U+DC80, alone, which no other text has: it counts as one
 * character, and is equal to itself only.
 */
const STRAY = 0xdc00;
const ASCII = /^[\0-\x7f]*$/;

/** Characters of UTF-8 in a text of bytes, and else one byte. */
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

/** The bytes of a text in UTF-8, each as a character below U+0100. */
export function bytesOf(text: string): string {
  if (ASCII.test(text)) return text;
  const parts = text.split(/(\p{Cs})/u);
  return parts.map((part, i) => (i % 2 === 1 ? strayByte(part) : latin1(part))).join('');
}

/** The text of bytes in UTF-8. */
export function textOfBytes(bytes: string): string {
  if (ASCII.test(bytes)) return bytes;
  return bytes.replace(UTF8, (part) =>
    part.length === 1 && part > '\x7f'
      ? String.fromCharCode(STRAY + part.charCodeAt(0))
      : Buffer.from(part, 'latin1').toString('utf8'),
  );
}

function strayByte(unit: string): string {
  return String.fromCharCode(unit.charCodeAt(0) - STRAY);
}

function latin1(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
