import { capitalize } from '../../base/text';
import { isSelection, type Token } from '../tokens';
import { NAMED_FORMATS } from '../values/named-formats';

/**
 * Functions of the CEL library that differ from the CEL of Kubernetes and cannot be overridden. Calls of them are
 * renamed to an override, whose name has the same length, so that offsets do not change.
 */
const OVERRIDDEN = [
  ...'has matches lowerAscii upperAscii all exists exists_one map filter bind int uint'.split(' '),
  ...'double string indexOf lastIndexOf substring split or orValue'.split(' '),
];

const OVERRIDES: ReadonlyMap<string, string> = new Map(OVERRIDDEN.map((name) => [name, capitalize(name)]));
const ORIGINAL_NAMES: ReadonlyMap<string, string> = new Map(OVERRIDDEN.map((name) => [capitalize(name), name]));
const NAMESPACE_TYPE = /\b([A-Z][a-z]+)Namespace(?=\.)/g;
const OVERRIDE_CALL = new RegExp(String.raw`\b(?:${[...ORIGINAL_NAMES.keys()].join('|')})(?=\()`, 'g');

/** Renames the calls of overridden functions, and the namespaces, of an expression. */
export function redirectToOverrides(expression: string, tokens: readonly Token[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const [i, { start, end }] of tokens.entries()) {
    const override = overrideOf(tokens, i);
    if (override === undefined) continue;
    parts.push(expression.slice(done, start), override);
    done = end;
  }
  return parts.join('') + expression.slice(done);
}

/** Finds the first call that uses the name of an override, which CEL does not have. */
export function findOverrideName(tokens: readonly Token[]): Token | undefined {
  return tokens.find(({ text }, i) => ORIGINAL_NAMES.has(text) && tokens[i + 1]?.text === '(');
}

/** Returns the name that the user wrote, for a name in the syntax tree. */
export function originalNameOf(name: string): string {
  return ORIGINAL_NAMES.get(name) ?? name;
}

/** Restores the names that the user wrote in a message of the library. */
export function restoreOriginalNames(message: string): string {
  return message
    .replace(OVERRIDE_CALL, originalNameOf)
    .replace(NAMESPACE_TYPE, (_, name: string) => name.toLowerCase());
}

function overrideOf(tokens: readonly Token[], i: number): string | undefined {
  const text = tokens[i]?.text ?? '';
  if (tokens[i + 1]?.text === '(') return OVERRIDES.get(text);
  return tokens[i + 1]?.text === '.' ? overrideOfNamespace(text, tokens, i) : undefined;
}

/** Returns the spelling of a namespace before one of its functions, unless the name itself is selected. */
function overrideOfNamespace(text: string, tokens: readonly Token[], i: number): string | undefined {
  const override = capitalize(text);
  const [name, open] = tokens.slice(i + 2, i + 4);
  const named = open?.text === '(' && FUNCTION_NAMESPACES.get(override)?.functions.has(name?.text ?? '');
  const dot = tokens[i - 1]?.text === '?' ? i - 2 : i - 1;
  const selected = tokens[dot]?.text === '.' && (dot < i - 1 || isSelection(tokens, dot));
  return named && !selected ? override : undefined;
}

/**
 * A namespace of functions, such as `ip` in `ip.isCanonical("::1")`. CEL treats it as part of the function name, not as
 * a variable. The library treats it as a variable, so namespaces are spelled `Ip.isCanonical` for the library.
 */
interface FunctionNamespace {
  readonly functions: ReadonlySet<string>;

  /** The class of its variable in the library, which identifies types by class. */
  readonly ctor: new () => object;
}

/** The namespaces, by their spelling for the library. The types are `IpNamespace` and so on. */
export const FUNCTION_NAMESPACES: ReadonlyMap<string, FunctionNamespace> = new Map([
  ['Lists', createNamespace('range')],
  ['Sets', createNamespace('contains', 'intersects', 'equivalent')],
  ['Strings', createNamespace('quote')],
  ['Ip', createNamespace('isCanonical')],
  ['Format', createNamespace('named', ...NAMED_FORMATS.keys())],
]);

function createNamespace(...functions: readonly string[]): FunctionNamespace {
  class Variable {
    readonly functions = functions;
  }
  return { functions: new Set(functions), ctor: Variable };
}
