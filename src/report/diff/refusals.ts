import type { Diagnostic } from '../../base/diagnostic';
import { errorAt } from '../../base/diagnostic';
import { allOf, joinSentences, pluralize } from '../../base/text';
import type { FleetDiff } from '../../diff/fleet-diff';
import type { GateFinding } from '../../diff/gate-findings';
import type { Remedy } from '../../scheduler/remedy';
import { CITE_IN_FULL, type CiteEdits } from './change-sentences';
import { formatAdvice, noteSaved, savingsOf } from './choices';
import { type CrowdedFinding, findCrowded } from './crowded-findings';
import type { Located } from './finding-descriptions';
import { ALONE, describeGateFindings, limitAdvice, type RefusalText, subjectOf, toGateProblems } from './gate-text';
import { findNodesForGroup } from './group-nodes';
import {
  findUnplaced,
  listRemovedClusters,
  type RemedyOutcome,
  type RefusedChange,
  type UnplacedFinding,
  whereOfUnplaced,
  withRemedies,
} from './unplaced-findings';
import {
  describeSecondDeployment,
  type DisruptiveSwap,
  findDisruptiveSwap,
  limitToClients,
} from './swapped-model-advice';
import { describeAdvised, type FollowUp, listAdvised } from './unplaced-advice';
import { listCauses } from '../plan/resource-error-text';
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

  /** Those of these findings that a remedy of replicas without a place settles too. */
  readonly settled: ReadonlyMap<GateFinding, SettlingRemedy>;

  /** What comes of the change with remedies of replicas without a place, and with the nodes for several of them. */
  readonly effects: ReadonlyMap<Remedy | UnplacedFinding, RemedyEffect>;

  /** The remedy that solves all problems. Absent: there is a single problem, or no remedy is known to do that. */
  readonly joint?: SettlingRemedy;

  /** The deployment that all problems are about, where a second one for its new model solves them. Absent: there is none. */
  readonly swap?: DisruptiveSwap;

  /** The removed clusters that are drained first, so that replicas serve until they have their new places. */
  readonly drains: ReadonlyMap<UnplacedFinding, readonly string[]>;
}

/** What comes of a change with a remedy. */
interface RemedyEffect {
  /** What the gate refuses only then. */
  readonly afterwards: readonly GateFinding[];

  /** The replicas that have no place only then. */
  readonly displaced: RemedyOutcome['displaced'];

  /** Whether nothing fails the change then. Undefined: it was not tried. */
  readonly passes: boolean | undefined;
}

/** A remedy of replicas without a place. */
interface SettlingRemedy {
  readonly unplaced: UnplacedFinding;
  readonly remedy: Remedy;
}

export function collectRefusals(change: RefusedChange): Refusals {
  const unplaced = findUnplaced(change).map((one, i) => (i < MOST_TRIED ? rankRemedies(one, change) : one));
  const all = unplaced.slice(0, MOST_TRIED).flatMap((one) => tryRemedies(one, change));
  // What is advised first is what is said of other problems.
  const tried = unplaced.flatMap((one) => all.find((other) => other.unplaced === one) ?? []);
  const staying = new Set(tried.flatMap((one) => one.unplaced.findings.filter((finding) => stays(finding, one))));
  const said = new Set(unplaced.flatMap((one) => one.findings).filter((one) => !staying.has(one)));
  const crowded = findCrowded(change.problems, change.diff);
  const own = new Set([
    ...unplaced.flatMap(({ deployments }) => deployments.flatMap(({ error }) => error ?? [])),
    ...crowded.flatMap(({ errors }) => errors),
  ]);
  const findings = change.findings.filter((one) => !said.has(one));
  const joint = unplaced.length + findings.length > 1 ? findJoint(all) : undefined;
  const swap = unplaced.length > 0 || isFailedOtherwise(change) ? undefined : findDisruptiveSwap(findings);
  return {
    unplaced,
    crowded,
    errors: change.problems.filter((one) => !own.has(one)),
    findings,
    ...(joint && { joint }),
    ...(swap && { swap }),
    settled: joint ? new Map() : findSettled(tried, findings),
    drains: new Map(tried.flatMap((one) => [[one.unplaced, listDrains(one, change)] as const])),
    effects: new Map(
      all.map((one) => [
        one.remedy ?? one.unplaced,
        { afterwards: findAfterwards(one, change), displaced: one.displaced, passes: one.left && one.passes },
      ]),
    ),
  };
}

function findJoint(all: readonly TriedRemedy[]): SettlingRemedy | undefined {
  return all.flatMap(({ unplaced, remedy, passes }) => (passes && remedy ? [{ unplaced, remedy }] : []))[0];
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

/** What comes of a change that declares a remedy of replicas without a place too. */
interface TriedRemedy {
  readonly unplaced: UnplacedFinding;

  /** Absent: it is more nodes for replicas of several deployments, or for several replicas. */
  readonly remedy?: Remedy;

  /** What the gate refuses. Undefined: declarations alone do not make the remedy. */
  readonly left: readonly GateFinding[] | undefined;
  readonly displaced: RemedyOutcome['displaced'];
  readonly passes: boolean;
}

/** The most problems whose remedies are tried, and useless remedies of each: all is decided and compared again. */
const MOST_TRIED = 3;

/**
 * Leaves out remedies that are advised and with which the replicas still have no place. Those with which the change
 * passes come first.
 */
function rankRemedies(unplaced: UnplacedFinding, change: RefusedChange, left = MOST_TRIED): UnplacedFinding {
  const { diff, findMoreNodes } = change;
  if (findNodesForGroup(unplaced, diff, findMoreNodes)) return unplaced;
  const tried = listAdvised(unplaced, diff).map((remedy) => ({ remedy, outcome: tryRemedy(unplaced, remedy, change) }));
  const useless = new Set(tried.flatMap(({ remedy, outcome }) => (outcome?.helped === 0 ? [remedy] : [])));
  if (useless.size > 0) {
    const useful = withRemedies(unplaced, (remedies) => remedies.filter((one) => !useless.has(one)));
    return left > 1 ? rankRemedies(useful, change, left - 1) : useful;
  }
  const passing = tried.flatMap(({ remedy, outcome }) => (isPassed(outcome, remedy, change) ? [remedy] : []));
  return withRemedies(unplaced, (remedies) => [...passing, ...remedies.filter((one) => !passing.includes(one))]);
}

function tryRemedy(
  { deployments: [{ id }] }: UnplacedFinding,
  remedy: Remedy,
  { trialOf }: RefusedChange,
): RemedyOutcome | undefined {
  return trialOf?.([{ deployment: id, remedy }]);
}

/** Whether nothing fails a change with a remedy. Policies do not change by it. */
function isPassed(outcome: RemedyOutcome | undefined, remedy: Pick<Remedy, 'breaks'>, change: RefusedChange): boolean {
  return !isFailedOtherwise(change) && !remedy.breaks && outcome?.findings.length === 0 && outcome.missing === 0;
}

/** Whether a change fails for what neither remedies nor other edits of a deployment solve. */
function isFailedOtherwise({ plan, problems, removal }: RefusedChange): boolean {
  return removal !== undefined || problems.length > 0 || plan.policies.some(({ severity }) => severity === 'error');
}

/** Tries what is advised for replicas without a place. */
function tryRemedies(unplaced: UnplacedFinding, change: RefusedChange): TriedRemedy[] {
  const { diff, trialOf, findMoreNodes } = change;
  const enough = findNodesForGroup(unplaced, diff, findMoreNodes);
  if (enough) return [{ unplaced, ...toOutcome(trialOf?.(enough)), passes: false }];
  return listAdvised(unplaced, diff).map((remedy) => {
    const outcome = tryRemedy(unplaced, remedy, change);
    return { unplaced, remedy, ...toOutcome(outcome), passes: isPassed(outcome, remedy, change) };
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

/** Creates a function that says what is wrong with a change once a remedy is made. */
function createFollowUps({ effects }: Refusals, located: Located): (remedy: Remedy | UnplacedFinding) => FollowUp[] {
  return (remedy) => {
    const { displaced = [], afterwards = [] } = effects.get(remedy) ?? {};
    const others = displaced.map(({ deployment, count }) => {
      const have = count === 1 ? 'has' : 'have';
      return { what: `then, ${pluralize(count, 'replica')} of ${deployment} ${have} no place instead`, hint: '' };
    });
    const refused = describeGateFindings(afterwards, located).map(({ what, ...advice }) => {
      return { what: `the gate then refuses the change, because ${what}`, hint: formatAdvice(advice) };
    });
    return [...others, ...refused];
  };
}

/** What sentences on replicas without a place refer to, apart from how edits are named. */
export function contextOf(refusals: Refusals, finding: UnplacedFinding, located: Located | undefined) {
  const isOfSeveral = refusals.unplaced.length + refusals.findings.length > 1;
  return {
    drains: refusals.drains.get(finding),
    joint: refusals.joint?.remedy,
    solvesOnlyOne: (remedy: Remedy) => isOfSeveral && leavesOthers(refusals.effects.get(remedy)),
    ...(located && { followUpsOf: createFollowUps(refusals, located) }),
  };
}

/** Whether a remedy brings no new problem, and leaves others. */
function leavesOthers(effect: RemedyEffect | undefined): boolean {
  return effect?.passes === false && effect.afterwards.length + effect.displaced.length === 0;
}

/** `Solves all 2 problems: keep 3 nodes in us / l4 instead of 2 (edit 1)`. Undefined: no remedy is known that does. */
export function describeJoint(
  { joint, swap }: Refusals,
  problems: number,
  { cite, diff }: { readonly cite: Pick<CiteEdits, 'nameEdits'>; readonly diff: FleetDiff },
): string | undefined {
  if (problems < 2) return undefined;
  const solves = `Solves ${allOf(problems, 'problem')}: `;
  if (swap) return solves + describeSecondDeployment(swap);
  if (!joint) return undefined;
  const text = describeAdvised(joint.unplaced, joint.remedy, cite);
  const cost = 'cost' in joint.remedy ? joint.remedy.cost?.perMonth : undefined;
  return solves + noteSaved({ text, cost }, savingsOf(diff)).text;
}

/** What the advice of each problem solves, next to what solves all. Undefined: nothing is known to do that. */
export function scopeOf({ joint, swap }: Refusals): string | undefined {
  return (joint ?? swap) && ALONE;
}

/** What to do about findings that a remedy settles too: `Solved by the change for ml/a: keep 3 nodes in us / l4`. */
function describeSettled({ settled }: Refusals, cite: Pick<CiteEdits, 'nameEdits'>): NonNullable<Located['settled']> {
  const texts = [...settled].map(([finding, { unplaced, remedy }]) => {
    const change = describeAdvised(unplaced, remedy, cite);
    return [
      finding,
      {
        hint: `Solved by the change for ${unplaced.deployments[0].id}: ${change}`,
        steps: undefined,
        earlier: undefined,
      },
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
  return unplaced.length + crowded.length + listCauses(errors).length + refused + denied + (removal ? 1 : 0);
}

/** The change that a gate refuses, and what helps all replicas without a place. */
type AdvisedChange = Pick<RefusedChange, 'diff' | 'findMoreNodes'>;

/**
 * Describes what the gate refuses. Of replicas without a place alone, the plan says why and what to do; those of a
 * deployment with an error have that as their line.
 */
export function describeRefusals(refusals: Refusals, located: Located, change: AdvisedChange): RefusalText[] {
  const scope = scopeOf(refusals);
  const found = describeGateFindings(
    refusals.findings,
    withSettled(refusals, { ...located, saved: savingsOf(change.diff) }),
  );
  return [
    ...refusals.unplaced.flatMap((one): RefusalText[] => {
      const text = toRefusalText(one, refusals, located, change);
      if (one.findings.length > 0) return [text];
      return one.deployments.some(({ error }) => error) ? [] : [{ what: text.what, hint: '' }];
    }),
    ...found.map((one) => ({ ...one, scope, hint: one.choices ? one.hint : limitAdvice(one.hint, scope) })),
  ];
}

function toRefusalText(
  finding: UnplacedFinding,
  refusals: Refusals,
  located: Located,
  { diff, findMoreNodes }: AdvisedChange,
): RefusalText {
  const scope = scopeOf(refusals);
  const known = { diff, moreNodes: findMoreNodes?.(), ...contextOf(refusals, finding, located) };
  const context = { ...(located.cite ?? CITE_IN_FULL), ...known };
  const { what, choices, hint, why, moveSteps, scope: own } = describeUnplaced(finding, context);
  const advice = choices ? hint : limitAdvice(hint, scope);
  const hints = [advice, ...moveSteps.map((step) => step.replace(/\.$/, '')), `Why: ${why}`];
  return { what, choices, scope: scope ?? own, hint: joinSentences(hints) };
}

/** Returns what the gate refuses as errors, each at the line that causes it. */
export function toRefusalProblems(refusals: Refusals, located: Located, change: AdvisedChange): Diagnostic[] {
  const unplaced = refusals.unplaced.filter(({ findings }) => findings.length > 0);
  const problems = unplaced.flatMap((finding): Diagnostic[] => {
    const [where] = finding.deployments.flatMap((one) => whereOfUnplaced(one, located) ?? []);
    const { what, ...advice } = toRefusalText(finding, refusals, located, change);
    return where === undefined ? [] : [errorAt('outage', where, what, formatAdvice(advice))];
  });
  const settled = describeSettled(refusals, located.cite ?? CITE_IN_FULL);
  return [...problems, ...toGateProblems(refusals.findings, { ...located, settled })];
}

/** Adds what to do about findings next to the remedies of others. */
export function withSettled(refusals: Refusals, located: Located): Located {
  const { swap, findings } = refusals;
  const settled = describeSettled(refusals, located.cite ?? CITE_IN_FULL);
  return { ...located, settled: swap ? limitToClients(swap, findings, located) : settled };
}
