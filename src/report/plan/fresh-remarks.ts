import type { Diagnostic } from '../../base/diagnostic';
import type { DiagnosticCode } from '../../base/diagnostic-codes';
import type { Plan } from '../../plan/plan';

/** The warnings and notes of a plan. */
export type Remarks = Pick<Plan, 'warnings' | 'notes'>;

/** The warnings and notes that an earlier state does not have. */
export function findFreshRemarks({ warnings, notes }: Remarks, earlier: Remarks): Remarks {
  const known = new Set(earlier.warnings.map(textOf));
  return {
    warnings: warnings.filter((warning) => !known.has(textOf(warning))),
    notes: notes.filter((note) => !earlier.notes.includes(note)),
  };
}

/** What a comment says apart from warnings. */
interface Said {
  readonly earlierWarnings: readonly Diagnostic[];

  /** The positions of what the gate refuses. */
  readonly refusedAt?: readonly string[];
}

/** Splits warnings into those that a change brings, without what the comment says elsewhere, and those known before. */
export function splitWarnings({ warnings }: Pick<Plan, 'warnings'>, { earlierWarnings, refusedAt }: Said) {
  const before = new Set(earlierWarnings.map(textOf));
  const refused = new Set(refusedAt);
  const isSaid = (one: Diagnostic): boolean => refused.has(one.at) && REPEATED_BY_GATE.has(one.code);
  return {
    fresh: warnings.filter((warning) => !before.has(textOf(warning)) && !isSaid(warning)),
    known: warnings.filter((warning) => before.has(textOf(warning))),
  };
}

/** Warnings that the gate repeats where it refuses a change. Others at the same line say something else. */
const REPEATED_BY_GATE: ReadonlySet<string> = new Set<DiagnosticCode>([
  'unserved-entry',
  'gateway-down',
  'independent-clusters',
  'model-swapped',
  'gated-model',
]);

/** A warning without its position, because lines above it move it. */
function textOf({ code, message, hint }: Diagnostic): string {
  return `${code}\n${message}\n${hint ?? ''}`;
}
