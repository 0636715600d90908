import { NAMESPACES } from './namespaces';
import { selects } from './respelling';
import type { Token } from './tokens';

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
  const [{ text = '' } = {}, next, name, after] = tokens.slice(i, i + 4);
  if (next?.text === '(') return TWINS.get(text);
  const twin = next?.text === '.' && after?.text === '(' ? capitalised(text) : undefined;
  if (twin === undefined || !NAMESPACES.get(twin)?.functions.has(name?.text ?? '')) return undefined;
  const before = tokens[i - 1]?.text;
  const selected = before === '.' ? selects(tokens, i - 1) : before === '?' && tokens[i - 2]?.text === '.';
  return selected ? undefined : twin;
}

/** What is followed by an opening parenthesis: the names of calls, and no names. */
function calls(tokens: readonly Token[]): Token[] {
  return tokens.filter((_, i) => tokens[i + 1]?.text === '(');
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
