import { checkedNode } from './checked-node';
import { type Node, nodesOf } from './syntax';
import { selects, type Token } from './tokens';

/** An expression in the spelling of the library, as long as it was. */
export interface Respelled {
  readonly text: string;

  /** Numbers that the library cannot read, by their place. An integer stands there. */
  readonly numbers: ReadonlyMap<number, number>;
}

/** What takes the place of some characters. */
interface Change {
  readonly start: number;
  readonly text: string;
  readonly number?: number;
}

/**
 * What CEL may write and the library does not read: `.5`, names with a dot in front, a comma alone in brackets, and
 * `!!`, which CEL drops whatever stands behind it.
 */
export function respell(expression: string, tokens: readonly Token[]): Respelled {
  const changes = tokens.flatMap(
    (_, i) => loneComma(tokens, i) ?? doubleNot(tokens, i) ?? leadingDot(tokens, i) ?? [],
  );
  let text = expression;
  for (const { start, text: other } of changes) {
    text = text.slice(0, start) + other + text.slice(start + other.length);
  }
  const numbers = changes.flatMap(({ start, number }) =>
    number === undefined ? [] : [[start, number] as const],
  );
  return { text, numbers: new Map(numbers) };
}

/** Puts numbers where integers stood in for them. */
export function putNumbers(root: Node, numbers: Respelled['numbers']): void {
  if (numbers.size === 0) return;
  for (const node of nodesOf(root)) {
    const number = node.op === 'value' ? numbers.get(node.start) : undefined;
    if (number !== undefined) Object.assign(checkedNode(node), { args: number });
  }
}

const CLOSING: Readonly<Record<string, string>> = { '[': ']', '{': '}' };

/** `[,]` and `{,}` are empty. */
function loneComma(tokens: readonly Token[], i: number): Change | undefined {
  const [open, comma, close] = [tokens[i - 1], tokens[i], tokens[i + 1]];
  if (!open || comma?.text !== ',' || close?.text !== CLOSING[open.text]) return undefined;
  return { start: comma.start, text: ' ' };
}

/** `!` in front of an odd number of others. They take each other away in pairs. */
function doubleNot(tokens: readonly Token[], i: number): Change | undefined {
  if (tokens[i]?.text !== '!') return undefined;
  const { start } = tokens[i] as Token;
  let [first, last] = [i, i];
  while (tokens[first - 1]?.text === '!') first--;
  while (tokens[last + 1]?.text === '!') last++;
  const stays = (last - first) % 2 === 0 && i === first;
  return stays ? undefined : { start, text: ' ' };
}

const FRACTION = /^\d+(?:[eE][-+]?\d+)?$/;
const NAME = /^(?!(?:true|false|null|in)$)[A-Za-z_]/;

/** Macros that declare variables. One whose name begins with a dot can never be read. */
const DECLARING = new Set(
  'all exists exists_one existsOne map filter transformList transformMap transformMapEntry sortBy bind optMap optFlatMap'.split(
    ' ',
  ),
);

function leadingDot(tokens: readonly Token[], i: number): Change | undefined {
  const [dot, name, after] = tokens.slice(i, i + 3);
  if (dot?.text !== '.' || !name || selects(tokens, i)) return undefined;
  const { start, end } = dot;
  if (FRACTION.test(name.text) && name.start === end) {
    return { start, text: '1'.repeat(name.text.length + 1), number: Number(`.${name.text}`) };
  }
  if (!NAME.test(name.text) || isMacro(name, after)) return undefined;
  const declares = after?.text === ',' && DECLARING.has(callAround(tokens, i)) && name.start === end;
  return { start, text: declares ? '_' : ' ' };
}

/** The macros that no receiver stands before. With a dot in front CEL takes them for functions, which there are none of. */
function isMacro(name: Token, after: Token | undefined): boolean {
  return (name.text === 'has' && after?.text === '(') || (name.text === 'cel' && after?.text === '.');
}

/** The name of the call whose arguments a token stands in; nothing where it stands in none. */
function callAround(tokens: readonly Token[], i: number): string {
  let depth = 0;
  for (let k = i - 1; k >= 0; k--) {
    const { text } = tokens[k] as Token;
    if (')]}'.includes(text)) depth++;
    else if ('([{'.includes(text) && depth-- === 0) return text === '(' ? (tokens[k - 1]?.text ?? '') : '';
  }
  return '';
}
