import { fromByteString, quoteLikeGo } from './go-strings';

/** The parts of a URL, each with the bytes that it may have as they are (RFC 3986, and Go's `net/url`). */
export interface UrlPart {
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
const IN_HOST = patternOfPlain('!$&\'()*+,;=:[\\]<>"');

const inHost = (character: string): boolean => character > '\x7f' || IN_HOST.test(character);

export const PATH_PART: UrlPart = { plain: patternOfPlain('$&+,/:;=@') };
export const USER_PART: UrlPart = { plain: patternOfPlain('$&+,;=') };
export const QUERY_PART: UrlPart = { plain: patternOfPlain(''), plusIsSpace: true };
export const FRAGMENT_PART: UrlPart = { plain: patternOfPlain('$&+,/:;=?@!()*') };
export const HOST_PART: UrlPart = {
  plain: IN_HOST,
  refuses: (character) => !inHost(character),
  refusesEscape: (byte) => byte < '\x80' && byte !== '%',
};
export const ZONE_PART: UrlPart = {
  ...HOST_PART,
  refusesEscape: (byte) => byte !== '%' && byte !== ' ' && !IN_HOST.test(byte),
};

const TOKEN = /%[0-9A-Fa-f]{2}|[^]/g;

/** The bytes that a part of a URL stands for. Throws an `Error` with Go's words for an escape that is none. */
export function unescapePart(text: string, part: UrlPart): string {
  return text.replace(TOKEN, (token, at: number) => {
    if (token === '%') throw new Error(`invalid URL escape ${quoteBytes(text.slice(at, at + 3))}`);
    if (token.length === 1) return unescapeCharacter(token, part);
    const byte = String.fromCharCode(Number.parseInt(token.slice(1), 16));
    if (part.refusesEscape?.(byte)) throw new Error(`invalid URL escape ${quoteBytes(token)}`);
    return byte;
  });
}

/** Bytes as a part of a URL. */
export function escapePart(bytes: string, part: UrlPart): string {
  return bytes.replace(/[^]/g, (byte) => {
    if (part.plain.test(byte)) return byte;
    return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  });
}

function unescapeCharacter(character: string, { refuses, plusIsSpace }: UrlPart): string {
  if (refuses?.(character)) throw new Error(`invalid character ${quoteBytes(character)} in host name`);
  return plusIsSpace && character === '+' ? ' ' : character;
}

function patternOfPlain(others: string): RegExp {
  return new RegExp(`^[${UNRESERVED}${others}]$`);
}

function quoteBytes(bytes: string): string {
  return quoteLikeGo(fromByteString(bytes));
}
