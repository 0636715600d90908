import { fromByteString, quoteLikeGo } from './go-strings';

/** A part of a URL, with its rules for escapes (RFC 3986, and `net/url` of Go). */
export interface UrlPart {
  /** Matches characters that need no escape. */
  readonly plain: RegExp;

  /** Reports whether an unescaped character is invalid. */
  readonly refuses?: (character: string) => boolean;

  /** Reports whether an escape of a byte is invalid. */
  readonly refusesEscape?: (byte: string) => boolean;

  /** Whether `+` is a space. */
  readonly plusIsSpace?: boolean;
}

const UNRESERVED = 'A-Za-z0-9\\-_.~';
const IN_HOST = patternOfPlain('!$&\'()*+,;=:[\\]<>"');

const isHostCharacter = (character: string): boolean => character > '\x7f' || IN_HOST.test(character);

export const PATH_PART: UrlPart = { plain: patternOfPlain('$&+,/:;=@') };
/** The user name or the password of a URL. */
export const USER_PART: UrlPart = { plain: patternOfPlain('$&+,;=') };
/** A key or a value in the query of a URL. */
export const QUERY_PART: UrlPart = { plain: patternOfPlain(''), plusIsSpace: true };
export const FRAGMENT_PART: UrlPart = { plain: patternOfPlain('$&+,/:;=?@!()*') };
export const HOST_PART: UrlPart = {
  plain: IN_HOST,
  refuses: (character) => !isHostCharacter(character),
  refusesEscape: (byte) => byte < '\x80' && byte !== '%',
};
/** The zone of an IPv6 host. */
export const ZONE_PART: UrlPart = {
  ...HOST_PART,
  refusesEscape: (byte) => byte !== '%' && byte !== ' ' && !IN_HOST.test(byte),
};

const TOKEN = /%[0-9A-Fa-f]{2}|[^]/g;

/** Decodes the escapes of a URL part to bytes. Throws an `Error` with the message of Go for an invalid escape. */
export function unescapePart(text: string, part: UrlPart): string {
  return text.replace(TOKEN, (token, at: number) => {
    if (token === '%') throw new Error(`invalid URL escape ${quoteBytes(text.slice(at, at + 3))}`);
    if (token.length === 1) {
      if (part.refuses?.(token)) throw new Error(`invalid character ${quoteBytes(token)} in host name`);
      return part.plusIsSpace && token === '+' ? ' ' : token;
    }
    const byte = String.fromCharCode(Number.parseInt(token.slice(1), 16));
    if (part.refusesEscape?.(byte)) throw new Error(`invalid URL escape ${quoteBytes(token)}`);
    return byte;
  });
}

export function escapePart(bytes: string, part: UrlPart): string {
  return bytes.replace(/[^]/g, (byte) => {
    if (part.plain.test(byte)) return byte;
    return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  });
}

function patternOfPlain(others: string): RegExp {
  return new RegExp(`^[${UNRESERVED}${others}]$`);
}

function quoteBytes(bytes: string): string {
  return quoteLikeGo(fromByteString(bytes));
}
