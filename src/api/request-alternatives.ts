import type { Path } from './resource';
import { readWhere, type Where } from './select/where';

/** A selector of a request or of one of its alternatives, in CEL. */
export interface RequestSelector {
  readonly cel: string;

  /** Where it is written, from the request or alternative. */
  readonly path: Path;
}

interface SelectorFields {
  readonly where?: Where | undefined;
  readonly selectors: readonly { readonly cel: string }[];
}

/** The selectors of a request or alternative: what `where` stands for, then those written in CEL. */
export function celSelectorsOf({ where, selectors }: SelectorFields): RequestSelector[] {
  const written = selectors.map(({ cel }, index) => ({ cel, path: ['selectors', index, 'cel'] }));
  if (where === undefined) return written;
  const reading = readWhere(where);
  // The schema has seen to it.
  if ('findings' in reading) throw new Error('bug: a where that says nothing passed its rules');
  return [{ cel: reading.condition.cel, path: ['where'] }, ...written];
}

/** A request for devices, as far as numbers go. */
interface CountedRequest {
  readonly count: number;
  readonly firstAvailable: readonly { readonly count: number }[];
}

/** The fewest devices with which a request is met: those of its smallest alternative. */
export function minDevicesOf({ count, firstAvailable }: CountedRequest): number {
  return firstAvailable.length > 0 ? Math.min(...firstAvailable.map((one) => one.count)) : count;
}
