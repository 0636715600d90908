import { readWhere, type Where } from './select/where';
import type { RequestSelector } from './select/selector-source';

interface SelectorFields {
  readonly where?: Where | undefined;
  readonly selectors: readonly { readonly cel: string }[];
}

/** The CEL selectors of a request or alternative: the translation of `where`, then `selectors`. */
export function celSelectorsOf({ where, selectors }: SelectorFields): RequestSelector[] {
  const written = selectors.map(({ cel }, index) => ({ cel, path: ['selectors', index, 'cel'] }));
  if (where === undefined) return written;
  const reading = readWhere(where);
  // The schema validates `where`.
  if ('findings' in reading) throw new Error('bug: a where that says nothing passed its rules');
  return [{ cel: reading.condition.cel, path: ['where'], where }, ...written];
}

interface CountedRequest {
  readonly count: number;
  readonly firstAvailable: readonly { readonly count: number }[];
}

/** The fewest devices that satisfy a request: those of its smallest alternative. */
export function minDevicesOf({ count, firstAvailable }: CountedRequest): number {
  return firstAvailable.length > 0 ? Math.min(...firstAvailable.map((one) => one.count)) : count;
}
