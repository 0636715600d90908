import type { Diagnostic } from '../../base/diagnostic';
import { errorAt } from '../../base/diagnostic';
import type { GateFinding } from '../../diff/gate-findings';
import { CITE_IN_FULL } from './change-sentences';
import { type CrowdedFinding, findCrowded } from './crowded-findings';
import type { Located } from './finding-descriptions';
import { describeGateFindings, formatRefusalText, type RefusalText, toGateProblems } from './gate-text';
import { findUnplaced, type RefusedChange, type UnplacedFinding, whereOfUnplaced } from './unplaced-findings';
import { describeUnplaced } from './unplaced-sentences';

/** What fails a change. What happens to the same replicas for the same edits is one problem. */
export interface Refusals {
  /** Replicas without a place. */
  readonly unplaced: readonly UnplacedFinding[];

  /** Surges that lose their room because a pool gets fewer nodes. */
  readonly crowded: readonly CrowdedFinding[];

  /** Errors of resources, without those above. */
  readonly errors: readonly Diagnostic[];

  /** What else the gate refuses. */
  readonly findings: readonly GateFinding[];
}

export function collectRefusals(change: RefusedChange): Refusals {
  const unplaced = findUnplaced(change);
  const said = new Set(unplaced.flatMap(({ findings }) => findings));
  const crowded = findCrowded(change.problems, change.diff);
  const own = new Set([
    ...unplaced.flatMap(({ deployments }) => deployments.flatMap(({ error }) => error ?? [])),
    ...crowded.flatMap(({ errors }) => errors),
  ]);
  return {
    unplaced,
    crowded,
    errors: change.problems.filter((one) => !own.has(one)),
    findings: change.findings.filter((one) => !said.has(one)),
  };
}

/** What fails a change besides what its own states show. */
interface FurtherProblems {
  readonly removal: boolean;

  /** The findings of policies that deny it. */
  readonly denied: number;
}

/** Counts the problems that fail a change. */
export function countProblems(refusals: Refusals, located: Located, { removal, denied }: FurtherProblems): number {
  const { unplaced, crowded, errors, findings } = refusals;
  const refused = describeGateFindings(findings, located).length;
  return unplaced.length + crowded.length + errors.length + refused + denied + (removal ? 1 : 0);
}

/** Formats what the gate refuses, as sentences without the last full stop. */
export function formatRefusals(refusals: Refusals, located: Located, diff: RefusedChange['diff']): string[] {
  const unplaced = refusals.unplaced.filter(({ findings }) => findings.length > 0);
  const texts = [
    ...unplaced.map((one) => toRefusalText(one, located, diff)),
    ...describeGateFindings(refusals.findings, located),
  ];
  return texts.map(formatRefusalText);
}

function toRefusalText(
  finding: UnplacedFinding,
  { cite = CITE_IN_FULL }: Located,
  diff: RefusedChange['diff'],
): RefusalText {
  const { what, hint, why, steps } = describeUnplaced(finding, { ...cite, diff });
  return { what, hint: [hint, ...steps.map((step) => step.replace(/\.$/, '')), `Why: ${why}`].join('. ') };
}

/** Returns what the gate refuses as errors, each at the line that causes it. */
export function toRefusalProblems(refusals: Refusals, located: Located, diff: RefusedChange['diff']): Diagnostic[] {
  const unplaced = refusals.unplaced.filter(({ findings }) => findings.length > 0);
  const problems = unplaced.flatMap((finding): Diagnostic[] => {
    const [where] = finding.deployments.flatMap((one) => whereOfUnplaced(one, located) ?? []);
    const { what, hint } = toRefusalText(finding, located, diff);
    return where === undefined ? [] : [errorAt('outage', where, what, hint)];
  });
  return [...problems, ...toGateProblems(refusals.findings, located)];
}
