import type { RegisteredFunctionHandler } from 'cel-js';
import { findAll, regex } from './regex';

/** Functions on strings that the library does not have, or not as Kubernetes has them, by signature. */
export const TEXT: Readonly<Record<string, RegisteredFunctionHandler>> = {
  'Matches(string, string): bool': (text: string, pattern: string) => regex(pattern).matcher(text).find(),
  'string.Matches(string): bool': (text: string, pattern: string) => regex(pattern).matcher(text).find(),
  'string.find(string): string': (text: string, pattern: string) => findAll(text, pattern, 1)[0] ?? '',
  'string.findAll(string): list<string>': (text: string, pattern: string) => findAll(text, pattern),
  'string.findAll(string, int): list<string>': (text: string, pattern: string, limit: bigint) =>
    findAll(text, pattern, limit < 0n ? undefined : Number(limit)),
  'string.LowerAscii(): string': (text: string) => text.replace(/[A-Z]+/g, (part) => part.toLowerCase()),
  'string.UpperAscii(): string': (text: string) => text.replace(/[a-z]+/g, (part) => part.toUpperCase()),
  'string.charAt(int): string': charAt,
  'string.replace(string, string): string': (text: string, old: string, with_: string) =>
    replace(text, old, with_, Infinity),
  'string.replace(string, string, int): string': (text: string, old: string, with_: string, limit: bigint) =>
    replace(text, old, with_, limit < 0n ? Infinity : Number(limit)),
};

/** The character at an index; none, which is no error, right behind the last. */
function charAt(text: string, index: bigint): string {
  const characters = [...text];
  if (index < 0n || index > characters.length) throw new Error(`index out of range: ${index}`);
  return characters[Number(index)] ?? '';
}

/** To replace nothing is to insert before, between and behind all characters. */
function replace(text: string, old: string, replacement: string, limit: number): string {
  const parts = old === '' ? ['', ...text, ''] : text.split(old);
  const count = Math.min(limit, parts.length - 1);
  return [parts.slice(0, count + 1).join(replacement), ...parts.slice(count + 1)].join(old);
}
