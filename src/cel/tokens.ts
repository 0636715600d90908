/** A token of CEL. Comments and white space are between tokens; a prefix belongs to its string. */
export interface Token {
  readonly text: string;

  /** Offset of the first character. */
  readonly start: number;

  /** Offset behind the last character. */
  readonly end: number;
}

const SPACE = String.raw`(?:\s|//[^\n]*)+`;
const STRING = [`"""`, `'''`, `"`, `'`].map(quoted).join('|');
const WORD = String.raw`[A-Za-z_]\w*`;
const NUMBER = String.raw`0[xX][\dA-Fa-f]+[uU]?|\d+(?:\.\d+)?(?:[eE][-+]?\d+)?[uU]?`;
const SYMBOL = String.raw`[=!<>]=|&&|\|\||[^]`;

/** White space, or a token as the first group. */
const TOKEN = new RegExp(`${SPACE}|([bBrR]?(?:${STRING})|${WORD}|${NUMBER}|${SYMBOL})`, 'gu');

/** What stands in front of a dot that selects: the end of an operand. Behind another dot no name may begin with one. */
const OPERAND = /^[\w"')\]}.]/;

/**
 * Splits an expression into tokens. Never fails: what is no token of CEL is one character, and left to the parser
 * to reject.
 */
export function tokenize(expression: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const { 1: text, index } of expression.matchAll(TOKEN)) {
    if (text !== undefined) tokens.push({ text, start: index, end: index + text.length });
  }
  return tokens;
}

/** Whether a dot, or one with a question mark, stands behind an operand. */
export function isSelection(tokens: readonly Token[], i: number): boolean {
  const before = tokens[i - 1]?.text ?? '';
  if (before === '?') return tokens[i - 2]?.text === '.';
  return OPERAND.test(before) && before !== 'in';
}

/** A string between two of a delimiter. A backslash keeps the next character from ending it, even in a raw one. */
function quoted(delimiter: string): string {
  const plain = delimiter.length === 1 ? `[^${delimiter}\\\\\\n\\r]` : `(?!${delimiter})[^\\\\]`;
  return `${delimiter}(?:\\\\[^]|${plain})*${delimiter}`;
}
