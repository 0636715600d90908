import { readAddress } from './address';
import { textOfBytes } from './bytes-of-text';
import { goQuote } from './go-quote';
import { escapePart, HOST, unescapePart, USER, ZONE } from './url-escapes';

/** Who a URL leads to, in bytes. */
export interface Authority {
  /** A name and a password, with escapes. */
  readonly user?: string;

  /** With its port, without escapes. */
  readonly host: string;
}

const USERINFO = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/;
const PORT = /^(?::\d*)?$/;

/** Reads what stands between `//` and the path. Throws an `Error` with Go's words for what it refuses. */
export function authorityOf(scheme: string, text: string): Authority {
  const at = text.lastIndexOf('@');
  const host = hostOf(scheme, text.slice(at + 1));
  if (at < 0) return { host };
  const info = text.slice(0, at);
  if (!USERINFO.test(info)) throw new Error('net/url: invalid userinfo');
  const [, name = '', password] = /^([^:]*)(?::([^]*))?$/.exec(info) ?? [];
  const parts = password === undefined ? [name] : [name, password];
  return { host, user: parts.map((part) => escapePart(unescapePart(part, USER), USER)).join(':') };
}

function hostOf(scheme: string, host: string): string {
  const bracket = host.lastIndexOf('[');
  if (bracket > 0) throw new Error('invalid IP-literal');
  if (bracket === 0) return literalOf(host);
  const web = scheme === 'http' || scheme === 'https';
  // Elsewhere names may have colons themselves.
  const colon = web ? host.indexOf(':') : host.lastIndexOf(':');
  if (colon >= 0) checkPort(host.slice(colon));
  return unescapePart(host, HOST);
}

/** `[fe80::1%25eth0]:80` */
function literalOf(host: string): string {
  const end = host.lastIndexOf(']');
  if (end < 0) throw new Error("missing ']' in host");
  const port = host.slice(end + 1);
  checkPort(port);
  const name = host.slice(1, end);
  const zone = name.indexOf('%25');
  const bare = zone < 0 ? name : name.slice(0, zone);
  const literal = unescapePart(bare, HOST) + (zone < 0 ? '' : unescapePart(name.slice(zone), ZONE));
  if (readAddress(textOfBytes(literal)).address.family === 4) throw new Error('invalid IP-literal');
  return `[${literal}]${port}`;
}

function checkPort(port: string): void {
  if (!PORT.test(port)) throw new Error(`invalid port ${goQuote(textOfBytes(port))} after host`);
}
