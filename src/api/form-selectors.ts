import { readWhere, type Where } from '../select/where';
import type { Path } from './resource';

/** A selector of a request or of one of its alternatives, in CEL. */
export interface FormSelector {
  readonly cel: string;

  /** Where it is written, from the request or alternative. */
  readonly path: Path;
}

interface Form {
  readonly where?: Where | undefined;
  readonly selectors: readonly { readonly cel: string }[];
}

/** The selectors of a request or alternative: what `where` stands for, then those written in CEL. */
export function formSelectors({ where, selectors }: Form): FormSelector[] {
  const written = selectors.map(({ cel }, index) => ({ cel, path: ['selectors', index, 'cel'] }));
  if (where === undefined) return written;
  const reading = readWhere(where);
  // The schema has seen to it.
  if ('findings' in reading) throw new Error('bug: a where that says nothing passed its rules');
  return [{ cel: reading.condition.cel, path: ['where'] }, ...written];
}
