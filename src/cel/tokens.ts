/** A token of CEL. Comments and white space are not tokens. A prefix is part of its string. */
export interface Token {
  readonly text: string;

  /** The offset of the first character. */
  readonly start: number;

  /** The offset after the last character. */
  readonly end: number;
}

const SPACE = String.raw`(?:\s|//[^\n]*)+`;
const STRING = [`"""`, `'''`, `"`, `'`].map(quoted).join('|');
const WORD = String.raw`[A-Za-z_]\w*`;
const NUMBER = String.raw`0[xX][\dA-Fa-f]+[uU]?|\d+(?:\.\d+)?(?:[eE][-+]?\d+)?[uU]?`;
const SYMBOL = String.raw`[=!<>]=|&&|\|\||[^]`;

/** Matches white space, or a token as the first group. */
const TOKEN = new RegExp(`${SPACE}|([bBrR]?(?:${STRING})|${WORD}|${NUMBER}|${SYMBOL})`, 'gu');

/** Matches a token before a selecting dot: the end of an operand, or a dot. No name starts with a second dot. */
const OPERAND = /^[\w"')\]}.]/;

/** The change of the bracket depth at a token. */
export const BRACKET_DEPTH: Readonly<Record<string, 1 | -1>> = { '(': 1, '[': 1, '{': 1, ')': -1, ']': -1, '}': -1 };

/** Splits an expression into tokens. Never fails: an invalid character becomes a token, which the parser rejects. */
export function tokenize(expression: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const { 1: text, index } of expression.matchAll(TOKEN)) {
    if (text !== undefined) tokens.push({ text, start: index, end: index + text.length });
  }
  return tokens;
}

/** Reports whether a dot, or a dot with a question mark, follows an operand. */
export function isSelection(tokens: readonly Token[], i: number): boolean {
  const before = tokens[i - 1]?.text ?? '';
  if (before === '?') return tokens[i - 2]?.text === '.';
  return OPERAND.test(before) && before !== 'in';
}

/** After a backslash, the next character does not end the string, even in a raw string. */
function quoted(delimiter: string): string {
  const plain = delimiter.length === 1 ? `[^${delimiter}\\\\\\n\\r]` : `(?!${delimiter})[^\\\\]`;
  return `${delimiter}(?:\\\\[^]|${plain})*${delimiter}`;
}
