import { placeOf, SelectorError } from './selector-error';

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
export function report(expression: string, fault: Fault | undefined): void {
  if (fault) throw new SelectorError(fault.what, placeOf(expression, fault.offset), fault.hint);
}
