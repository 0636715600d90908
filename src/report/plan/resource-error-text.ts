import type { Diagnostic } from '../../base/diagnostic';
import { joinNames, pluralize } from '../../base/text';

/** Formats how many resources have errors, and what becomes of them. Empty if none has. */
export function formatFaultVerdict(problems: readonly Diagnostic[]): string[] {
  if (problems.length === 0) return [];
  return [`Refused: ${pluralize(problems.length, 'error')}; ${describeKept(problems)}`];
}

/** Formats what becomes of resources with errors, where a verdict below counts the errors. Empty if none has. */
export function formatFaultEffect(problems: readonly Diagnostic[]): string[] {
  return problems.length === 0 ? [] : [describeKept(problems)];
}

function describeKept(problems: readonly Diagnostic[]): string {
  const names = [...new Set(problems.flatMap(({ subject }) => subject ?? []))];
  const stay = names.length === 1 ? 'stays as it is' : 'stay as they are';
  return `${joinNames(names)} ${stay} until corrected.`;
}

/** Formats that `--only` leaves out errors of other resources. Empty if they have none. */
export function formatOtherFaults(count: number): string[] {
  return count === 0 ? [] : [`${pluralize(count, 'error')} of other resources: leave out --only to see them.`];
}
