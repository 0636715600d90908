import { formatCount } from '../../base/figures';
import { formatCode } from '../document/write-markdown';

/** The most subjects that a clause names. */
export const MAX_NAMES = 3;

/** The most clauses of one kind. */
const MAX_CLAUSES = 3;

/** The first clauses of one kind, and one for the rest. */
export function limitClauses(clauses: readonly string[], rest: string): string[] {
  return clauses.length > MAX_CLAUSES ? [...clauses.slice(0, MAX_CLAUSES - 1), rest] : [...clauses];
}

/** `a`, `a and b`, `a, b and c`. */
export function joinAnd(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** Joins the clauses of a sentence. */
export function joinClauses(clauses: readonly string[]): string {
  return clauses.length < 2 ? clauses.join('') : `${clauses.slice(0, -1).join(', ')}, and ${clauses.at(-1)}`;
}

/** The names of services in code, or their number. */
export function joinServices(names: readonly string[]): string {
  return names.length > MAX_NAMES ? `${formatCount(names.length)} services` : joinAnd(names.map(formatCode));
}
