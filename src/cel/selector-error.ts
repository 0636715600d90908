/** Something wrong in an expression. The message and the hint are clauses without a full stop. */
export interface SyntaxFault {
  /** The offset in the expression. */
  readonly at: number;
  readonly message: string;

  /** What to write instead. */
  readonly hint?: string | undefined;
}

export function faultAt(at: number, message: string, hint?: string): SyntaxFault {
  return { at, message, hint };
}

/** An error in a selector that does not compile. Line and column count from 1. */
export class SelectorError extends Error {
  readonly line: number;
  readonly column: number;
  readonly hint?: string;

  constructor(expression: string, { at, message, hint }: SyntaxFault) {
    super(message);
    this.name = 'SelectorError';
    const before = expression.slice(0, at);
    this.line = before.split('\n').length;
    this.column = at - before.lastIndexOf('\n');
    if (hint !== undefined) this.hint = hint;
  }
}

/** Throws a fault as a {@link SelectorError}. Does nothing without one. */
export function throwFault(expression: string, fault: SyntaxFault | undefined): void {
  if (fault) throw new SelectorError(expression, fault);
}
