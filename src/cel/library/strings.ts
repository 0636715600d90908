import type { RegisteredFunctionHandler } from 'cel-js';
import type * as re2js from 're2js';
import { messageOf } from '../../base/errors';
import { Interner } from '../../base/interning';
import { quoteLikeCel } from '../values/go-strings';
import { applyFormat } from './string-format';

/** Functions on strings that the library lacks, or that differ from Kubernetes, by signature. */
export const STRING_FUNCTIONS: Readonly<Record<string, RegisteredFunctionHandler>> = {
  'Matches(string, string): bool': (text: string, pattern: string) => compileRegex(pattern).matcher(text).find(),
  'string.Matches(string): bool': (text: string, pattern: string) => compileRegex(pattern).matcher(text).find(),
  'string.find(string): string': (text: string, pattern: string) => findAllMatches(text, pattern, 1)[0] ?? '',
  'string.findAll(string): list<string>': (text: string, pattern: string) => findAllMatches(text, pattern),
  'string.findAll(string, int): list<string>': (text: string, pattern: string, limit: bigint) =>
    findAllMatches(text, pattern, limit < 0n ? undefined : Number(limit)),
  'string.LowerAscii(): string': (text: string) => text.replace(/[A-Z]+/g, (part) => part.toLowerCase()),
  'string.UpperAscii(): string': (text: string) => text.replace(/[a-z]+/g, (part) => part.toUpperCase()),
  'string.charAt(int): string': charAt,
  'string.IndexOf(string): int': indexOf,
  'string.IndexOf(string, int): int': indexOf,
  'string.LastIndexOf(string): int': lastIndexOf,
  'string.LastIndexOf(string, int): int': lastIndexOf,
  'string.Substring(int): string': substring,
  'string.Substring(int, int): string': substring,
  'string.Split(string): list<string>': split,
  'string.Split(string, int): list<string>': split,
  'string.replace(string, string): string': replace,
  'string.replace(string, string, int): string': replace,
  'string.format(list): string': (format: string, values: readonly unknown[]) => applyFormat(format, values),
  'StringsNamespace.quote(string): string': (_: unknown, text: string) => quoteLikeCel(text),
};

/** Returns the first position of a part in characters, or -1 if there is none or `from` is after the end. */
function indexOf(text: string, part: string, from = 0n): bigint {
  if (part === '') return from;
  if (from < 0n) throw new Error(`index out of range: ${from}`);
  const [characters, searched] = [[...text], [...part]];
  for (let i = Number(from); i <= characters.length - searched.length; i++) {
    if (searched.every((character, k) => characters[i + k] === character)) return BigInt(i);
  }
  return -1n;
}

/** Returns the last position of a part at or before `from`. Kubernetes returns -1 if `from` is after the end. */
function lastIndexOf(text: string, part: string, from?: bigint): bigint {
  const [characters, searched] = [[...text], [...part]];
  if (part === '') return from ?? BigInt(characters.length);
  if (from === undefined && text.length < part.length) return -1n;
  const start = from ?? BigInt(characters.length - 1);
  if (start < 0n) throw new Error(`index out of range: ${start}`);
  if (start >= characters.length) return -1n;
  for (let i = Math.min(Number(start), characters.length - searched.length); i >= 0; i--) {
    if (searched.every((character, k) => characters[i + k] === character)) return BigInt(i);
  }
  return -1n;
}

function substring(text: string, start: bigint, end?: bigint): string {
  const characters = [...text];
  const last = end ?? BigInt(characters.length);
  if (start < 0n || start > last || last > characters.length) {
    throw new Error(`index out of range: ${start} to ${last}`);
  }
  return characters.slice(Number(start), Number(last)).join('');
}

/** Splits a text into at most `limit` parts. The last part has the rest. A negative limit means no limit. */
function split(text: string, separator: string, limit = -1n): string[] {
  const parts = separator === '' ? [...text] : text.split(separator);
  if (limit < 0n || limit >= parts.length) return parts;
  if (limit === 0n) return [];
  const last = Number(limit) - 1;
  return [...parts.slice(0, last), parts.slice(last).join(separator)];
}

/** Returns the character at an index, or an empty string directly after the last character. */
function charAt(text: string, index: bigint): string {
  const characters = [...text];
  if (index < 0n || index > characters.length) throw new Error(`index out of range: ${index}`);
  return characters[Number(index)] ?? '';
}

/** An empty `old` inserts the replacement before, between and after all characters. */
function replace(text: string, old: string, replacement: string, limit = -1n): string {
  const parts = old === '' ? ['', ...text, ''] : text.split(old);
  const count = limit < 0n ? parts.length - 1 : Math.min(Number(limit), parts.length - 1);
  return [parts.slice(0, count + 1).join(replacement), ...parts.slice(count + 1)].join(old);
}

const patterns = new Interner<re2js.RE2JS>(256);

/** Compiles a pattern in RE2 syntax, as Kubernetes does: linear time, no lookaround. */
export function compileRegex(pattern: string): re2js.RE2JS {
  return patterns.intern(pattern, () => compilePattern(pattern));
}

/** Returns the matches of a pattern, from left to right, up to `limit`. */
function findAllMatches(text: string, pattern: string, limit = Infinity): string[] {
  const found: string[] = [];
  const matcher = compileRegex(pattern).matcher(text);
  while (found.length < limit && matcher.find()) found.push(matcher.group() ?? '');
  return found;
}

function compilePattern(pattern: string): re2js.RE2JS {
  // Loaded on first use: few selectors have patterns, and an eager import would slow down every plan.
  const { RE2JS } = require('re2js') as typeof re2js;
  try {
    return RE2JS.compile(pattern);
  } catch (cause) {
    const reason = messageOf(cause).replace(/^error parsing regexp: /, '');
    throw new Error(`'${pattern}' is not a regular expression: ${reason}`, { cause });
  }
}
