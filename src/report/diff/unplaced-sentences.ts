import type { MoreNodes } from '../../analyze/survive/more-nodes';
import { formatCount } from '../../base/figures';
import { sortUnique } from '../../base/order';
import { capitalize, decapitalize, joinAnd, joinNames, pluralize } from '../../base/text';
import type { FleetDiff } from '../../diff/fleet-diff';
import { type Cause, dedupeCauses } from '../../diff/replica-causes';
import type { ShortfallPlan } from '../../plan/plan';
import type { Remedy } from '../../scheduler/remedy';
import { describeAddedNodes, formatLimit } from '../analyze/added-nodes-text';
import { adviseHomeless, isReplaced, losesClusters, REPLACE_HARDWARE } from '../plan/homeless-text';
import { adviseOn } from '../plan/plan-annotations';
import { countHelped, formatReach, placesAll } from '../plan/remedy-text';
import type { CiteEdits } from './change-sentences';
import { describeDrainFirst, formatStep, listChoices, listSteps } from './remedy-steps';
import { describeShares, DRAIN_TAINT } from './outage-sentences';
import { describeKept, describeKeptNodes } from './shortfall-changes';
import { isEmptied, listSilentServices, type UnplacedDeployment, type UnplacedFinding } from './unplaced-findings';

/** What replicas without a place mean for clients, what to do about them, and why they have none. */
export interface UnplacedText {
  /** A clause without a full stop. */
  readonly what: string;

  /** Where requests go, as a sentence. Empty where no replica stops, or none is left. */
  readonly left: string;

  /** What to do, without the last full stop. Empty: it is said of all replicas without a place together. */
  readonly hint: string;
  readonly why: string;

  /** How to make the cheapest change, step by step. Empty where the hint says it. */
  readonly steps: readonly string[];
}

/** What sentences on replicas without a place refer to. */
interface UnplacedContext extends CiteEdits {
  readonly diff: FleetDiff;

  /** The nodes that give all replicas without a place one. */
  readonly moreNodes?: MoreNodes | undefined;

  /** The removed clusters that are drained first. Default: none. */
  readonly drains?: readonly string[] | undefined;

  /** Whether these nodes have a line of their own, below those of all problems. Default: they do not. */
  readonly areNodesBelow?: boolean;
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
  return {
    what: `${capitalize(nameReplicas(deployments))} ${describeFate(deployments)}${isNumbered ? `${because}${effect}` : `${effect}${because}`}`,
    left: (down === '' ? undefined : describeMeanwhile(finding)) ?? describeLeft(deployments),
    hint: advise(finding, { ...context, edits }),
    why: explainLongest(deployments),
    steps: deployments.every(isUndone) ? [] : listSteps(first, { ...context, edits }),
  };
}

const MAX_NAMED = 3;

/** `all 3 replicas of ml/a and the only replica of ml/b`, `1 of 3 replicas of ml/a and 1 of 2 replicas of ml/b`. */
function nameReplicas(deployments: readonly UnplacedDeployment[]): string {
  const parts = deployments.map(({ id, missing, of }) => {
    if (missing < of) return `${missing} of ${pluralize(of, 'replica')} of ${id}`;
    return of === 1 ? `the only replica of ${id}` : `all ${pluralize(of, 'replica')} of ${id}`;
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

function countMissing(deployments: readonly UnplacedDeployment[]): number {
  return deployments.reduce((sum, { missing }) => sum + missing, 0);
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
  const some = only.old.length === count ? `until ${one} finalized` : `${only.old.length} of them until finalized`;
  const old = only.old.length === 0 ? '' : ` (${some})`;
  return `${pluralize(count, 'replica')} ${is} left, on ${where}${old}, and ${gets} the requests of all.`;
}

/** The change that is advised first for replicas without a place. Undefined: it is no remedy of the scheduler. */
export function findFirstRemedy({ deployments }: UnplacedFinding, diff: FleetDiff): Remedy | undefined {
  const [{ id, shortfall, stopped }] = deployments;
  if (!shortfall || (deployments.length === 1 && describeKept(id, diff) !== undefined)) return undefined;
  return listChoices(shortfall, stopped)[0];
}

/** The same as a clause: `keep 3 nodes in us / l4 instead of 2 (edit 1)`. */
export function describeFirstRemedy(
  { deployments }: UnplacedFinding,
  remedy: Remedy,
  { nameEdits }: Pick<CiteEdits, 'nameEdits'>,
): string {
  const [{ shortfall, stopped, causes }] = deployments;
  const kept = describeKeptNodes(remedy, causes, (cause) => nameEdits([cause]));
  return kept ?? (shortfall ? formatStep(remedy, shortfall, stopped) : '');
}

/** What to do. Where it is enough to undo an edit, nothing that costs more is said. */
function advise({ deployments }: UnplacedFinding, context: UnplacedContext & { readonly edits: string }): string {
  const [{ shortfall }] = deployments;
  const { edits } = context;
  if (!shortfall) return adviseOnError(deployments, edits);
  if (deployments.every(isUndone)) {
    const result = countMissing(deployments) === 1 ? 'the replica then fits' : 'all replicas then fit';
    return `Undo ${edits}: ${result}`;
  }
  const kept = deployments.length === 1 ? describeKept(deployments[0].id, context.diff) : undefined;
  const remedies = listTexts(deployments[0], shortfall, context);
  const [cheapest] = remedies;
  if (kept !== undefined) {
    const whole = remedies.find(({ remedy }) => placesAll(remedy, shortfall)) ?? cheapest;
    const text = whole && `${whole.text}${formatPartialReach(whole.remedy, shortfall)}`;
    return `${[capitalize(kept), ...(text === undefined ? [] : [text])].join('; or ')}${adviseDraining(context)}`;
  }
  if (!cheapest) return adviseUndoing(deployments, shortfall, context);
  const enough = describeEnough(deployments, context.moreNodes);
  const choices = [cheapest, ...remedies.slice(1)] as const;
  const text = formatAllChoices(choices, { deployments, shortfall, enough, context });
  return context.drains?.length ? `${capitalize(drainFirst(context.drains))}. ${text}` : text;
}

interface AdvisedChoices {
  readonly deployments: UnplacedFinding['deployments'];
  readonly shortfall: ShortfallPlan;
  readonly enough: string | undefined;
  readonly context: UnplacedContext;
}

function formatAllChoices(
  choices: readonly [Choice, ...Choice[]],
  { deployments, shortfall, enough, context }: AdvisedChoices,
): string {
  if (deployments.length > 1 && choices[0].keeps === undefined)
    return formatSharedChoices(choices, deployments, enough);
  const label = isOneOfSeveral(deployments, context.moreNodes) ? 'Cheapest for it alone' : 'Cheapest';
  return `${formatChoices(choices, shortfall, enough, label)}${describeFewer(deployments, context)}`;
}

/** What goes with room elsewhere, behind the advice to keep a cluster. Empty where replicas need not serve meanwhile. */
function adviseDraining({ drains = [] }: UnplacedContext): string {
  return drains.length === 0 ? '' : `. With that, ${drainFirst(drains)}`;
}

/** How replicas of removed clusters serve until they do elsewhere, without a full stop. */
function drainFirst(clusters: readonly string[]): string {
  const [names, are] = [joinNames(clusters, MAX_NAMED), clusters.length === 1 ? 'it' : 'them'];
  return `drain ${names} first, in a change of its own, with '${DRAIN_TAINT}' and room for the replicas, and remove ${are} when 'fleetwright lock DIR --finalize' has removed the old ones`;
}

/** `; or set 'replicas: 3' instead of 5 (edit 1), which have places`. Empty where no more than before have one. */
function describeFewer(
  [{ causes, of, missing }, ...others]: UnplacedFinding['deployments'],
  { nameEdits }: Pick<UnplacedContext, 'nameEdits'>,
): string {
  const raise = causes.find(({ field }) => field?.field === 'spec.replicas' && field.after === of);
  const placed = of - missing;
  if (others.length > 0 || !raise || placed <= Number(raise.field?.before ?? placed)) return '';
  return `; or set 'replicas: ${placed}' instead of ${of} (${nameEdits([raise]) ?? 'that edit'}), which have places`;
}

interface Choice {
  readonly remedy: Remedy;
  readonly text: string;

  /** That it undoes an edit. */
  readonly keeps: string | undefined;
}

/** The cheapest remedies in words, without nodes that are said of all replicas without a place together. */
function listTexts(
  { stopped, causes }: UnplacedDeployment,
  shortfall: ShortfallPlan,
  context: UnplacedContext,
): readonly Choice[] {
  return listChoices(shortfall, stopped).flatMap((remedy) => {
    const keeps = remedy.breaks ? undefined : describeKeptNodes(remedy, causes, (cause) => context.nameEdits([cause]));
    if (context.areNodesBelow && remedy.kind === 'nodes' && keeps === undefined) return [];
    const text = keeps ?? describeDrainFirst(remedy, causes, context) ?? formatStep(remedy, shortfall, stopped);
    return [{ remedy, keeps, text }];
  });
}

/** The nodes for all replicas of several deployments. Each of the choices was tried for the replicas of one of them. */
function formatSharedChoices(
  choices: readonly [Choice, ...Choice[]],
  deployments: readonly UnplacedDeployment[],
  enough: string | undefined,
): string {
  const total = formatCount(countMissing(deployments));
  const [{ remedy }] = choices;
  const helped = deployments[0]?.missing === 1 ? '1' : countHelped(remedy.helps);
  const some = choices.map(({ text }) => text).join('; or ');
  if (enough === undefined) return `Cheapest for ${helped} of the ${total} replicas: ${some}`;
  return `Cheapest for all ${total} replicas: ${enough}. For ${helped} of them: ${some}`;
}

/** The choices, and the nodes that are enough for all replicas where one of the choices is not. */
function formatChoices(
  choices: readonly [Choice, ...Choice[]],
  shortfall: ShortfallPlan,
  enough: string | undefined,
  label: string,
): string {
  const [cheapest] = choices;
  const whole = choices.filter(({ remedy }) => placesAll(remedy, shortfall));
  if (whole.length === choices.length || enough === undefined) {
    const all = choices.map(({ remedy, text }) => `${text}${formatPartialReach(remedy, shortfall)}`).join('; or ');
    return cheapest.keeps === undefined ? `${label}: ${all}` : capitalize(all);
  }
  const texts = whole.map(({ text }) => text);
  if (whole.some(({ remedy }) => remedy.kind === 'nodes')) return `${label}: ${texts.join('; or ')}`;
  if (whole.length > 0) return `${label}: ${[...texts, enough].join('; or ')}, for all of them`;
  const all = shortfall.missing === 2 ? 'both replicas' : 'all replicas';
  return `Cheapest for ${all}: ${enough}. For ${countHelped(cheapest.remedy.helps)} of them: ${cheapest.text}`;
}

/** To undo the edits, or what else helps where no remedy is known. Empty where the nodes for all are said below. */
function adviseUndoing(
  deployments: UnplacedFinding['deployments'],
  shortfall: ShortfallPlan,
  { edits, areNodesBelow = false }: UnplacedContext & { readonly edits: string },
): string {
  if (areNodesBelow && shortfall.remedies.length > 0) return '';
  const advice = adviseOn(shortfall, []);
  if (deployments.some(({ causes }) => causes.length === 0)) return advice;
  return `Undo ${edits}${advice.includes(': ') ? `. ${advice}` : `, ${decapitalize(advice)}`}`;
}

function adviseOnError(deployments: UnplacedFinding['deployments'], edits: string): string {
  const [{ homeless }] = deployments;
  if (deployments.every(losesHardware)) return `Undo ${edits}; or ${REPLACE_HARDWARE}`;
  return homeless ? adviseHomeless(homeless) : `Undo ${edits}`;
}

function losesCluster({ homeless }: UnplacedDeployment): boolean {
  return homeless !== undefined && losesClusters(homeless);
}

function losesHardware({ homeless }: UnplacedDeployment): boolean {
  return homeless !== undefined && isReplaced(homeless);
}

/** ` (for 1 of the 2)`. Empty where it places all. */
function formatPartialReach(remedy: Remedy, shortfall: ShortfallPlan): string {
  return placesAll(remedy, shortfall) ? '' : formatReach(remedy, shortfall);
}

/** The nodes that give all of them a place. Undefined: they are for replicas of others too, or not enough. */
export function describeEnough(
  deployments: readonly UnplacedDeployment[],
  moreNodes: MoreNodes | undefined,
): string | undefined {
  const { extra, newPool, stranded, replicas, limits = [] } = moreNodes ?? { stranded: [] };
  const isStranded = stranded.some((one) => deployments.some(({ id }) => id === one.deployment));
  if (!extra || isStranded || replicas !== countMissing(deployments)) return undefined;
  return joinAnd([describeAddedNodes(newPool ?? extra, newPool !== undefined), ...limits.map(formatLimit)]);
}

/** Whether other deployments lack places too, so that a remedy may take the room of theirs, or help them as well. */
function isOneOfSeveral(deployments: readonly UnplacedDeployment[], moreNodes: MoreNodes | undefined): boolean {
  if (!moreNodes) return false;
  const all = moreNodes.stranded.reduce((sum, one) => sum + one.replicas, moreNodes.replicas);
  return all > countMissing(deployments);
}

/** Whether one remedy puts back what the edits change, and gives all replicas a place. */
export function isUndone({ shortfall, causes, missing }: UnplacedDeployment): boolean {
  return (shortfall?.remedies ?? []).some((remedy) => {
    return placesAll(remedy, { missing }) && causes.length > 0 && causes.every((cause) => isReverse(remedy, cause));
  });
}

/** Whether a remedy puts the earlier value of a field in the place of the later one. */
function isReverse(remedy: Remedy, { field }: Cause): boolean {
  if (!field || (remedy.kind !== 'bound' && remedy.kind !== 'count' && remedy.kind !== 'copies')) return false;
  const { before, after } = field;
  if (remedy.kind === 'copies') {
    return field.field.endsWith(`[${remedy.engine}].copies.max`) && before === remedy.to && after === remedy.from;
  }
  if (!field.field.includes(`[${remedy.engine}]`) || !field.field.includes(`.devices[${remedy.request}].`))
    return false;
  if (remedy.kind === 'count') return before === remedy.to && after === remedy.from;
  return typeof after === 'string' && after.replaceAll(remedy.from, () => remedy.to) === before;
}

/** The longest of the reasons that decide, which says the most, and what is against other clusters. */
function explainLongest([first, ...more]: UnplacedFinding['deployments']): string {
  const { why, others } = more.reduce((best, one) => (one.why.length > best.why.length ? one : best), first);
  return [why, ...(others === undefined ? [] : [others])].join('; ');
}
