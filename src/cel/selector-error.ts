/** A place in an expression: line and column, both from 1. */
export interface SelectorPosition {
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

  constructor(message: string, { line, column }: SelectorPosition, hint?: string) {
    super(message);
    this.name = 'SelectorError';
    this.line = line;
    this.column = column;
    if (hint !== undefined) this.hint = hint;
  }
}

/** The place of an offset. */
export function positionOf(expression: string, offset: number): SelectorPosition {
  const before = expression.slice(0, offset);
  return { line: before.split('\n').length, column: offset - (before.lastIndexOf('\n') + 1) + 1 };
}

/** Something that Kubernetes rejects, and that the CEL library accepts or finds only when it runs. */
export interface Fault {
  /** Where it is in the expression. */
  readonly offset: number;

  /** What is wrong, as a clause. */
  readonly what: string;

  /** What to write instead, as a clause. */
  readonly hint?: string;
}

/** Throws a fault as a {@link SelectorError}, if there is one. */
export function throwFault(expression: string, fault: Fault | undefined): void {
  if (fault) throw new SelectorError(fault.what, positionOf(expression, fault.offset), fault.hint);
}
