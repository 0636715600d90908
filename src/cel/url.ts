import { bytesOf, textOfBytes } from './bytes-of-text';
import { goQuote } from './go-quote';
import { authorityOf, type Authority } from './url-authority';
import { escapePart, FRAGMENT, HOST, type Part, PATH, QUERY, unescapePart } from './url-escapes';

/** What a URL says, in bytes. */
interface Parts {
  readonly scheme: string;

  /** What stands behind the scheme where that is no path. */
  readonly opaque: string;
  readonly authority?: Authority;
  readonly path: string;

  /** With its question mark. */
  readonly query: string;
  readonly fragment: string;
}

const SCHEME = /^[A-Za-z][A-Za-z0-9+\-.]*(?=:)/;
const CONTROL = /[^ -~\x80-\xff]/;
const PORT = /:(\d*)$/;

/** Characters that Go leaves alone where they stand in a path or fragment, besides those that it does not escape. */
const LEFT_ALONE = /[!$&'()*+,;=:@[\]%]/;
const MOST_PARAMETERS = 10_000;

/** An immutable URL as Kubernetes reads it: an absolute one, or an absolute path. */
export class Url {
  // Private to the language as well: CEL macros go over the keys of an object.
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get scheme(): string {
    return this.#parts.scheme;
  }

  /** With its port. */
  get host(): string {
    return textOfBytes(this.#host);
  }

  get hostname(): string {
    return textOfBytes(this.#host.replace(PORT, '').replace(/^\[([^]*)\]$/, '$1'));
  }

  get port(): string {
    return PORT.exec(this.#host)?.[1] ?? '';
  }

  get escapedPath(): string {
    return textOfBytes(kept(this.#parts.path, PATH));
  }

  /** The values of each key, both without escapes. What is wrongly escaped, or has a semicolon, is left out. */
  get query(): ReadonlyMap<string, readonly string[]> {
    const pairs = this.#parts.query.slice(1).split('&');
    const values = new Map<string, string[]>();
    for (const pair of pairs.length > MOST_PARAMETERS ? [] : pairs) {
      const [key, value] = parameter(pair) ?? [];
      if (key !== undefined && value !== undefined) values.set(key, [...(values.get(key) ?? []), value]);
    }
    return values;
  }

  /** The URL in Go's spelling, by which URLs are equal. */
  toString(): string {
    const { scheme, opaque, path, query, fragment } = this.#parts;
    const behind = opaque === '' ? `${this.#authority()}${kept(path, PATH)}` : opaque;
    const tail = fragment === '' ? '' : `#${kept(fragment, FRAGMENT)}`;
    return textOfBytes(`${scheme === '' ? '' : `${scheme}:`}${behind}${query}${tail}`);
  }

  get #host(): string {
    return this.#parts.authority?.host ?? '';
  }

  #authority(): string {
    const { authority, path } = this.#parts;
    if (!authority || (authority.host + path === '' && authority.user === undefined)) return '';
    const user = authority.user === undefined ? '' : `${authority.user}@`;
    return `//${user}${escapePart(authority.host, HOST)}`;
  }
}

/**
 * Reads a URL as Kubernetes' CEL does (`pkg/cel/library/urls.go` of k8s.io/apiserver): it has to be one of a request,
 * and is then read again as Go's `net/url` does, with a fragment.
 *
 * Throws an `Error` whose message is a clause that names the text.
 */
export function parseUrl(text: string): Url {
  checkUrl(text);
  const [, before = '', fragment = ''] = /^([^#]*)#?([^]*)$/.exec(bytesOf(text)) ?? [];
  try {
    const parts = read(before, false);
    unescapePart(fragment, FRAGMENT);
    return new Url({ ...parts, fragment });
  } catch (cause) {
    throw described(text, cause);
  }
}

/** Throws an `Error` with Go's words for what `url.ParseRequestURI` does not take. */
export function checkUrl(text: string): void {
  try {
    read(bytesOf(text), true);
  } catch (cause) {
    throw described(text, cause);
  }
}

function described(text: string, cause: unknown): Error {
  return new Error(`parse ${goQuote(text)}: ${cause instanceof Error ? cause.message : String(cause)}`);
}

/** The parts of a URL without a fragment. That of a request has an authority only behind a scheme. */
function read(url: string, request: boolean): Parts {
  if (CONTROL.test(url)) throw new Error('net/url: invalid control character in URL');
  if (url === '') throw new Error('empty url');
  const nothing = { scheme: '', opaque: '', query: '', fragment: '' };
  if (url === '*') return { ...nothing, path: '*' };
  if (url.startsWith(':')) throw new Error('missing protocol scheme');
  const scheme = SCHEME.exec(url)?.[0].toLowerCase() ?? '';
  const [, rest = '', query = ''] = /^([^?]*)([^]*)$/.exec(scheme ? url.slice(scheme.length + 1) : url) ?? [];
  return { ...nothing, scheme, query, ...hierarchy(scheme, rest, request) };
}

function hierarchy(
  scheme: string,
  rest: string,
  request: boolean,
): Pick<Parts, 'opaque' | 'authority' | 'path'> {
  if (!rest.startsWith('/')) {
    if (scheme === '') throw new Error('invalid URI for request');
    return { opaque: rest, path: '' };
  }
  const [, authority, path = ''] = /^\/\/([^/]*)([^]*)$/.exec(rest) ?? [];
  const named = authority !== undefined && (scheme !== '' || (!request && !rest.startsWith('///')));
  if (!named) {
    unescapePart(rest, PATH);
    return { opaque: '', path: rest };
  }
  const found = authorityOf(scheme, authority);
  unescapePart(path, PATH);
  return { opaque: '', authority: found, path };
}

/** A part as it was written where Go keeps that, and else with the escapes that Go would write. */
function kept(text: string, part: Part): string {
  const valid = [...text].every((byte) => LEFT_ALONE.test(byte) || part.plain.test(byte));
  return valid ? text : escapePart(unescapePart(text, part), part);
}

function parameter(pair: string): readonly [string, string] | undefined {
  if (pair === '' || pair.includes(';')) return undefined;
  const [, key = '', value = ''] = /^([^=]*)=?([^]*)$/.exec(pair) ?? [];
  try {
    return [textOfBytes(unescapePart(key, QUERY)), textOfBytes(unescapePart(value, QUERY))];
  } catch {
    return undefined;
  }
}
