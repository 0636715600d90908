import { groupBy } from '../../base/order';
import type { FleetDiff } from '../../diff/fleet-diff';
import type { GateFinding } from '../../diff/gate-findings';
import type { ApplyMode } from '../../diff/serving-during-change';
import type { Plan } from '../../plan/plan';
import type { ReplicaChange } from '../../plan/replica-moves';
import type { CiteEdits } from '../diff/change-sentences';
import type { RefusalText } from '../diff/gate-text';
import { type JudgedChange, summarizeVerdict } from '../diff/gate-verdict';
import { countProblems, type Refusals } from '../diff/refusals';
import type { RefusedChange } from '../diff/unplaced-findings';
import { escapeMarkdown, formatCode } from '../document/write-markdown';
import type { LocatedFleet } from '../plan/plan-annotations';
import type { OutOfDateLock } from './refusal-lines';

/** What a gate says of a change. */
export interface CommentGate extends Omit<JudgedChange, 'diff' | 'problems'> {
  readonly findings: readonly GateFinding[];

  /** A removal of most replicas. */
  readonly removal?: RefusalText | undefined;

  /** The later fleet, with the positions of its declarations. */
  readonly located: LocatedFleet;

  /** Tries what comes of it where the change declares remedies too. Default: that is not known. */
  readonly trialOf?: RefusedChange['trialOf'];
  readonly findMoreNodes?: RefusedChange['findMoreNodes'];
}

/** Counts what fails a change. */
export function judgeChange(
  diff: FleetDiff,
  { policies }: Pick<Plan, 'policies'>,
  refusals: Refusals,
  { removal, located, ...gate }: CommentGate,
): JudgedChange {
  const denied = policies.filter(({ severity }) => severity === 'error').length;
  const problems = countProblems(refusals, located, { removal: removal !== undefined, denied });
  return { ...gate, diff, problems };
}

/** The verdict of a gate, which passes a lock that is out of date. */
export function describeVerdict(
  judged: JudgedChange,
  { outOfDate, cite }: { readonly outOfDate?: OutOfDateLock | undefined; readonly cite: CiteEdits },
): Verdict {
  const isRefused = judged.problems > 0;
  const but = outOfDate ? `, but the lock is ${outOfDate.missing ? 'missing' : 'out of date'}` : '';
  return { isRefused, text: summarizeVerdict(judged, cite.nameEdits, but) };
}

/** The verdict of a gate, as a heading has it. */
interface Verdict {
  readonly isRefused: boolean;
  readonly text: string;
}

/** ``### :x: Fleet `fleet` against `main`: refused, 2 problems``. Without a gate, there is no verdict. */
export function formatHeading(name: string, against: string, verdict: Verdict | undefined): string {
  const what = verdict ? `: ${escapeMarkdown(verdict.text)}` : '';
  return `### ${verdict?.isRefused ? ':x: ' : ''}Fleet ${formatCode(name)} against ${formatCode(against)}${what}`;
}

/** What the gate assumes of how a change is applied, where a flag says so. */
const APPLIED: Readonly<Partial<Record<ApplyMode, string>>> = {
  perCluster: 'clusters apply the change without waiting for each other, as with Argo CD (--independent-clusters)',
  atOnce: 'the change is applied without waiting, all at once, as with Flux or kubectl (--no-waves)',
};

/**
 * `The gate assumes that clusters apply the change without waiting for each other …`, and what that means for replicas on
 * several clusters. Empty with waves over all clusters.
 */
export function describeApplied(
  applied: ApplyMode | undefined,
  { deployments }: Pick<FleetDiff, 'deployments'>,
): string[] {
  const how = applied && APPLIED[applied];
  if (how === undefined) return [];
  const isOnSeveral = deployments.some(({ changes }) => groupBy(changes.filter(isRolled), clusterOf).size > 1);
  const so =
    applied === 'perCluster' && isOnSeveral ? ': replicas on different clusters may restart at the same time' : '';
  return [`The gate assumes that ${how}${so}.`];
}

function isRolled({ action }: ReplicaChange): boolean {
  return action === 'roll';
}

function clusterOf({ cluster }: ReplicaChange): string {
  return cluster;
}
