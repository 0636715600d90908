import { isSelection, type Token } from '../tokens';
import { NAMED_FORMATS } from '../values/named-formats';

/**
 * Functions of the CEL library that do not do what Kubernetes' CEL does, and cannot be overridden. An expression
 * that calls one is made to call its twin, a name of the same length, so that all offsets stay as they were.
 */
const OVERRIDDEN = [
  'has',
  'matches',
  'lowerAscii',
  'upperAscii',
  'all',
  'exists',
  'exists_one',
  'map',
  'filter',
  'bind',
  'int',
  'uint',
  'double',
  'string',
  'indexOf',
  'lastIndexOf',
  'substring',
  'split',
  'or',
  'orValue',
];

const OVERRIDES: ReadonlyMap<string, string> = new Map(OVERRIDDEN.map((name) => [name, capitalize(name)]));
const ORIGINAL_NAMES: ReadonlyMap<string, string> = new Map(
  OVERRIDDEN.map((name) => [capitalize(name), name]),
);
const NAMESPACE_TYPE = /\b([A-Z][a-z]+)Namespace(?=\.)/g;
const OVERRIDE_CALL = new RegExp(String.raw`\b(?:${[...ORIGINAL_NAMES.keys()].join('|')})(?=\()`, 'g');

/** The expression with every call of a twinned function, and every namespace, renamed. */
export function redirectToOverrides(expression: string, tokens: readonly Token[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const [i, { start, end }] of tokens.entries()) {
    const twin = overrideOf(tokens, i);
    if (twin === undefined) continue;
    parts.push(expression.slice(done, start), twin);
    done = end;
  }
  return parts.join('') + expression.slice(done);
}

/** The first call of a twin by its own name, which CEL does not have. */
export function findOverrideName(tokens: readonly Token[]): Token | undefined {
  return callTokensOf(tokens).find(({ text }) => ORIGINAL_NAMES.has(text));
}

/** The name that a user wrote, for a name in the syntax tree. */
export function originalNameOf(name: string): string {
  return ORIGINAL_NAMES.get(name) ?? name;
}

/** A message of the library in the names that a user wrote. */
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

/** What a name is spelt as that stands before a function of a library, and is not selected itself. */
function overrideOfNamespace(text: string, tokens: readonly Token[], i: number): string | undefined {
  const twin = capitalize(text);
  const [name, open] = tokens.slice(i + 2, i + 4);
  const named = open?.text === '(' && FUNCTION_NAMESPACES.get(twin)?.functions.has(name?.text ?? '');
  const dot = tokens[i - 1]?.text === '?' ? i - 2 : i - 1;
  const selected = tokens[dot]?.text === '.' && (dot < i - 1 || isSelection(tokens, dot));
  return named && !selected ? twin : undefined;
}

/** What is followed by an opening parenthesis: the names of calls, and no names. */
function callTokensOf(tokens: readonly Token[]): Token[] {
  return tokens.filter((_, i) => tokens[i + 1]?.text === '(');
}

function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/**
 * What stands before the functions of a library, `ip.isCanonical("::1")`, which CEL takes for a part of their names:
 * a variable of that name is not meant. The library takes it for a variable. So these are spelt as in `Ip.isCanonical`
 * before it sees them.
 */
export interface FunctionNamespace {
  readonly functions: ReadonlySet<string>;

  /** The class of its variable in the library, which tells types by classes. */
  readonly ctor: new () => object;
}

/** The namespaces by the names that the library knows. The type of each is `IpNamespace` and so on. */
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
