/** A place in an expression: line and column, both from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/**
 * A selector that does not compile.
 *
 * The message is a clause without a full stop, and so is the hint, which says what to write instead.
 */
export class SelectorError extends Error {
  readonly line: number;
  readonly column: number;
  readonly hint?: string;

  constructor(message: string, { line, column }: Place, hint?: string) {
    super(message);
    this.name = 'SelectorError';
    this.line = line;
    this.column = column;
    if (hint !== undefined) this.hint = hint;
  }
}

/** The place of an offset. */
export function placeOf(expression: string, offset: number): Place {
  const before = expression.slice(0, offset);
  return { line: before.split('\n').length, column: offset - (before.lastIndexOf('\n') + 1) + 1 };
}
