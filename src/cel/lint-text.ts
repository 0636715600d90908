import { type Fault, report } from './fault';
import type { Token } from './tokens';
import { strayTwin } from './twins';

/** Kubernetes' limit for the length of a selector, in bytes of UTF-8. */
const MOST_BYTES = 10 * 1024;

const EQUALITIES = new Set(['==', '!=']);
const RELATIONS = new Set(['<', '<=', '>', '>=', 'in']);
const LOOSER = new Set(['&&', '||', '?', ':', ',']);
const DEPTH: Readonly<Record<string, 1 | -1>> = { '(': 1, '[': 1, '{': 1, ')': -1, ']': -1, '}': -1 };

/** The checks of a selector that need no syntax tree. Throws a `SelectorError` for the first fault. */
export function lintText(expression: string, tokens: readonly Token[]): void {
  report(
    expression,
    tooLong(expression) ??
      twin(tokens) ??
      deviceIndex(tokens) ??
      precedence(tokens) ??
      nestedChoice(tokens) ??
      lastComma(tokens),
  );
}

function tooLong(expression: string): Fault | undefined {
  const bytes = new TextEncoder().encode(expression).length;
  if (bytes <= MOST_BYTES) return undefined;
  return { offset: 0, what: `the selector has ${bytes} bytes, and Kubernetes takes at most ${MOST_BYTES}` };
}

function twin(tokens: readonly Token[]): Fault | undefined {
  const stray = strayTwin(tokens);
  return stray && { offset: stray.start, what: `there is no function '${stray.text}'` };
}

/** The library lets fields of a message be indexed, `device["driver"]`; CEL does not. */
function deviceIndex(tokens: readonly Token[]): Fault | undefined {
  const found = tokens.find(
    ({ text }, i) => text === 'device' && tokens[i - 1]?.text !== '.' && tokens[i + 1]?.text === '[',
  );
  if (!found) return undefined;
  return { offset: found.start, what: "'device' cannot be indexed", hint: 'Write device.driver, with a dot' };
}

/**
 * CEL reads `a == b in c` as `(a == b) in c`, the library as `a == (b in c)`. What they read in the same way
 * has parentheses, or the equality last.
 */
function precedence(tokens: readonly Token[]): Fault | undefined {
  for (const [i, { text }] of tokens.entries()) {
    if (!EQUALITIES.has(text)) continue;
    const relation = nextRelation(tokens, i);
    if (!relation) continue;
    const what = `'${relation.text}' behind '${text}' needs parentheses: both bind equally in CEL`;
    return {
      offset: relation.start,
      what,
      hint: 'Put parentheses around the part that is meant to come first',
    };
  }
  return undefined;
}

/** The first relation behind a token, in the same operand of `&&`, `||`, `?:` and the same brackets. */
function nextRelation(tokens: readonly Token[], from: number): Token | undefined {
  let depth = 0;
  for (let i = from + 1; i < tokens.length && depth >= 0; i++) {
    const token = tokens[i];
    if (!token) break;
    depth += DEPTH[token.text] ?? 0;
    if (depth !== 0) continue;
    if (RELATIONS.has(token.text)) return token;
    if (LOOSER.has(token.text) && tokens[i - 1]?.text !== '.') break;
  }
  return undefined;
}

/** CEL's grammar has no `a ? b ? c : d : e`: what stands between `?` and `:` is no choice without parentheses. */
function nestedChoice(tokens: readonly Token[]): Fault | undefined {
  const open: string[] = [];
  for (const [i, { text, start }] of tokens.entries()) {
    if (DEPTH[text] === 1) open.push(text);
    else if (DEPTH[text] === -1) while (open.length > 0 && open.pop() === '?');
    else if (text === ':' && open.at(-1) === '?') open.pop();
    else if (text === '?' && tokens[i - 1]?.text !== '.' && tokens[i - 1]?.text !== '[') {
      if (open.at(-1) === '?') {
        const what = "'?' between '?' and ':' needs parentheses";
        return { offset: start, what, hint: 'Put parentheses around the inner choice' };
      }
      open.push('?');
    }
  }
  return undefined;
}

/** The library lets a comma stand behind the last argument; CEL does so in lists and maps alone. */
function lastComma(tokens: readonly Token[]): Fault | undefined {
  const found = tokens.find(({ text }, i) => text === ',' && tokens[i + 1]?.text === ')');
  return found && { offset: found.start, what: "there is no argument behind ','", hint: 'Remove the comma' };
}
