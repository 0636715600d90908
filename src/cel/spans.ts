import type { Node } from './syntax';
import type { Token } from './tokens';

/** Offsets of a part in an expression: of its first character, and behind its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The part of an expression that a node stands for. The library leaves parentheses out, and so its own part of
 * `(a) == b` is `a) == b`; parentheses that a part needs are taken in here.
 */
export function spanOf({ start, end }: Node, tokens: readonly Token[]): Span {
  const first = tokens.findIndex((token) => token.start >= start);
  const last = tokens.findLastIndex((token) => token.end <= end);
  let depth = 0;
  let unopened = 0;
  for (const { text } of tokens.slice(first, last + 1)) {
    depth += text === '(' ? 1 : text === ')' ? -1 : 0;
    unopened = Math.max(unopened, -depth);
  }
  const unclosed = depth + unopened;
  return { start: tokens[first - unopened]?.start ?? start, end: tokens[last + unclosed]?.end ?? end };
}
