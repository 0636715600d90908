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
const TWIN_CALL = new RegExp(String.raw`\b(?:${[...ORIGINALS.keys()].join('|')})(?=\()`, 'g');

/** The expression with every call of a twinned function renamed. */
export function withTwins(expression: string, tokens: readonly Token[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const { text, start, end } of calls(tokens)) {
    parts.push(expression.slice(done, start), TWINS.get(text) ?? text);
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
  return message.replace(TWIN_CALL, originalName);
}

/** What is followed by an opening parenthesis: the names of calls, and no names. */
function calls(tokens: readonly Token[]): Token[] {
  return tokens.filter((_, i) => tokens[i + 1]?.text === '(');
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
