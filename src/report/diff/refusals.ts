import type { Diagnostic } from '../../base/diagnostic';
import { errorAt } from '../../base/diagnostic';
import { pluralize } from '../../base/text';
import type { GateFinding } from '../../diff/gate-findings';
import type { Remedy } from '../../scheduler/remedy';
import { CITE_IN_FULL, type CiteEdits } from './change-sentences';
import { type CrowdedFinding, findCrowded } from './crowded-findings';
import type { Located } from './finding-descriptions';
import { describeGateFindings, formatRefusalText, type RefusalText, subjectOf, toGateProblems } from './gate-text';
import { findNodesForGroup } from './group-nodes';
import {
  findUnplaced,
  listRemovedClusters,
  type RemedyOutcome,
  type RefusedChange,
  type UnplacedFinding,
  whereOfUnplaced,
  withoutRemedy,
} from './unplaced-findings';
import { describeFirstRemedy, describeUnplaced, findFirstRemedy } from './unplaced-sentences';

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

  /** Those of these findings that a remedy of replicas without a place settles too. */
  readonly settled: ReadonlyMap<GateFinding, SettlingRemedy>;

  /** What the gate refuses of these deployments once the first remedy gives their replicas a place. */
  readonly afterwards: ReadonlyMap<UnplacedFinding, readonly GateFinding[]>;

  /** The replicas that have no place once the first remedy gives these one. */
  readonly displaced: ReadonlyMap<UnplacedFinding, RemedyOutcome['displaced']>;

  /** The removed clusters that are drained first, so that replicas serve until they have their new places. */
  readonly drains: ReadonlyMap<UnplacedFinding, readonly string[]>;
}

/** The first remedy of replicas without a place. */
interface SettlingRemedy {
  readonly unplaced: UnplacedFinding;
  readonly remedy: Remedy;
}

export function collectRefusals(change: RefusedChange): Refusals {
  const unplaced = findUnplaced(change).map((one, i) => (i < MOST_TRIED ? offerHelpful(one, change) : one));
  const tried = tryRemedies(unplaced, change);
  const staying = new Set(tried.flatMap((one) => one.unplaced.findings.filter((finding) => stays(finding, one))));
  const said = new Set(unplaced.flatMap((one) => one.findings).filter((one) => !staying.has(one)));
  const crowded = findCrowded(change.problems, change.diff);
  const own = new Set([
    ...unplaced.flatMap(({ deployments }) => deployments.flatMap(({ error }) => error ?? [])),
    ...crowded.flatMap(({ errors }) => errors),
  ]);
  const findings = change.findings.filter((one) => !said.has(one));
  return {
    unplaced,
    crowded,
    errors: change.problems.filter((one) => !own.has(one)),
    findings,
    settled: findSettled(tried, findings),
    drains: new Map(tried.flatMap((one) => [[one.unplaced, listDrains(one, change)] as const])),
    displaced: new Map(tried.map((one) => [one.unplaced, one.displaced])),
    afterwards: new Map(tried.map((one) => [one.unplaced, findAfterwards(one, change)])),
  };
}

/**
 * What the gate refuses with a remedy, and did not refuse without it: of its deployments, and of others that it
 * restarts. Not of those that it leaves without a place, which is said.
 */
function findAfterwards(tried: TriedRemedy, { diff, findings }: RefusedChange): GateFinding[] {
  const isDrained = listDrains(tried, { diff }).length > 0;
  const own = listOwn(tried).filter((one) => !findings.some(isLike(one)) && !(isDrained && isDown(one)));
  const known = new Set([...listOwn(tried), ...findings].map(subjectOf));
  tried.displaced.forEach(({ deployment }) => known.add(deployment));
  return [...own, ...(tried.left ?? []).filter((one) => !known.has(subjectOf(one)))];
}

/** The removed clusters, where too few replicas serve before those elsewhere do. */
function listDrains(tried: TriedRemedy, { diff }: Pick<RefusedChange, 'diff'>): string[] {
  return listOwn(tried).some(isDown) ? listRemovedClusters(tried.unplaced, diff) : [];
}

function listOwn({ unplaced, left = [] }: TriedRemedy): GateFinding[] {
  const ids = new Set(unplaced.deployments.map(({ id }) => id));
  return left.filter((one) => ids.has(subjectOf(one)));
}

function isDown({ kind }: GateFinding): boolean {
  return kind === 'outage' || kind === 'too-few-serving';
}

/** What the gate refuses where a change declares the first remedy of replicas without a place too. */
interface TriedRemedy {
  readonly unplaced: UnplacedFinding;

  /** Absent: it is more nodes for replicas of several deployments, or for several replicas. */
  readonly remedy?: Remedy;

  /** Undefined: declarations alone do not make the remedy. */
  readonly left: readonly GateFinding[] | undefined;
  readonly displaced: RemedyOutcome['displaced'];
}

/** The most problems whose first remedy is tried, and further remedies of each: all is decided and compared again. */
const MOST_TRIED = 3;

/** Leaves out the first remedies with which replicas still have no place. */
function offerHelpful(unplaced: UnplacedFinding, change: RefusedChange, left = MOST_TRIED): UnplacedFinding {
  const { diff, trialOf, findMoreNodes } = change;
  const remedy = findNodesForGroup(unplaced, diff, findMoreNodes) ? undefined : findFirstRemedy(unplaced, diff);
  const outcome = remedy && trialOf?.([{ deployment: unplaced.deployments[0].id, remedy }]);
  if (!remedy || outcome?.helped !== 0 || left === 0) return unplaced;
  return offerHelpful(withoutRemedy(unplaced, remedy), change, left - 1);
}

function tryRemedies(unplaced: readonly UnplacedFinding[], change: RefusedChange): TriedRemedy[] {
  const { diff, trialOf, findMoreNodes } = change;
  return unplaced.slice(0, MOST_TRIED).flatMap((one) => {
    const enough = findNodesForGroup(one, diff, findMoreNodes);
    if (enough) return [{ unplaced: one, ...toOutcome(trialOf?.(enough)) }];
    const remedy = findFirstRemedy(one, diff);
    if (!remedy) return [];
    const outcome = trialOf?.([{ deployment: one.deployments[0].id, remedy }]);
    return [{ unplaced: one, remedy, ...toOutcome(outcome) }];
  });
}

function toOutcome(outcome: RemedyOutcome | undefined): Pick<TriedRemedy, 'left' | 'displaced'> {
  return { left: outcome?.findings, displaced: outcome?.displaced ?? [] };
}

/** Whether the gate still refuses a change for the same with a remedy. Another place serves only after the change. */
function stays(finding: GateFinding, { left }: TriedRemedy): boolean {
  return left ? left.some(isLike(finding)) : finding.kind === 'too-few-serving';
}

function isLike(finding: GateFinding): (other: GateFinding) => boolean {
  return (other) => other.kind === finding.kind && subjectOf(other) === subjectOf(finding);
}

/** Finds the findings that are gone with a remedy. */
function findSettled(tried: readonly TriedRemedy[], findings: readonly GateFinding[]): Refusals['settled'] {
  const settled = tried.flatMap(({ unplaced, remedy, left }) => {
    if (!left || !remedy) return [];
    const subjects = new Set(left.map(subjectOf));
    const gone = findings.filter((finding) => !subjects.has(subjectOf(finding)));
    return gone.map((finding) => [finding, { unplaced, remedy }] as const);
  });
  return new Map(settled.toReversed());
}

/** Says what is refused with the first remedy too, without the last full stop. */
export function describeAfterwards(
  one: UnplacedFinding,
  { afterwards, displaced }: Refusals,
  located: Located,
): string[] {
  const others = (displaced.get(one) ?? []).map(({ deployment, count }) => {
    return `With the first of these, ${pluralize(count, 'replica')} of ${deployment} ${count === 1 ? 'has' : 'have'} no place instead`;
  });
  const refused = describeGateFindings(afterwards.get(one) ?? [], located);
  return [...others, ...refused.map(({ what, hint }) => `The gate then refuses the change, because ${what}. ${hint}`)];
}

/** What to do about findings that a remedy settles too: `Solved by the change for ml/a: keep 3 nodes in us / l4`. */
export function describeSettled(
  { settled }: Refusals,
  cite: Pick<CiteEdits, 'nameEdits'>,
): NonNullable<Located['settled']> {
  const texts = [...settled].map(([finding, { unplaced, remedy }]) => {
    const change = describeFirstRemedy(unplaced, remedy, cite);
    return [
      finding,
      { hint: `Solved by the change for ${unplaced.deployments[0].id}: ${change}`, earlier: undefined },
    ] as const;
  });
  return new Map(texts);
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
  const refused = describeGateFindings(findings, withSettled(refusals, located)).length;
  return unplaced.length + crowded.length + errors.length + refused + denied + (removal ? 1 : 0);
}

/** Formats what the gate refuses, as sentences without the last full stop. */
export function formatRefusals(refusals: Refusals, located: Located, diff: RefusedChange['diff']): string[] {
  const unplaced = refusals.unplaced.filter(({ findings }) => findings.length > 0);
  const texts = [
    ...unplaced.map((one) => toRefusalText(one, refusals, located, diff)),
    ...describeGateFindings(refusals.findings, withSettled(refusals, located)),
  ];
  return texts.map(formatRefusalText);
}

function toRefusalText(
  finding: UnplacedFinding,
  refusals: Refusals,
  located: Located,
  diff: RefusedChange['diff'],
): RefusalText {
  const drains = refusals.drains.get(finding);
  const { what, hint, why, steps } = describeUnplaced(finding, { ...(located.cite ?? CITE_IN_FULL), diff, drains });
  const advice = [
    hint,
    ...steps.map((step) => step.replace(/\.$/, '')),
    ...describeAfterwards(finding, refusals, located),
  ];
  return { what, hint: [...advice, `Why: ${why}`].join('. ') };
}

/** Returns what the gate refuses as errors, each at the line that causes it. */
export function toRefusalProblems(refusals: Refusals, located: Located, diff: RefusedChange['diff']): Diagnostic[] {
  const unplaced = refusals.unplaced.filter(({ findings }) => findings.length > 0);
  const problems = unplaced.flatMap((finding): Diagnostic[] => {
    const [where] = finding.deployments.flatMap((one) => whereOfUnplaced(one, located) ?? []);
    const { what, hint } = toRefusalText(finding, refusals, located, diff);
    return where === undefined ? [] : [errorAt('outage', where, what, hint)];
  });
  return [...problems, ...toGateProblems(refusals.findings, withSettled(refusals, located))];
}

function withSettled(refusals: Refusals, located: Located): Located {
  return { ...located, settled: describeSettled(refusals, located.cite ?? CITE_IN_FULL) };
}
