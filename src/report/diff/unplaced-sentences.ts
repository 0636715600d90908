import { formatCount } from '../../base/figures';
import { sortUnique } from '../../base/order';
import { allOf, capitalize, joinAnd, joinNames, pluralize } from '../../base/text';
import { type Cause, dedupeCauses } from '../../diff/replica-causes';
import { findUnhelpful } from '../../diff/idle-nodes';
import type { Advice } from './choices';
import { describeLeavingOut, nameAdded, usesAdded } from './idle-additions';
import { describeShares } from './lost-share-text';
import { countMissing } from './remedy-labels';
import { listSteps } from './remedy-steps';
import { advise, isUndone, listAdvised, losesCluster, losesHardware, type UnplacedContext } from './unplaced-advice';
import { isEmptied, listSilentServices, type UnplacedDeployment, type UnplacedFinding } from './unplaced-findings';

/**
 * What replicas without a place mean for clients, what to do about them, and why they have none. Without advice: it is
 * said of all replicas without a place together.
 */
export interface UnplacedText extends Advice {
  /** A clause without a full stop. */
  readonly what: string;

  /** Where requests go, and which nodes help nothing, as sentences. Empty where there is nothing of both. */
  readonly left: string;

  readonly why: string;

  /** How to make the first change, step by step. Empty where the advice says it. */
  readonly moveSteps: readonly string[];
}

/** Says what stops, who loses answers, which edits cause it, and what to do. */
export function describeUnplaced(finding: UnplacedFinding, context: UnplacedContext): UnplacedText {
  const { deployments } = finding;
  const [first] = deployments;
  const silent = listSilentServices(finding);
  const down = describeDown(finding);
  const effect = silent.length > 0 ? `: nothing answers ${joinNames(silent, MAX_NAMED)}` : down;
  const all = dedupeCauses(deployments.flatMap(({ causes }) => causes));
  const because = context.because(all);
  const isNumbered = context.nameEdits(all) !== undefined;
  const edits = context.nameEdits(all) ?? (all.length > 1 ? 'these edits' : 'that edit');
  const idle = first.shortfall ? findUnhelpful(first.shortfall, context.diff) : [];
  const moveSteps = deployments.every(isUndone) ? [] : listSteps(first, { ...context, edits });
  return {
    what: `${capitalize(nameReplicas(deployments))} ${describeFate(deployments)}${isNumbered ? `${because}${effect}` : `${effect}${because}`}`,
    left: [
      (down === '' ? undefined : describeMeanwhile(finding)) ?? describeLeft(deployments),
      describeIdle(finding, idle, context),
    ]
      .filter((text) => text !== '')
      .join(' '),
    ...advise(finding, { ...context, edits, idle, stepsBelow: context.areStepsBelow ? moveSteps.length : 0 }),
    why: explainLongest(deployments),
    moveSteps,
  };
}

const MAX_NAMED = 3;

/** `all 3 replicas of ml/a and the only replica of ml/b`, `1 of 3 replicas of ml/a and 1 of 2 replicas of ml/b`. */
function nameReplicas(deployments: readonly UnplacedDeployment[]): string {
  const parts = deployments.map(({ id, missing, of }) => {
    if (missing < of) return `${formatCount(missing)} of ${pluralize(of, 'replica')} of ${id}`;
    return `${allOf(of, 'replica')} of ${id}`;
  });
  return parts.length > MAX_NAMED ? joinNames(parts, MAX_NAMED) : joinAnd(parts);
}

function describeFate(deployments: readonly UnplacedDeployment[]): string {
  const one = countMissing(deployments) === 1;
  const isStopped = deployments.every(({ stopped, missing }) => stopped === missing);
  if (deployments.every(losesHardware) || deployments.every(losesCluster))
    return one ? 'stops for good' : 'stop for good';
  if (isStopped) return one ? 'loses its place' : 'lose their places';
  return one ? 'fits nowhere' : 'fit nowhere';
}

/** Says that the others do not serve either, for a time. Empty where none is left anyway. */
function describeDown({ findings, deployments }: UnplacedFinding): string {
  const down = new Set(findings.flatMap((one) => (one.kind === 'outage' ? [one.change.deployment] : [])));
  const left = deployments.filter((one) => !isEmptied(one));
  if (left.length === 0 || !left.every(({ id }) => down.has(id))) return '';
  const isPossible = findings.some((one) => 'change' in one && one.change.changes.some(({ mayStay }) => mayStay));
  return `, and no other ${isPossible ? 'is sure to serve' : 'serves'} while the change is applied`;
}

/** What clients see while those that are left do not serve either, as a sentence. Undefined: that is not known. */
function describeMeanwhile({ findings }: UnplacedFinding): string | undefined {
  const effects = sortUnique(findings.flatMap((one) => (one.kind === 'outage' ? describeShares(one) : [])));
  return effects.length === 0 ? undefined : `${capitalize(joinNames(effects, MAX_NAMED, '; '))}.`;
}

/** `1 replica is left, on us, and gets the requests of all.` */
function describeLeft(deployments: readonly UnplacedDeployment[]): string {
  const [only, ...others] = deployments;
  if (!only || others.length > 0 || only.stopped === 0 || only.left.length === 0) return '';
  const count = only.left.length;
  const where = joinNames(sortUnique(only.left), MAX_NAMED, ' and ');
  const [one, is, gets] = count === 1 ? ['it is', 'is', 'gets'] : ['they are', 'are', 'get'];
  const until = only.old.length > only.missing ? 'finalized' : 'replaced';
  const some = only.old.length === count ? `until ${one} ${until}` : `${only.old.length} of them until ${until}`;
  const old = only.old.length === 0 ? '' : ` (${some})`;
  return `${pluralize(count, 'replica')} ${is} left, on ${where}${old}, and ${gets} the requests of all.`;
}

/** What to do about nodes that the change adds and that help nothing, as a sentence. Empty: there are none. */
function describeIdle(finding: UnplacedFinding, idle: readonly Cause[], context: UnplacedContext): string {
  if (idle.length === 0) return '';
  const isUsed = listAdvised(finding, context.diff).some((remedy) => idle.some((edit) => usesAdded(remedy, edit)));
  if (!isUsed) return `${capitalize(describeLeavingOut(idle, context))}.`;
  const added = nameAdded(idle, context);
  const it = countMissing(finding.deployments) === 1 ? 'it' : 'them';
  return `${capitalize(added)} ${added.startsWith('the nodes') ? 'do' : 'does'} not make ${it} fit.`;
}

/** The longest of the reasons that decide, which says the most, and what is against other clusters. */
function explainLongest([first, ...more]: UnplacedFinding['deployments']): string {
  const { why, others } = more.reduce((best, one) => (one.why.length > best.why.length ? one : best), first);
  return [why, ...(others === undefined ? [] : [others])].join('; ');
}
