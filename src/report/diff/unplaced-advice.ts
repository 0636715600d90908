import type { MoreNodes } from '../../analyze/survive/more-nodes';
import { formatCount } from '../../base/figures';
import { capitalize, decapitalize, joinAnd, joinNames, joinSentences, pluralize } from '../../base/text';
import type { FleetDiff } from '../../diff/fleet-diff';
import type { Cause } from '../../diff/replica-causes';
import type { ShortfallPlan } from '../../plan/plan';
import type { Remedy } from '../../scheduler/remedy';
import { describeAddedNodes, formatLimit } from '../analyze/added-nodes-text';
import { adviseHomeless, isReplaced, losesClusters, REPLACE_HARDWARE } from '../plan/homeless-text';
import { adviseOn, listWaysToOpen } from '../plan/plan-annotations';
import { flagOf, listMoves } from '../plan/listed-moves';
import { countHelped, formatReach, placesAll, titleOf } from '../plan/remedy-text';
import type { CiteEdits } from './change-sentences';
import { type Advice, type Choice, noteSaved, savingsOf, toAdvice } from './choices';
import { DRAIN_TAINT } from './outage-sentences';
import { describeField, describeLeavingOut, nameAdded, usesAdded } from './idle-additions';
import { countMissing, isOneOfSeveral, labelNodes, labelOnly } from './remedy-labels';
import { describeDrainFirst, formatStep, listChoices } from './remedy-steps';
import { describeKept, describeKeptNodes } from './shortfall-changes';
import { mayUndo, type UnplacedDeployment, type UnplacedFinding } from './unplaced-findings';

/** The most names in one sentence. */
const MAX_NAMED = 3;

/** What sentences on replicas without a place refer to. */
export interface UnplacedContext extends CiteEdits {
  readonly diff: FleetDiff;

  /** The nodes that give all replicas without a place one. */
  readonly moreNodes?: MoreNodes | undefined;

  /** The removed clusters that are drained first. Default: none. */
  readonly drains?: readonly string[] | undefined;

  /** Whether these nodes have a line of their own, above those of all problems. Default: they do not. */
  readonly areNodesAbove?: boolean;

  /** Whether the steps of moves have a section of their own, below. Default: they do not. */
  readonly areStepsBelow?: boolean;

  /** What is wrong with the change once a remedy is made, or the nodes for several replicas. Default: that is not known. */
  readonly followUpsOf?: (remedy: Remedy | UnplacedFinding) => readonly FollowUp[];

  /** Whether a remedy solves the problem, and not another one. Default: that is not known. */
  readonly solvesOnlyOne?: (remedy: Remedy) => boolean;

  /** The remedy that solves all problems, which is said above them. Default: there is none. */
  readonly joint?: Remedy | undefined;
}

/** The context of advice on replicas without a place. */
interface AdviceContext extends UnplacedContext {
  /** The edits that cause it. */
  readonly edits: string;

  /** The steps of moves that are said below. */
  readonly stepsBelow: number;

  /** The edits that add nodes which do not give the replicas a place, and which nothing else gets. */
  readonly idle: readonly Cause[];
}

/** What is wrong with a change once a remedy is made. */
export interface FollowUp {
  /** As a sentence without its full stop. */
  readonly what: string;

  /** What to do about it, as a sentence without its full stop. Empty: nothing is known. */
  readonly hint: string;
}

/** The remedies of the scheduler that are advised for replicas without a place, the first one first. */
export function listAdvised({ deployments }: UnplacedFinding, diff: FleetDiff): Remedy[] {
  const [{ id, shortfall, stopped }] = deployments;
  if (!shortfall || (deployments.length === 1 && describeKept(id, diff) !== undefined)) return [];
  return listChoices(shortfall, stopped);
}

/** One of them as a clause: `keep 3 nodes in us / l4 instead of 2 (edit 1)`. */
export function describeAdvised(
  { deployments }: UnplacedFinding,
  remedy: Remedy,
  { nameEdits }: Pick<CiteEdits, 'nameEdits'>,
): string {
  const [{ shortfall, stopped, causes }] = deployments;
  const kept = describeKeptNodes(remedy, causes, (cause) => nameEdits([cause]));
  return kept ?? (shortfall ? formatStep(remedy, shortfall, stopped) : '');
}

/** What to do, and what to do about nodes that the change adds and that are idle without it. */
export function advise(finding: UnplacedFinding, context: AdviceContext): Advice {
  const { idle } = context;
  const advice = adviseOnPlaces(finding, context);
  const remedies = listAdvised(finding, context.diff);
  const used = remedies.filter((remedy) => idle.some((edit) => usesAdded(remedy, edit)));
  if (idle.length === 0 || used.length === 0) return advice;
  const which =
    advice.choices === undefined ? 'that' : used.length < remedies.length ? 'one that uses it' : 'one of these';
  return { ...advice, hint: joinSentences([advice.hint, `Without ${which}, ${describeLeavingOut(idle, context)}`]) };
}

/** Where it is enough to undo an edit, nothing that costs more is said. */
function adviseOnPlaces(finding: UnplacedFinding, context: AdviceContext): Advice {
  const { deployments } = finding;
  const [first] = deployments;
  const { shortfall } = first;
  const { edits } = context;
  if (!shortfall) return { hint: adviseOnError(deployments, edits) };
  if (deployments.every(isUndone)) {
    const result = countMissing(deployments) === 1 ? 'the replica then fits' : 'all replicas then fit';
    return { hint: `Undo ${edits}: ${result}` };
  }
  const kept = deployments.length === 1 ? describeKept(first.id, context.diff) : undefined;
  const remedies = listTexts(first, shortfall, context);
  if (kept !== undefined) return adviseKeeping(kept, remedies, context);
  if (remedies.length === 0 && context.joint) return { hint: '' };
  if (remedies.length === 0) return adviseUndoing(deployments, shortfall, context);
  const remedied = adviseRemedies(
    finding,
    { remedies, shortfall, enough: findEnough(deployments, context.moreNodes) },
    context,
  );
  const advice = limitChoices(remedied, finding, context);
  const { drains = [] } = context;
  return drains.length === 0
    ? advice
    : { ...advice, hint: joinSentences([advice.hint, capitalize(drainFirst(drains))]) };
}

/** To keep what is removed, or a place elsewhere, with which the replicas need not stop. */
function adviseKeeping(kept: string, remedies: readonly RemedyText[], context: AdviceContext): Advice {
  const { drains = [] } = context;
  const first = remedies.slice(0, 1).map((one) => toListedChoice(one, context));
  const choices = first.map((one) =>
    drains.length === 0 ? one : { ...one, text: `${one.text}, and ${drainFirst(drains)}` },
  );
  return toAdvice([{ text: kept, cost: 0 }, ...choices]);
}

interface KnownRemedies {
  readonly remedies: readonly RemedyText[];
  readonly shortfall: ShortfallPlan;

  /** The nodes that are enough for all replicas of several. Undefined: one of the remedies is, or none are known. */
  readonly enough: Choice | undefined;
}

/** The nodes that give all replicas a place. Undefined as `describeEnough` is. */
function findEnough(deployments: readonly UnplacedDeployment[], moreNodes: MoreNodes | undefined): Choice | undefined {
  const text = describeEnough(deployments, moreNodes);
  const cost = (moreNodes?.newPool ?? moreNodes?.extra)?.cost;
  return text === undefined ? undefined : { text, cost: cost?.unknown === 0 ? cost.perMonth : undefined };
}

function adviseRemedies(
  finding: UnplacedFinding,
  { remedies, shortfall, enough }: KnownRemedies,
  context: AdviceContext,
): Advice {
  const { deployments } = finding;
  const [first] = remedies;
  const fewer = chooseFewer(deployments, context);
  const isShared = deployments.length > 1 && first?.keeps === undefined;
  const helped = deployments[0].missing === 1 ? '1' : countHelped(first?.remedy.helps);
  const isWhole = !isShared && remedies.some(({ remedy }) => placesAll(remedy, shortfall));
  if (isWhole || enough === undefined) {
    const label = isShared
      ? `${titleOf(shortfall)} for ${helped} of the ${formatCount(countMissing(deployments))} replicas`
      : labelOnly(first?.remedy, deployments, context.moreNodes);
    const listed = isShared ? remedies : withReach(remedies, shortfall);
    const others = deployments[0].missing > 1 ? chooseNodes(enough, remedies) : [];
    return adviseChoices(listed, [...others, ...fewer], first?.keeps === undefined ? label : undefined, context);
  }
  const label = labelNodes(
    remedies.map(({ remedy }) => remedy),
    deployments,
  );
  const advice = labelSingle([{ text: enough.text }, ...fewer], label, listFollowing(finding, context));
  const partial = remedies.map((one) => toChoice(one, context).text).filter((text) => text !== enough.text);
  return { ...advice, hint: joinSentences([advice.hint, formatPartial(partial, helped)]) };
}

/** The nodes for all replicas, where no remedy is nodes. */
function chooseNodes(enough: Choice | undefined, remedies: readonly RemedyText[]): Choice[] {
  if (!enough || remedies.some(({ remedy }) => remedy.kind === 'nodes')) return [];
  return [{ ...enough, text: beginWithVerb(enough.text) }];
}

/** Adds how many replicas remedies help, where one is not known to place all. */
function withReach(remedies: readonly RemedyText[], shortfall: ShortfallPlan): readonly RemedyText[] {
  if (remedies.every(({ remedy }) => placesAll(remedy, shortfall))) return remedies;
  return remedies.map((one) => {
    const reach = formatReach(one.remedy, shortfall);
    const listed = one.listed && { ...one.listed, text: `${one.listed.text}${reach}` };
    return { ...one, listed, text: `${one.text}${reach}` };
  });
}

/** What helps some of the replicas alone. */
const formatPartial = (texts: readonly string[], helped: string): string =>
  texts.length === 0 ? '' : `For ${helped} of them: ${texts.join('; or ')}`;

/** A list of remedies, or one with a label and with what follows from it. */
function adviseChoices(
  remedies: readonly RemedyText[],
  fewer: readonly Choice[],
  label: string | undefined,
  context: AdviceContext,
): Advice {
  const [first] = remedies;
  if (remedies.length + fewer.length > 1) {
    return toAdvice([...remedies.map((one) => toListedChoice(one, context)), ...fewer]);
  }
  const choices = remedies.map((one) => toChoice(one, context));
  return labelSingle([...choices, ...fewer], context.joint ? undefined : label, listFollowing(first?.remedy, context));
}

/** Advice of which a single choice has a label, and sentences on what follows from it. */
function labelSingle(choices: readonly Choice[], label: string | undefined, following: readonly string[]): Advice {
  const [only, ...others] = choices;
  if (!only || others.length > 0) return toAdvice(choices);
  const text = label === undefined ? only.text : `${label}: ${only.text}`;
  return toAdvice([{ ...only, text }], joinSentences(following));
}

/** Says of choices that they are for one deployment alone, where others lack places too. */
function limitChoices(advice: Advice, { deployments }: UnplacedFinding, { moreNodes }: UnplacedContext): Advice {
  const isLimited = advice.choices !== undefined && deployments.length === 1;
  return isLimited && isOneOfSeveral(deployments, moreNodes) ? { ...advice, scope: 'it alone' } : advice;
}

/** How replicas of removed clusters serve until they do elsewhere, without a full stop. */
function drainFirst(clusters: readonly string[]): string {
  const [names, are] = [joinNames(clusters, MAX_NAMED), clusters.length === 1 ? 'it' : 'them'];
  return `drain ${names} first, in a change of its own, with '${DRAIN_TAINT}' and room for the replicas, and remove ${are} when 'fleetwright lock DIR --finalize' has removed the old ones`;
}

/** `set 'replicas: 3' instead of 5 (edit 1), which have places`. Empty where no more than before have one. */
function chooseFewer(
  [{ causes, of, missing }, ...others]: UnplacedFinding['deployments'],
  { nameEdits }: Pick<UnplacedContext, 'nameEdits'>,
): Choice[] {
  const raise = causes.find(({ field }) => field?.field === 'spec.replicas' && field.after === of);
  const placed = of - missing;
  if (others.length > 0 || !raise || placed <= Number(raise.field?.before ?? placed)) return [];
  return [
    { text: `set 'replicas: ${placed}' instead of ${of} (${nameEdits([raise]) ?? 'that edit'}), which have places` },
  ];
}

interface RemedyText extends Pick<Choice, 'text' | 'listed'> {
  readonly remedy: Remedy;

  /** That it undoes an edit. */
  readonly keeps: string | undefined;

  /** That it takes back more than an edit, as a sentence without its full stop. */
  readonly excess: string | undefined;
}

/** The cheapest remedies in words, without those that are said of all replicas without a place, or of all problems, together. */
function listTexts(
  { stopped, causes }: UnplacedDeployment,
  shortfall: ShortfallPlan,
  context: AdviceContext,
): readonly RemedyText[] {
  return listChoices(shortfall, stopped).flatMap((remedy) => {
    const keeps = remedy.breaks ? undefined : describeKeptNodes(remedy, causes, (cause) => context.nameEdits([cause]));
    if (remedy === context.joint || (context.areNodesAbove && remedy.kind === 'nodes' && keeps === undefined))
      return [];
    const step = describeDrainFirst(remedy, causes, context) ?? formatStep(remedy, shortfall, stopped);
    const text = keeps ?? `${step}${describeField(remedy, context.idle, context)}`;
    const listed = stopped > 0 ? undefined : listMoves(remedy, flagOf(remedy, shortfall));
    return [{ remedy, keeps, text, listed, excess: describeExcess(remedy, causes) }];
  });
}

/** `It takes back more than the edit: it was 2 before`. Undefined: it does not. */
function describeExcess(remedy: Remedy, causes: readonly Cause[]): string | undefined {
  if (remedy.kind !== 'copies') return undefined;
  const edit = causes.find(({ field }) => field?.field.endsWith(`[${remedy.engine}].copies.max`));
  const before = Number(edit?.field?.before);
  return remedy.to < before ? `That is below the ${before} before this change` : undefined;
}

/** A remedy, with what it leaves and saves. */
function toChoice({ remedy, text, listed, excess }: RemedyText, context: AdviceContext): Choice {
  const { solvesOnlyOne, diff, stepsBelow } = context;
  const used = context.idle.filter((edit) => remedy.kind !== 'nodes' && usesAdded(remedy, edit));
  const cost = 'cost' in remedy ? remedy.cost?.perMonth : undefined;
  const isInSteps = remedy.kind === 'move' && stepsBelow > 0;
  const more = [
    ...(isInSteps ? [`The move takes ${pluralize(stepsBelow, 'step')} (below)`] : []),
    ...(excess === undefined ? [] : [excess]),
    ...(used.length === 0 ? [] : [`It uses ${nameAdded(used, context)}`]),
    ...(solvesOnlyOne?.(remedy) ? ['It solves this problem only'] : []),
  ];
  return noteSaved({ text, cost, listed, ...(more.length > 0 && { more }) }, savingsOf(diff));
}

/** A choice in a list, with what is wrong once it is made. */
function toListedChoice(remedy: RemedyText, context: AdviceContext): Choice {
  const choice = toChoice(remedy, context);
  const more = [...(choice.more ?? []), ...listFollowing(remedy.remedy, context)];
  return { ...choice, text: beginWithVerb(choice.text), ...(more.length > 0 && { more }) };
}

/** `add 1 more node in us / h100`: nodes have no verb where a label is before them. */
function beginWithVerb(text: string): string {
  return /^(\d|an? |another )/.test(text) ? `add ${text}` : text;
}

/** What is wrong once the only remedy is made, and what to do about it, as sentences without their full stops. */
function listFollowing(remedy: Remedy | UnplacedFinding | undefined, { followUpsOf }: UnplacedContext): string[] {
  const further = remedy ? (followUpsOf?.(remedy) ?? []) : [];
  return further.flatMap(({ what, hint }) => [capitalize(what), ...(hint === '' ? [] : [hint])]);
}

/** To undo the edits, or what else helps where no remedy is known. Empty where nodes for all are said above, and no taint keeps it off. */
function adviseUndoing(
  deployments: UnplacedFinding['deployments'],
  shortfall: ShortfallPlan,
  { edits, areNodesAbove = false }: UnplacedContext & { readonly edits: string },
): Advice {
  const ways = listWaysToOpen(shortfall);
  if (areNodesAbove && (shortfall.remedies.length > 0 || !ways)) return { hint: '' };
  const undo = deployments.every(mayUndo) ? [{ text: `undo ${edits}` }] : [];
  if (ways) return toAdvice([...undo, ...ways.map((text) => ({ text }))]);
  const advice = adviseOn(shortfall, []);
  return advice.includes(': ') ? toAdvice(undo, advice) : toAdvice([...undo, { text: decapitalize(advice) }]);
}

function adviseOnError(deployments: UnplacedFinding['deployments'], edits: string): string {
  const [{ homeless }] = deployments;
  if (deployments.every(losesHardware)) return `Undo ${edits}; or ${REPLACE_HARDWARE}`;
  return homeless ? adviseHomeless(homeless) : `Undo ${edits}`;
}

export function losesCluster({ homeless }: UnplacedDeployment): boolean {
  return homeless !== undefined && losesClusters(homeless);
}

export function losesHardware({ homeless }: UnplacedDeployment): boolean {
  return homeless !== undefined && isReplaced(homeless);
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
