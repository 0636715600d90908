import type { Diagnostic } from '../../base/diagnostic';
import type { DiagnosticCode } from '../../base/diagnostic-codes';
import type { PolicyDiagnostic } from '../../fleet/policy';
import type { Plan } from '../../plan/plan';

/** The warnings and notes of a plan. */
export type WarningsAndNotes = Pick<Plan, 'warnings' | 'notes'>;

/** The warnings and notes that an earlier state does not have. */
export function findFreshRemarks({ warnings, notes }: WarningsAndNotes, earlier: WarningsAndNotes): WarningsAndNotes {
  const known = new Set(earlier.warnings.map(textOf));
  return {
    warnings: warnings.filter((warning) => !known.has(textOf(warning))),
    notes: notes.filter((note) => !earlier.notes.includes(note)),
  };
}

/** What a comment says apart from warnings. */
interface Said {
  readonly earlierWarnings: readonly Diagnostic[];

  /** What the gate refuses. */
  readonly refused?: readonly Diagnostic[];
}

/** Splits warnings into those that a change brings, without what the comment says elsewhere, and those known before. */
export function splitWarnings({ warnings }: Pick<Plan, 'warnings'>, { earlierWarnings, refused = [] }: Said) {
  const before = new Set(earlierWarnings.map(textOf));
  const isSaid = ({ at, code }: Diagnostic): boolean =>
    refused.some((one) => one.at === at && REPEATED_BY_GATE[code] === one.code);
  return {
    fresh: warnings.filter((warning) => !before.has(textOf(warning)) && !isSaid(warning)),
    known: warnings.filter((warning) => before.has(textOf(warning))),
  };
}

/** Warnings that the gate repeats at their line, by the code that it gives them. What else it refuses there is no repetition. */
const REPEATED_BY_GATE: Readonly<Partial<Record<string, DiagnosticCode>>> = {
  'unserved-entry': 'entry-lost',
  'gateway-down': 'gateway-down',
  'independent-clusters': 'outage',
  'model-swapped': 'model-swapped',
  'gated-model': 'gated-model',
};

/** The findings of policies that an earlier state does not have, with the same effect. */
export function findFreshPolicies(
  findings: readonly PolicyDiagnostic[],
  earlier: readonly PolicyDiagnostic[],
): { readonly fresh: readonly PolicyDiagnostic[]; readonly known: readonly PolicyDiagnostic[] } {
  const before = new Set(earlier.map(keyOfPolicy));
  return {
    fresh: findings.filter((one) => !before.has(keyOfPolicy(one))),
    known: findings.filter((one) => before.has(keyOfPolicy(one))),
  };
}

/** Without the hint, which has the position of the rule. */
function keyOfPolicy({ rule, severity, message }: PolicyDiagnostic): string {
  return `${rule}\n${severity}\n${message}`;
}

/** A warning without its position, because lines above it move it. */
function textOf({ code, subject, message, hint }: Diagnostic): string {
  return `${code}\n${subject ?? ''}\n${message}\n${hint ?? ''}`;
}
