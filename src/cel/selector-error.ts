/** A position in an expression: line and column, both from 1. */
export interface SelectorPosition {
  readonly line: number;
  readonly column: number;
}

/**
 * An error in a selector that does not compile.
 *
 * The message and the hint are clauses without a full stop. The hint says what to write instead.
 */
export class SelectorError extends Error {
  readonly line: number;
  readonly column: number;
  readonly hint?: string;

  constructor(message: string, { line, column }: SelectorPosition, hint?: string) {
    super(message);
    this.name = 'SelectorError';
    this.line = line;
    this.column = column;
    if (hint !== undefined) this.hint = hint;
  }
}

/** Converts an offset to a line and a column. */
export function positionOf(expression: string, offset: number): SelectorPosition {
  const before = expression.slice(0, offset);
  return { line: before.split('\n').length, column: offset - (before.lastIndexOf('\n') + 1) + 1 };
}

/** A fault that Kubernetes rejects, and that the CEL library accepts or finds only during evaluation. */
export interface Fault {
  /** The offset in the expression. */
  readonly offset: number;

  /** A description of the fault, as a clause. */
  readonly what: string;

  /** The fix, as a clause. */
  readonly hint?: string;
}

/** Throws a fault as a {@link SelectorError}. Does nothing without a fault. */
export function throwFault(expression: string, fault: Fault | undefined): void {
  if (fault) throw new SelectorError(fault.what, positionOf(expression, fault.offset), fault.hint);
}
