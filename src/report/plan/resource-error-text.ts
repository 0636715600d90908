import type { Diagnostic } from '../../base/diagnostic';
import { joinNames, pluralize } from '../../base/text';

/** Formats how many resources have errors, and what becomes of them. Empty if none has. */
export function formatFaultVerdict(problems: readonly Diagnostic[]): string[] {
  if (problems.length === 0) return [];
  const names = [...new Set(problems.flatMap(({ subject }) => subject ?? []))];
  const stay = names.length === 1 ? 'stays as it is' : 'stay as they are';
  return [`Refused: ${pluralize(problems.length, 'error')}; ${joinNames(names)} ${stay} until corrected.`];
}

/** Formats that `--only` leaves out errors of other resources. Empty if they have none. */
export function formatOtherFaults(count: number): string[] {
  return count === 0 ? [] : [`${pluralize(count, 'error')} of other resources: leave out --only to see them.`];
}
