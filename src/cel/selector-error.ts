import type { Diagnostic } from '../base/diagnostic';

/** A position in an expression: line and column, both from 1. */
interface SelectorPosition {
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

/** Throws a diagnostic as a {@link SelectorError}. Does nothing without one. */
export function throwFault(expression: string, fault: Diagnostic<number> | undefined): void {
  if (fault) throw new SelectorError(fault.message, positionOf(expression, fault.at), fault.hint);
}
