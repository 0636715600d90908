import { goQuote } from './go-quote';
import { textOfBytes } from './bytes-of-text';

/** The parts of a URL, each with the bytes that it may have as they are (RFC 3986, and Go's `net/url`). */
export interface Part {
  /** Characters that are written as they are. */
  readonly plain: RegExp;

  /** Says why a character that is written as it is cannot be; nothing where it can. */
  readonly refuses?: (character: string) => boolean;

  /** Whether an escape may not stand there, by its byte. */
  readonly refusesEscape?: (byte: string) => boolean;

  /** Whether `+` is a space. */
  readonly plusIsSpace?: boolean;
}

const UNRESERVED = 'A-Za-z0-9\\-_.~';
const IN_HOST = plain('!$&\'()*+,;=:[\\]<>"');

const inHost = (character: string): boolean => character > '\x7f' || IN_HOST.test(character);

export const PATH: Part = { plain: plain('$&+,/:;=@') };
export const USER: Part = { plain: plain('$&+,;=') };
export const QUERY: Part = { plain: plain(''), plusIsSpace: true };
export const FRAGMENT: Part = { plain: plain('$&+,/:;=?@!()*') };
export const HOST: Part = {
  plain: IN_HOST,
  refuses: (character) => !inHost(character),
  refusesEscape: (byte) => byte < '\x80' && byte !== '%',
};
export const ZONE: Part = {
  ...HOST,
  refusesEscape: (byte) => byte !== '%' && byte !== ' ' && !IN_HOST.test(byte),
};

const TOKEN = /%[0-9A-Fa-f]{2}|[^]/g;

/** The bytes that a part of a URL stands for. Throws an `Error` with Go's words for an escape that is none. */
export function unescapePart(text: string, part: Part): string {
  return text.replace(TOKEN, (token, at: number) => {
    if (token === '%') throw new Error(`invalid URL escape ${quoted(text.slice(at, at + 3))}`);
    if (token.length === 1) return unescaped(token, part);
    const byte = String.fromCharCode(Number.parseInt(token.slice(1), 16));
    if (part.refusesEscape?.(byte)) throw new Error(`invalid URL escape ${quoted(token)}`);
    return byte;
  });
}

/** Bytes as a part of a URL. */
export function escapePart(bytes: string, part: Part): string {
  return bytes.replace(/[^]/g, (byte) => {
    if (part.plain.test(byte)) return byte;
    return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  });
}

function unescaped(character: string, { refuses, plusIsSpace }: Part): string {
  if (refuses?.(character)) throw new Error(`invalid character ${quoted(character)} in host name`);
  return plusIsSpace && character === '+' ? ' ' : character;
}

function plain(others: string): RegExp {
  return new RegExp(`^[${UNRESERVED}${others}]$`);
}

function quoted(bytes: string): string {
  return goQuote(textOfBytes(bytes));
}
