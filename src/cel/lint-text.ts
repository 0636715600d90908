import { type Fault, report } from './fault';
import type { Token } from './tokens';
import { strayTwin } from './twins';

/** Kubernetes' limit for the length of a selector, in bytes of UTF-8. */
const MOST_BYTES = 10 * 1024;

const DEPTH: Readonly<Record<string, 1 | -1>> = { '(': 1, '[': 1, '{': 1, ')': -1, ']': -1, '}': -1 };

/** The checks of a selector that need no syntax tree. Throws a `SelectorError` for the first fault. */
export function lintText(expression: string, tokens: readonly Token[]): void {
  report(
    expression,
    tooLong(expression) ?? twin(tokens) ?? deviceIndex(tokens) ?? nestedChoice(tokens) ?? lastComma(tokens),
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
