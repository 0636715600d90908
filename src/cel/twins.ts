import { NAMESPACES } from './namespaces';
import { selects, type Token } from './tokens';

/**
 * Functions of the CEL library that do not do what Kubernetes' CEL does, and cannot be overridden. An expression
 * that calls one is made to call its twin, a name of the same length, so that all offsets stay as they were.
 */
const TWINNED = [
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

const TWINS: ReadonlyMap<string, string> = new Map(TWINNED.map((name) => [name, capitalised(name)]));
const ORIGINALS: ReadonlyMap<string, string> = new Map(TWINNED.map((name) => [capitalised(name), name]));
const NAMESPACE = /\b([A-Z][a-z]+)Namespace(?=\.)/g;
const TWIN_CALL = new RegExp(String.raw`\b(?:${[...ORIGINALS.keys()].join('|')})(?=\()`, 'g');

/** The expression with every call of a twinned function, and every namespace, renamed. */
export function withTwins(expression: string, tokens: readonly Token[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const [i, { start, end }] of tokens.entries()) {
    const twin = twinOf(tokens, i);
    if (twin === undefined) continue;
    parts.push(expression.slice(done, start), twin);
    done = end;
  }
  return parts.join('') + expression.slice(done);
}

/** The first call of a twin by its own name, which CEL does not have. */
export function strayTwin(tokens: readonly Token[]): Token | undefined {
  return calls(tokens).find(({ text }) => ORIGINALS.has(text));
}

/** The name that a user wrote, for a name in the syntax tree. */
export function originalName(name: string): string {
  return ORIGINALS.get(name) ?? name;
}

/** A message of the library in the names that a user wrote. */
export function withoutTwins(message: string): string {
  return message.replace(TWIN_CALL, originalName).replace(NAMESPACE, (_, name: string) => name.toLowerCase());
}

function twinOf(tokens: readonly Token[], i: number): string | undefined {
  const text = tokens[i]?.text ?? '';
  if (tokens[i + 1]?.text === '(') return TWINS.get(text);
  return tokens[i + 1]?.text === '.' ? namespaceTwin(text, tokens, i) : undefined;
}

/** What a name is spelt as that stands before a function of a library, and is not selected itself. */
function namespaceTwin(text: string, tokens: readonly Token[], i: number): string | undefined {
  const twin = capitalised(text);
  const [name, open] = tokens.slice(i + 2, i + 4);
  const named = open?.text === '(' && NAMESPACES.get(twin)?.functions.has(name?.text ?? '');
  const dot = tokens[i - 1]?.text === '?' ? i - 2 : i - 1;
  const selected = tokens[dot]?.text === '.' && (dot < i - 1 || selects(tokens, dot));
  return named && !selected ? twin : undefined;
}

/** What is followed by an opening parenthesis: the names of calls, and no names. */
function calls(tokens: readonly Token[]): Token[] {
  return tokens.filter((_, i) => tokens[i + 1]?.text === '(');
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
