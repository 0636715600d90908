import { messageOf } from '../../base/errors';
import { fromByteString, quoteLikeGo, toByteString } from './go-strings';
import { parseIpWithZone } from './ip-address';

/** The parts of a URL, in bytes. */
interface UrlParts {
  readonly scheme: string;

  /** The text after the scheme if it is not a path. */
  readonly opaque: string;
  readonly authority?: UrlAuthority;
  readonly path: string;

  /** The query with its question mark. */
  readonly query: string;
  readonly fragment: string;
}

const SCHEME = /^[A-Za-z][A-Za-z0-9+\-.]*(?=:)/;
const CONTROL = /[^ -~\x80-\xff]/;
const PORT = /:(\d*)$/;

/** Characters that Go keeps in a path or fragment, in addition to those that it never escapes. */
const UNESCAPED = /[!$&'()*+,;=:@[\]%]/;
const MAX_PARAMETERS = 10_000;

/** An immutable URL as Kubernetes parses it: an absolute URL, or an absolute path. */
export class Url {
  constructor(private readonly parts: UrlParts) {}

  get scheme(): string {
    return this.parts.scheme;
  }

  /** The host with its port. */
  get host(): string {
    return fromByteString(this.#host);
  }

  get hostname(): string {
    return fromByteString(this.#host.replace(PORT, '').replace(/^\[([^]*)\]$/, '$1'));
  }

  get port(): string {
    return PORT.exec(this.#host)?.[1] ?? '';
  }

  get escapedPath(): string {
    return fromByteString(keepOrEscape(this.parts.path, PATH_PART));
  }

  /** The values of each key, without escapes. Invalid escapes, and parameters with a semicolon, are omitted. */
  get query(): ReadonlyMap<string, readonly string[]> {
    const pairs = this.parts.query.slice(1).split('&');
    const values = new Map<string, string[]>();
    for (const pair of pairs.length > MAX_PARAMETERS ? [] : pairs) {
      const [key, value] = parseParameter(pair) ?? [];
      if (key !== undefined && value !== undefined) values.set(key, [...(values.get(key) ?? []), value]);
    }
    return values;
  }

  /** Returns the URL as Go formats it. Equality compares this text. */
  toString(): string {
    const { scheme, opaque, path, query, fragment } = this.parts;
    const body = opaque === '' ? `${this.#authority()}${keepOrEscape(path, PATH_PART)}` : opaque;
    const tail = fragment === '' ? '' : `#${keepOrEscape(fragment, FRAGMENT_PART)}`;
    return fromByteString(`${scheme === '' ? '' : `${scheme}:`}${body}${query}${tail}`);
  }

  get #host(): string {
    return this.parts.authority?.host ?? '';
  }

  #authority(): string {
    const { authority, path } = this.parts;
    if (!authority || (authority.host + path === '' && authority.user === undefined)) return '';
    const user = authority.user === undefined ? '' : `${authority.user}@`;
    return `//${user}${escapePart(authority.host, HOST_PART)}`;
  }
}

/**
 * Parses a URL as CEL in Kubernetes does (`pkg/cel/library/urls.go` of k8s.io/apiserver): it must be a valid request
 * URI, and is then parsed by `net/url` of Go, with a fragment.
 */
export function parseUrl(text: string): Url {
  checkUrl(text);
  const [, before = '', fragment = ''] = /^([^#]*)#?([^]*)$/.exec(toByteString(text)) ?? [];
  try {
    const parts = parseParts(before, false);
    unescapePart(fragment, FRAGMENT_PART);
    return new Url({ ...parts, fragment });
  } catch (cause) {
    throw createParseError(text, cause);
  }
}

/** Throws an `Error` with the message of Go if `url.ParseRequestURI` does not accept the text. */
export function checkUrl(text: string): void {
  try {
    parseParts(toByteString(text), true);
  } catch (cause) {
    throw createParseError(text, cause);
  }
}

function createParseError(text: string, cause: unknown): Error {
  return new Error(`parse ${quoteLikeGo(text)}: ${messageOf(cause)}`);
}

/** Parses a URL without a fragment. A request URI has an authority only after a scheme. */
function parseParts(url: string, request: boolean): UrlParts {
  if (CONTROL.test(url)) throw new Error('net/url: invalid control character in URL');
  if (url === '') throw new Error('empty url');
  const nothing = { scheme: '', opaque: '', query: '', fragment: '' };
  if (url === '*') return { ...nothing, path: '*' };
  if (url.startsWith(':')) throw new Error('missing protocol scheme');
  const scheme = SCHEME.exec(url)?.[0].toLowerCase() ?? '';
  const [, rest = '', query = ''] = /^([^?]*)([^]*)$/.exec(scheme ? url.slice(scheme.length + 1) : url) ?? [];
  return { ...nothing, scheme, query, ...parseHierarchy(scheme, rest, request) };
}

function parseHierarchy(
  scheme: string,
  rest: string,
  request: boolean,
): Pick<UrlParts, 'opaque' | 'authority' | 'path'> {
  if (!rest.startsWith('/')) {
    if (scheme === '') throw new Error('invalid URI for request');
    return { opaque: rest, path: '' };
  }
  const [, authority, path = ''] = /^\/\/([^/]*)([^]*)$/.exec(rest) ?? [];
  const named = authority !== undefined && (scheme !== '' || (!request && !rest.startsWith('///')));
  if (!named) {
    unescapePart(rest, PATH_PART);
    return { opaque: '', path: rest };
  }
  const found = parseAuthority(scheme, authority);
  unescapePart(path, PATH_PART);
  return { opaque: '', authority: found, path };
}

/** Returns the original text if Go keeps it, otherwise the text with the escapes that Go writes. */
function keepOrEscape(text: string, part: UrlPart): string {
  const valid = [...text].every((byte) => UNESCAPED.test(byte) || part.plain.test(byte));
  return valid ? text : escapePart(unescapePart(text, part), part);
}

function parseParameter(pair: string): readonly [string, string] | undefined {
  if (pair === '' || pair.includes(';')) return undefined;
  const [, key = '', value = ''] = /^([^=]*)=?([^]*)$/.exec(pair) ?? [];
  try {
    return [fromByteString(unescapePart(key, QUERY_PART)), fromByteString(unescapePart(value, QUERY_PART))];
  } catch {
    return undefined;
  }
}

/** The authority of a URL, in bytes. */
interface UrlAuthority {
  /** The user name and password, with escapes. */
  readonly user?: string;

  /** The host with its port, without escapes. */
  readonly host: string;
}

const USERINFO = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/;
const PORT_SUFFIX = /^(?::\d*)?$/;

/** Parses the text between `//` and the path. Throws an `Error` with the message of Go if it is invalid. */
function parseAuthority(scheme: string, text: string): UrlAuthority {
  const at = text.lastIndexOf('@');
  const host = parseHost(scheme, text.slice(at + 1));
  if (at < 0) return { host };
  const info = text.slice(0, at);
  if (!USERINFO.test(info)) throw new Error('net/url: invalid userinfo');
  const [, name = '', password] = /^([^:]*)(?::([^]*))?$/.exec(info) ?? [];
  const parts = password === undefined ? [name] : [name, password];
  return { host, user: parts.map((part) => escapePart(unescapePart(part, USER_PART), USER_PART)).join(':') };
}

function parseHost(scheme: string, host: string): string {
  const bracket = host.lastIndexOf('[');
  if (bracket > 0) throw new Error('invalid IP-literal');
  if (bracket === 0) return parseIpLiteral(host);
  const web = scheme === 'http' || scheme === 'https';
  // With other schemes, names can contain colons.
  const colon = web ? host.indexOf(':') : host.lastIndexOf(':');
  if (colon >= 0) checkPort(host.slice(colon));
  return unescapePart(host, HOST_PART);
}

/** `[fe80::1%25eth0]:80` */
function parseIpLiteral(host: string): string {
  const end = host.lastIndexOf(']');
  if (end < 0) throw new Error("missing ']' in host");
  const port = host.slice(end + 1);
  checkPort(port);
  const name = host.slice(1, end);
  const zone = name.indexOf('%25');
  const bare = zone < 0 ? name : name.slice(0, zone);
  const literal = unescapePart(bare, HOST_PART) + (zone < 0 ? '' : unescapePart(name.slice(zone), ZONE_PART));
  if (parseIpWithZone(fromByteString(literal)).address.family === 4) throw new Error('invalid IP-literal');
  return `[${literal}]${port}`;
}

function checkPort(port: string): void {
  if (!PORT_SUFFIX.test(port)) throw new Error(`invalid port ${quoteLikeGo(fromByteString(port))} after host`);
}

/** A part of a URL, with its rules for escapes (RFC 3986, and `net/url` of Go). */
interface UrlPart {
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

const PATH_PART: UrlPart = { plain: patternOfPlain('$&+,/:;=@') };
/** The user name or the password of a URL. */
const USER_PART: UrlPart = { plain: patternOfPlain('$&+,;=') };
/** A key or a value in the query of a URL. */
const QUERY_PART: UrlPart = { plain: patternOfPlain(''), plusIsSpace: true };
const FRAGMENT_PART: UrlPart = { plain: patternOfPlain('$&+,/:;=?@!()*') };
const HOST_PART: UrlPart = {
  plain: IN_HOST,
  refuses: (character) => !isHostCharacter(character),
  refusesEscape: (byte) => byte < '\x80' && byte !== '%',
};
/** The zone of an IPv6 host. */
const ZONE_PART: UrlPart = {
  ...HOST_PART,
  refusesEscape: (byte) => byte !== '%' && byte !== ' ' && !IN_HOST.test(byte),
};

const TOKEN = /%[0-9A-Fa-f]{2}|[^]/g;

/** Decodes the escapes of a URL part to bytes. Throws an `Error` with the message of Go for an invalid escape. */
function unescapePart(text: string, part: UrlPart): string {
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

function escapePart(bytes: string, part: UrlPart): string {
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
