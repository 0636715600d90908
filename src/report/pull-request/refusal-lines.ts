import type { MoreNodes } from '../../analyze/survive/more-nodes';
import type { Diagnostic } from '../../base/diagnostic';
import type { DiagnosticCode } from '../../base/diagnostic-codes';
import { groupBy } from '../../base/order';
import { redact } from '../../base/redaction';
import { capitalize, decapitalize, joinNames, pluralize, toSentence } from '../../base/text';
import type { FleetDiff } from '../../diff/fleet-diff';
import { listPolicyEdits } from '../../diff/policy-changes';
import type { PolicyDiagnostic } from '../../fleet/policy';
import type { Plan } from '../../plan/plan';
import { formatRejectionReason } from '../../plan/rejection-messages';
import { formatMoreNodesLine } from '../analyze/added-nodes-text';
import type { CiteEdits } from '../diff/change-sentences';
import {
  ACCEPT_REMOVALS,
  type Advice,
  type Choice,
  formatChoiceLines,
  introduceChoices,
  savingsOf,
} from '../diff/choices';
import { describeCrowded } from '../diff/crowded-findings';
import type { Located } from '../diff/finding-descriptions';
import { describeGateFindings, limitAdvice, type RefusalText } from '../diff/gate-text';
import { contextOf, countProblems, describeJoint, type Refusals, scopeOf, withSettled } from '../diff/refusals';
import { listKeptOn, mayUndo, type UnplacedDeployment, type UnplacedFinding } from '../diff/unplaced-findings';
import { describeEnough, isUndone } from '../diff/unplaced-advice';
import { describeUnplaced } from '../diff/unplaced-sentences';
import type { Block } from '../document/document';
import { MIN_GROUP } from '../document/group-alike';
import { escapeMarkdown, formatCode } from '../document/write-markdown';
import { numberSteps } from '../plan/listed-moves';
import { homelessOf, listHomelessReasons, summarizeHomeless } from '../plan/homeless-text';
import { formatFaultEffect, listCauses } from '../plan/resource-error-text';
import { MAX_REASON_LINES, placeOf, summarizeRejections } from '../plan/shortfall-text';
import { dedupeCauses, toCauses } from '../../diff/replica-causes';
import { findIdleNodes } from '../../diff/idle-nodes';
import { formatLockSteps, type NextCommands } from './lock-steps';
import { explainLostLabels } from './lost-labels';
import { groupPolicies, groupWarnings, MAX_ITEM_CHARACTERS, MAX_LIST_ITEMS } from './warning-lines';

export interface OutOfDateLock extends Pick<NextCommands, 'command' | 'synth'> {
  readonly path: string;
  readonly missing: boolean;

  /** Whether the command writes nothing until there is room, or a shortfall is accepted. */
  readonly short: boolean;

  /** Whether the command writes nothing until the removal of most replicas is accepted, even once there is room. */
  readonly removes: boolean;

  /** Whether to give up the replicas without a place is such a removal. Default: as `removes` says. */
  readonly givesUpMost?: boolean;
}

/** What fails a change, and what its lines refer to. */
interface RefusedComment {
  readonly refusals: Refusals;
  readonly cite: CiteEdits;
  readonly located?: Located | undefined;
  readonly removal?: RefusalText | undefined;
  readonly outOfDate?: OutOfDateLock | undefined;
  readonly moreNodes?: MoreNodes | undefined;

  /** What the earlier rules say of the later state. Default: that is not known. */
  readonly policiesUndone?: Plan['policies'] | undefined;
}

/** The most clusters that keep old replicas to name. */
const MAX_KEPT = 3;

/** The most problems of replicas without a place that have lines of their own. */
const MAX_UNPLACED = 3;

/**
 * Formats why a change is refused as a list: for each problem what it means, in bold, and below it what to do. Replicas
 * without a place come first, then errors, what the gate refuses, what policies deny, and a lock that is out of date.
 */
export function formatRefusalLines(
  comment: RefusedComment,
  diff: FleetDiff,
  { policies }: Pick<Plan, 'policies'>,
): string[] {
  const { refusals, cite, located, removal, outOfDate } = comment;
  const denied = groupBy(
    policies.filter(({ severity }) => severity === 'error'),
    ({ rule, hint }) => `${rule} ${hint}`,
  );
  const cited = located && withSettled(refusals, { ...located, cite, saved: savingsOf(diff) });
  const found = cited ? describeGateFindings(refusals.findings, cited) : [];
  const scope = scopeOf(refusals);
  const crowded = refusals.crowded.map((one) => describeCrowded(one, cite));
  const kept = [...refusals.crowded.flatMap(({ errors }) => errors), ...refusals.errors];
  const items = [
    ...crowded.map(({ what, ...advice }) => formatAdvised(what, '', advice)),
    ...formatErrors(listCauses(refusals.errors), diff),
    ...[...(removal ? [removal] : []), ...found].map(({ what, effect, ...advice }) => {
      return formatAdvised(what, effect === undefined ? '' : toSentence(effect), { ...advice, scope });
    }),
    ...[...denied.values()].flatMap((group) => {
      const hints = group.slice(0, 1).flatMap((one) => listPolicyHints(one, comment, diff));
      return groupPolicies(group).map((text) => formatItem(text.replace(/\.$/, ''), hints));
    }),
  ];
  const more = items.length - MAX_LIST_ITEMS;
  const lines = [
    ...formatJoint(comment, diff),
    ...formatUnplaced(comment, diff),
    ...items.slice(0, MAX_LIST_ITEMS).flat(),
    ...(more > 0 ? [`- and ${more} more findings`] : []),
    ...formatFaultEffect(kept).map((text) => `- ${escapeMarkdown(text)}`),
  ];
  const mark = lines.length === 0 ? '- :x:' : '-';
  const keptOn = listKeptOn(refusals.unplaced);
  const others = items.length > 0 && refusals.unplaced.length > 0;
  const lock = outOfDate ? [`${mark} ${formatOutOfDateLock(outOfDate, denied.size > 0, { keptOn, others })}`] : [];
  return explainFlag([...lines, ...lock]);
}

const ACCEPT_LABEL = ` (in workflows that ${formatCode('fleetwright init')} writes: the label ${formatCode('accept-removals')} on the pull request)`;

/** Says once how a pull request gets the flag that accepts removals. */
function explainFlag(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line.includes(ACCEPT_REMOVALS));
  return lines.map((line, i) =>
    i === first ? line.replace(ACCEPT_REMOVALS, `${ACCEPT_REMOVALS}${ACCEPT_LABEL}`) : line,
  );
}

/** What solves all problems at once, as an item before them. */
function formatJoint({ refusals, cite, located }: RefusedComment, diff: FleetDiff): string[] {
  // A change that policies deny, or that removes too much, has no such remedy.
  const problems = located ? countProblems(refusals, located, { removal: false, denied: 0 }) : 0;
  const joint = describeJoint(refusals, problems, { cite, diff });
  return joint === undefined ? [] : [`- **${escapeItem(joint)}.**`];
}

/** What to do about what a rule denies: first that its edits are undone, where the rule as it was denies nothing. */
function listPolicyHints(
  { rule, hint, fewer = [] }: PolicyDiagnostic,
  { cite, policiesUndone }: RefusedComment,
  diff: FleetDiff,
): string[] {
  const { policies, declarations } = diff;
  const [only, ...others] = fewer;
  const idle = only && others.length === 0 ? findIdleNodes(only, diff) : [];
  const added = idle.length === 0 ? undefined : cite.nameEdits(idle);
  const nodes = idle.length === 1 ? 'its nodes are' : 'their nodes are';
  const hints = [
    ...(added === undefined ? [] : [`With fewer replicas, undo ${added} too: otherwise ${nodes} idle.`]),
    ...(hint === undefined ? [] : [toSentence(hint)]),
  ];
  const isMetUndone = policiesUndone?.every((one) => one.rule !== rule || one.severity !== 'error');
  const edited = listPolicyEdits(policies, declarations).filter(({ id }) => id === `policy ${rule}`);
  const edits = isMetUndone ? cite.nameEdits(edited.flatMap(toCauses)) : undefined;
  return edits === undefined ? hints : [`Undo ${edits}.`, ...hints.map((one) => `Otherwise: ${decapitalize(one)}`)];
}

/** `- :x: **What is wrong.** More of it.`, and a line for each sentence below. */
function formatItem(what: string, below: readonly string[], rest = '', mark = ':x:'): string[] {
  const more = rest === '' ? '' : ` ${escapeItem(rest)}`;
  return [`- ${mark} **${escapeItem(what)}.**${more}`, ...below.map((text) => `  ${escapeItem(text)}`)];
}

/** What to do about a problem, and what it follows from. */
interface ItemAdvice extends Advice {
  /** As a sentence. Default: it is not said. */
  readonly why?: string;

  /** What the advice solves. Default: it is clear. */
  readonly scope?: string | undefined;

  /** The sign before it. Default: that of what fails a change. */
  readonly mark?: string;
}

/** A problem with what to do about it: a sentence, or a list of choices behind the reason. */
export function formatAdvised(
  what: string,
  rest: string,
  { choices = [], hint, steps = [], why, scope, mark }: ItemAdvice,
): string[] {
  const reason = why === undefined ? [] : [why];
  const numbered = numberSteps(steps).map((step) => `  ${escapeItem(step)}`);
  if (choices.length === 0) {
    const advice = hint === '' ? [] : [toSentence(limitAdvice(hint, scope))];
    const text = numbered.length === 0 ? [...advice, ...reason] : [...reason, ...advice];
    return [...formatItem(what, text, rest, mark), ...numbered];
  }
  return [
    ...formatItem(what, [...reason, introduceChoices(choices, scope)], rest, mark),
    ...formatChoiceList(choices),
    ...(hint === '' ? [] : ['', `  ${escapeItem(toSentence(hint))}`]),
    ...numbered,
  ];
}

/** The most choices that are not folded. */
const MAX_CHOICES = 3;

function formatChoiceList(choices: readonly Choice[]): string[] {
  const items = choices.map((one) => formatChoiceLines(one).map((line) => `  ${escapeLine(line)}`));
  const folded = items.slice(MAX_CHOICES);
  if (folded.length === 0) return items.flat();
  const fold = [
    '',
    '  <details>',
    `  <summary>Or one of ${folded.length} more</summary>`,
    '',
    ...folded.flat(),
    '',
    '  </details>',
    '',
  ];
  return [...items.slice(0, MAX_CHOICES).flat(), ...fold];
}

/** Escapes a line behind the sign of its item. */
function escapeLine(line: string): string {
  const [sign = ''] = /^ *(?:-|\d+\.) /.exec(line) ?? [];
  return `${sign}${escapeItem(line.slice(sign.length))}`;
}

function escapeItem(text: string): string {
  return escapeMarkdown(text.slice(0, MAX_ITEM_CHARACTERS));
}

function formatErrors(errors: readonly Diagnostic[], { declarations }: FleetDiff): string[][] {
  const explained = explainLostLabels(errors, declarations);
  return [...groupBy(explained, ({ code }) => code).values()].flatMap((group) => {
    if (group.length >= MIN_GROUP) return groupWarnings(group).map((text) => formatItem(text.replace(/\.$/, ''), []));
    return group.map((error) => {
      const { at, hint = '', subject } = error;
      const homeless = homelessOf(error);
      const text = homeless ? summarizeHomeless(homeless) : nameField(error);
      const what = subject === undefined ? text : `${subject}: ${text}`;
      return formatItem(redact(what), hint === '' ? [] : [toSentence(redact(hint))], `(${at})`);
    });
  });
}

/** Errors whose messages say what is wrong with a value, and not of which field. */
const OF_VALUES: ReadonlySet<DiagnosticCode> = new Set([
  'bad-address',
  'bad-duration',
  'bad-label',
  'bad-name',
  'bad-quantity',
  'bad-value',
  'not-text',
  'out-of-bounds',
  'unknown-value',
  'wrong-type',
]);

/** A message behind its field, where that is not said. */
function nameField({ code, field = '', message }: Diagnostic): string {
  return OF_VALUES.has(code) && field !== '' ? `${field}: ${message}` : message;
}

function formatUnplaced({ refusals, cite, located, moreNodes }: RefusedComment, diff: FleetDiff): string[] {
  const { unplaced } = refusals;
  const listed = unplaced.slice(0, MAX_UNPLACED);
  const enough = formatNodesForAll(unplaced, listed, moreNodes);
  const areNodesAbove = enough !== undefined && moreNodes?.stranded.length === 0;
  const texts = listed.map((finding) => {
    const known = contextOf(refusals, finding, located && { ...located, cite });
    const context = { ...cite, diff, moreNodes, areNodesAbove, areStepsBelow: true, ...known };
    return describeUnplaced(finding, context);
  });
  const lines = texts.flatMap(({ what, left, why, ...advice }) => {
    const scope = scopeOf(refusals) ?? advice.scope;
    return formatAdvised(what, left, { ...advice, why: toSentence(`Why: ${why}`), scope });
  });
  const isAdvised = !areNodesAbove || texts.some(({ choices, hint }) => choices !== undefined || hint !== '');
  const others = isAdvised || scopeOf(refusals) !== undefined ? '' : describeOtherWays(unplaced, cite);
  const more = unplaced.length - MAX_UNPLACED;
  return [
    ...(enough === undefined ? [] : [`- ${escapeMarkdown(`${enough}.${others}`)}`]),
    ...lines,
    ...(more > 0 ? [`- and replicas of other deployments, for ${pluralize(more, 'other reason')}`] : []),
  ];
}

/** ` Or undo edit 1, or lower spec.replicas.`: what to do instead of adding nodes, for all problems. */
function describeOtherWays(unplaced: readonly UnplacedFinding[], { nameEdits }: CiteEdits): string {
  const all = unplaced.flatMap(({ deployments }) => deployments);
  const edits = all.every(mayUndo) ? nameEdits(dedupeCauses(all.flatMap(({ causes }) => causes))) : undefined;
  return ` Or ${edits === undefined ? '' : `undo ${edits}, or `}lower spec.replicas.`;
}

/**
 * The nodes that help replicas of several problems. Undefined: there are none, or a problem in the list says them, as it is
 * the only one that nodes help.
 */
function formatNodesForAll(
  unplaced: readonly UnplacedFinding[],
  listed: readonly UnplacedFinding[],
  moreNodes: MoreNodes | undefined,
): string | undefined {
  const isUndo = unplaced.some(({ deployments }) => deployments.every(isUndone));
  const isSaid = listed.some(({ deployments }) => describeEnough(deployments, moreNodes) !== undefined);
  if (unplaced.length < 2 || isUndo || isSaid || !moreNodes) return undefined;
  const unhelped = listed.flatMap(({ deployments }) => deployments.filter((one) => !isHelpedByNodes(one)));
  return formatMoreNodesLine(moreNodes, { said: new Set(unhelped.map(({ id }) => id)) });
}

function isHelpedByNodes({ shortfall }: UnplacedDeployment): boolean {
  return shortfall?.remedies.some(({ kind }) => kind === 'nodes') ?? false;
}

/** How to move replicas in a change of its own, before that of the comment. */
export function listMoveSteps({ refusals, cite, moreNodes }: RefusedComment, diff: FleetDiff): Block[] {
  return refusals.unplaced.flatMap((one) => {
    const context = { ...cite, diff, moreNodes, ...contextOf(refusals, one, undefined) };
    return [...describeUnplaced(one, context).moveSteps];
  });
}

/** The reasons against all places of replicas without one, as blocks: the list above has the one that decides. */
export function listOtherReasons(unplaced: readonly UnplacedFinding[]): Block[] {
  return unplaced.flatMap(({ deployments }) => {
    const [{ shortfall, homeless }] = deployments;
    const names = deployments.map(({ id }) => id).join(', ');
    const { rejections = [] } = shortfall ?? {};
    const lines =
      rejections.length > MAX_REASON_LINES
        ? summarizeRejections(rejections)
        : rejections.map((one) => `${placeOf(one)}: ${formatRejectionReason(one).replaceAll(/ {2,}/g, ' ')}`);
    const all = homeless ? listHomelessReasons(homeless) : lines;
    return all.length < (homeless ? 1 : 2) ? [] : [names, { indent: 4, blocks: all }];
  });
}

/**
 * @param isDenied whether policies deny the plan. Then the command writes nothing.
 * @param keptOn the clusters on which old replicas serve in place of those without a place. Undefined: some do not serve
 * @param others whether there are other problems
 */
function formatOutOfDateLock(
  { path, command, synth, missing, short, removes, givesUpMost = removes }: OutOfDateLock,
  isDenied: boolean,
  { keptOn, others }: { readonly keptOn: readonly string[] | undefined; readonly others: boolean },
): string {
  const is = missing ? `There is no ${formatCode(path)} yet` : `${formatCode(path)} is out of date`;
  const what = `${is}, so ${formatCode(`${command} --check`)} fails`;
  if (isDenied) return `${what}. The lock cannot be written until the policies are met.`;
  const own = removes ? `${command} --accept-removals` : command;
  const steps = formatLockSteps([own], synth);
  if (!short) return `${what}. ${removes ? `If the removal is intended, ${steps}` : capitalize(steps)}.`;
  const or = keptOn
    ? `keep the old replicas on ${joinNames(keptOn.map(formatCode), MAX_KEPT)} for now`
    : 'give the replicas up';
  const accepting = `${command}${givesUpMost ? ' --accept-removals' : ''} --accept-unplaced`;
  const rest = others ? ' That leaves the other problems.' : '';
  return `${what}. Correct the above, ${steps}. Or ${or}: ${formatLockSteps([accepting], synth)}.${rest}`;
}
