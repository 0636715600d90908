import type { Diagnostic } from '../../base/diagnostic';
import type { DiagnosticCode } from '../../base/diagnostic-codes';
import type { DeclarationChange } from '../../diff/declaration-changes';

const SELECTS_NOTHING: DiagnosticCode = 'selects-nothing';

/**
 * Replaces hints that suggest a label which the change itself introduces: a service that selects nothing, because a
 * deployment lost the label, is not the one that is misspelled.
 */
export function explainLostLabels(
  problems: readonly Diagnostic[],
  declarations: readonly DeclarationChange[],
): Diagnostic[] {
  const steps = declarations.flatMap(({ id, fields }) =>
    fields.flatMap(({ path, before, after, where }) => {
      const [key, parent] = [path.at(-1), path.at(-2)];
      if (parent !== 'labels' || typeof before !== 'string' || typeof after !== 'string') return [];
      return [{ hint: `Did you mean ${key}: ${after}`, cause: `${id} lost ${key}=${before} (${where})` }];
    }),
  );
  return problems.map((problem) => {
    const step =
      problem.code === SELECTS_NOTHING
        ? steps.find(({ hint }) => [`${hint}?`, `${hint}, or `].some((start) => problem.hint?.startsWith(start)))
        : undefined;
    return step ? { ...problem, hint: step.cause } : problem;
  });
}
