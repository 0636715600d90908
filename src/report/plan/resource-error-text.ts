import type { Diagnostic } from '../../base/diagnostic';
import { joinNames, pluralize } from '../../base/text';

/**
 * The errors that can be corrected, without those that only say that a listed error has to be corrected first: a
 * service whose deployment has an error.
 */
export function listCauses(problems: readonly Diagnostic[]): readonly Diagnostic[] {
  const subjects = namesOf(problems.filter(({ code }) => code !== 'set-aside'));
  return problems.filter(({ code, message }) => code !== 'set-aside' || !subjects.some((id) => message.includes(id)));
}

/** Formats how many resources have errors, and what becomes of them. Empty if none has. */
export function formatFaultVerdict(problems: readonly Diagnostic[]): string[] {
  if (problems.length === 0) return [];
  return [`Refused: ${pluralize(listCauses(problems).length, 'error')}; ${describeKept(problems)}`];
}

/** Formats what becomes of resources with errors, where a verdict below counts the errors. Empty if none has. */
export function formatFaultEffect(problems: readonly Diagnostic[]): string[] {
  return problems.length === 0 ? [] : [describeKept(problems)];
}

/** Whether a resource with an error is rendered all the same. */
function isApplied({ code }: Diagnostic): boolean {
  return code === 'shrunk-volume';
}

/** The resources that stay as they are until their errors are corrected: `ModelDeployment ml/chat`. */
export function listKept(problems: readonly Diagnostic[]): string[] {
  return namesOf(problems.filter((one) => !isApplied(one)));
}

function namesOf(problems: readonly Diagnostic[]): string[] {
  return [...new Set(problems.flatMap(({ subject }) => subject ?? []))];
}

function describeKept(problems: readonly Diagnostic[]): string {
  const [kept, shrunk] = [listKept(problems), namesOf(problems.filter(isApplied))];
  const stay = kept.length === 1 ? 'stays as it is' : 'stay as they are';
  // What is rendered has the smaller volume: only the API server refuses it.
  const volumes = shrunk.length === 1 ? 'volume' : 'volumes';
  return [
    ...(kept.length > 0 ? [`${joinNames(kept)} ${stay} until corrected.`] : []),
    ...(problems.some(isApplied)
      ? [
          `Kubernetes refuses the smaller ${volumes} of ${joinNames(shrunk) || 'caches'}, and applies the rest of the change.`,
        ]
      : []),
  ].join(' ');
}

/**
 * Says that a declaration is refused, so that what is shown of it is the earlier one. Empty if it has no error.
 *
 * @param id the ID of its resource: `ModelDeployment ml/chat`
 */
export function formatRefusedDeclaration(id: string, problems: readonly Diagnostic[]): string[] {
  const [first, ...others] = problems.filter(({ subject }) => subject === id);
  if (!first) return [];
  const more = others.length > 0 ? `, and ${pluralize(others.length, 'more error')}` : '';
  return [`${id.slice(id.indexOf(' ') + 1)}: refused: ${first.message}${more}; below is what runs today`];
}

/** Formats that `--only` leaves out errors of other resources. Empty if they have none. */
export function formatOtherFaults(count: number): string[] {
  return count === 0 ? [] : [`${pluralize(count, 'error')} of other resources: leave out --only to see them.`];
}
