import type { DeploymentOutcome } from '../../analyze/what-if/what-if';
import { formatCount } from '../../base/figures';
import { groupBy, sortUnique } from '../../base/order';
import { describeReplacement, joinNames, placeText, pluralize } from '../../base/text';
import { restartsWithNodes } from '../../diff/serving-during-change';
import type { Change, DeploymentPlan, PlacedReplica, Usage } from '../../plan/plan';
import { formatEvictionReason } from '../../plan/rejection-messages';
import type { ReplicaChange } from '../../plan/replica-moves';
import { describeLostReplica, formatLowest, formatNodes } from '../diff/change-sentences';
import { formatReplicaRow, mergeReplicaRows } from '../diff/replica-rows';
import { isLoss } from '../../scheduler/lost-clusters';
import type { ShortDeployment } from '../diff/shortfall-changes';
import { type Block, CHANGE_MARKS, indent, type Item, section, strong, styledLines } from '../document/document';
import {
  groupAlike,
  MAX_GROUP_NAMES,
  MAX_SINGLE_ITEMS,
  mergeAlike,
  nameClusters,
  showFirstOfAlike,
  templateOf,
} from '../document/group-alike';
import { formatLayoutLine } from './layout-text';
import { formatShortfall } from './shortfall-text';
import { formatKeptPlaces, OUTCOME_WORDS, plannedOutcomeOf } from './total-line';

/** Which deployments of a plan are shown, and how. */
interface DeploymentsView {
  /** Whether to list replicas that stay. */
  readonly all: boolean;

  /** The command that lists equal deployments one by one. Absent: they are listed. */
  readonly each?: string | undefined;
}

/** Whether several deployments lack places, so that the remedies of each are for it alone. */
function areSeveralShort(deployments: readonly Partial<Pick<DeploymentPlan, 'shortfall'>>[]): boolean {
  return deployments.filter(({ shortfall }) => shortfall).length > 1;
}

/**
 * Formats the plans of deployments: one line per replica that is listed, and why others have no place. Of many
 * deployments, those to which the same happens are one.
 */
export function formatDeployments(deployments: readonly DeploymentOutcome[], { all, each }: DeploymentsView): Block[] {
  const groups = each === undefined ? deployments.map((one) => [one]) : groupAlike(deployments, outcomeKeyOf);
  const view = { all, alone: areSeveralShort(deployments), isMerged: each !== undefined };
  const items = groups.flatMap((group) =>
    group.length > 1 ? formatDeploymentGroup(group) : group.map((one) => formatDeploymentPlan(one, view)),
  );
  const isShort = each !== undefined && items.length < deployments.length;
  const isMerged = each !== undefined && groups.some(([one, ...others]) => others.length === 0 && hasManyRows(one));
  const what = [...(isShort ? ['deployment'] : []), ...(isMerged ? ['replica'] : [])].join(' and ');
  return [
    ...indent(items.flatMap((item) => [item, ''])),
    ...section(styledLines('faint', what === '' ? [] : [`Each ${what}: '${each}'.`])),
  ];
}

/** Formats deployments of which replicas have no place. */
export function formatShortDeployments(deployments: readonly ShortDeployment[], isGrouped: boolean): Block[] {
  const alone = areSeveralShort(deployments);
  const shown = isGrouped
    ? showFirstOfAlike(deployments, {
        keyOf: ({ deployment, shortfall }) => templateOf([formatShortfall(shortfall)], [deployment]),
        nameOf: ({ deployment }) => deployment,
        blocksOf: (one) => [formatShort(one, alone)],
        after: [''],
      })
    : deployments.flatMap((one) => [formatShort(one, alone), '']);
  return indent(shown);
}

function formatShort({ deployment, replicas, shortfall }: ShortDeployment, alone: boolean): Item {
  const count = formatReplicaCount({ replicas, missing: shortfall.missing });
  return { text: [strong(deployment), `   ${count}`], below: [formatShortfall(shortfall, alone)] };
}

/** Whether the changes of the replicas of a deployment are too many to list each. */
function hasManyRows({ changes, onLostNodes = [] }: Partial<DeploymentOutcome> = {}): boolean {
  return [changes ?? [], onLostNodes].some(({ length }) => length > MAX_SINGLE_ITEMS);
}

interface ReplicasView {
  /** Whether to list replicas that stay, or else to count them. */
  readonly all: boolean;

  /** Whether other deployments have remedies of their own. */
  readonly alone: boolean;

  /** Whether many replicas to which the same happens are one row. */
  readonly isMerged: boolean;
}

function formatDeploymentPlan(plan: DeploymentOutcome, { all, alone, isMerged }: ReplicasView): Item {
  const { deployment, replicas, engines, staying = [], changes, shortfall, layouts = [], onLostNodes = [] } = plan;
  const nodesOf = new Map(onLostNodes.map((change) => [placeText(change.from ?? change), formatNodes(change)]));
  const count = formatReplicaCount({
    replicas,
    missing: shortfall?.missing,
    engines,
    staying: all ? 0 : staying.length,
  });
  return {
    text: [strong(deployment), `   ${count}${plan.serving ? formatLowest(plan.serving) : ''}`],
    below: [
      ...layouts.map((layout) => formatLayoutLine(layout, layouts.length)),
      ...(all ? staying : []).map((replica) => {
        return { mark: CHANGE_MARKS.keep, cells: [placeText(replica.placement)], text: formatReplicaUsage(replica) };
      }),
      ...formatReplicaRows(changes, nodesOf, isMerged),
      ...formatRestarts(onLostNodes.filter(restartsWithNodes), isMerged),
      ...(shortfall ? [formatShortfall(shortfall, alone)] : []),
    ],
  };
}

/** The row of each replica, or of many one for those to which the same happens. */
function formatReplicaRows(
  changes: readonly Change[],
  nodesOf: ReadonlyMap<string, string>,
  isMerged: boolean,
): readonly Item[] {
  const nodesTextOf = (change: Change): string =>
    nodesOf.get(placeText('from' in change ? change.from : change.replica.placement)) ?? '';
  const one = (change: Change): Item => {
    const place = placeText('replica' in change ? change.replica.placement : change.from);
    const text = `${changeText(change)}${nodesTextOf(change)}`;
    return { mark: CHANGE_MARKS[change.action], cells: [place], text };
  };
  if (!isMerged) return changes.map(one);
  return mergeAlike(changes, {
    keyOf: (change) => `${changeKeyOf(change)}${nodesTextOf(change)}`,
    kindOf: plannedOutcomeOf,
    one,
    several: (all, isAlike) => (isAlike ? formatChanges(all, nodesTextOf(all[0])) : countChanges(all)),
  });
}

/** The replicas that restart with their nodes. */
function formatRestarts(changes: readonly ReplicaChange[], isMerged: boolean): Item[] {
  const restarts = changes.map((change) => ({ ...change, causes: [] }));
  return isMerged ? mergeReplicaRows(restarts) : restarts.map((change) => formatReplicaRow(change));
}

interface ReplicaCount {
  readonly replicas: number;
  readonly missing?: number | undefined;

  /** The engines of a replica. */
  readonly engines?: number;

  /** How many replicas do not change and are not listed. */
  readonly staying?: number;
}

/**
 * `3 replicas, 2 keep their places`, `4 of 5 replicas have a place, 2 of them unchanged`. Where more stay than have the
 * place that is asked for, they are old ones: `0 of 3 replicas have a place as declared, 3 stay as they are`.
 */
function formatReplicaCount({ replicas, missing = 0, engines = 1, staying = 0 }: ReplicaCount): string {
  const of = engines > 1 ? ` of ${pluralize(engines, 'engine')}` : '';
  if (missing === 0)
    return `${pluralize(replicas, 'replica')}${of}${staying > 0 ? `, ${formatKeptPlaces(staying)}` : ''}`;
  const having = replicas - missing;
  const count = `${formatCount(having)} of ${pluralize(replicas, 'replica')}${of} ${having === 1 || replicas === 1 ? 'has' : 'have'} a place`;
  if (staying > having)
    return `${count} as declared, ${formatCount(staying)} ${staying === 1 ? 'stays as it is' : 'stay as they are'}`;
  return `${count}${staying > 0 ? `, ${staying === having ? '' : `${formatCount(staying)} of them `}unchanged` : ''}`;
}

function changeText(change: Change): string {
  if (change.action === 'remove') return formatEvictionReason(change.reason);
  const usage = formatReplicaUsage(change.replica);
  if (change.action === 'place') return usage;
  if (change.action === 'draining')
    return `${usage}   draining, until it${change.unreplaced ? 's replacement fits' : ' is finalized'}`;
  if (change.action === 'lost') return `${usage}   ${describeLostReplica(change.replica.placement.cluster)}`;
  return `${usage}   from ${placeText(change.from)}${describeMove(change)}`;
}

/** Formats what a replica takes: one part a pool. */
export function formatReplicaUsage({ usage }: Pick<PlacedReplica, 'usage'>): string {
  return usage.map(formatUsage).join('; ');
}

/** Formats what a replica takes of a pool, and how much of it is for rollouts: `pool h200: 2 whole nodes (16 gpu)`. */
export function formatUsage(usage: Usage): string {
  const { pool, nodes, devices, surge = {} } = usage;
  const amounts = formatDeviceAmounts(devices);
  const spare = formatDeviceAmounts(surge).map((amount) => `${amount} of it for rollouts`);
  if (nodes === 0) return `pool ${pool}: ${formatWithin(amounts.join(', '), spare)}`;
  const whole = pluralize(nodes, 'whole node');
  if (takesWholeNodes(usage)) return `pool ${pool}: ${formatWithin(whole, [...amounts, ...spare])}`;
  return `pool ${pool}: ${formatWithin([whole, ...amounts].join(', '), spare)}`;
}

/** `2 whole nodes (16 gpu)`: a text, and what it includes. */
function formatWithin(text: string, parts: readonly string[]): string {
  return parts.length > 0 ? `${text} (${parts.join(', ')})` : text;
}

/** Whether no pod of a replica leaves room on its node for others. */
function takesWholeNodes({ nodes, share, surgeShare = 0 }: Usage): boolean {
  return nodes === share + surgeShare;
}

function formatDeviceAmounts(devices: Readonly<Record<string, number>>): string[] {
  return Object.entries(devices).map(([request, count]) => `${formatCount(count)} ${request}`);
}

/** What deployments to which the same happens have in common, without how many replicas it concerns. */
function outcomeKeyOf({ deployment, engines, changes, shortfall, layouts = [] }: DeploymentPlan): string {
  return templateOf(
    [
      `${engines}`,
      ...layouts.map((layout) => formatLayoutLine(layout, 1)),
      ...sortUnique(changes.map(changeKeyOf)),
      ...(shortfall ? [formatShortfall(shortfall)] : []),
    ],
    [deployment],
  );
}

/** What happens to a replica, without its cluster. */
function changeKeyOf(change: Change): string {
  return `${plannedOutcomeOf(change)} ${usageOf(change)} ${describeHow(change)}`;
}

function usageOf(change: Change): string {
  return 'replica' in change ? formatReplicaUsage(change.replica) : '';
}

function describeHow(change: Change): string {
  if (change.action === 'remove') return `: ${formatEvictionReason(change.reason)}`;
  if (change.action === 'place') return '';
  if (change.action === 'draining') return change.unreplaced ? '' : ', until they are finalized';
  if (change.action === 'lost') return ', which do not serve: their cluster is lost';
  return describeMove(change);
}

/** `, serving until it is finalized: the cluster is drained`. One of a lost cluster does not serve. */
function describeMove({ reason, surgeFirst }: Extract<Change, { action: 'move' }>): string {
  return `${isLoss(reason) ? '' : `, ${describeReplacement(surgeFirst)}`}: ${formatEvictionReason(reason)}`;
}

/** `500 deployments: ml/a, ml/b, ml/c, 497 more   3,000 replicas`, with what happens to how many of them. */
function formatDeploymentGroup(group: readonly DeploymentPlan[]): Item[] {
  const [first] = group;
  if (!first) return [];
  const sum = (of: (plan: DeploymentPlan) => number): number => group.reduce((total, plan) => total + of(plan), 0);
  const [replicas, staying] = [sum((plan) => plan.replicas), sum((plan) => plan.staying?.length ?? 0)];
  const missing = sum(({ shortfall }) => shortfall?.missing ?? 0);
  const names = joinNames(
    group.map(({ deployment }) => deployment),
    MAX_GROUP_NAMES,
  );
  const count = formatReplicaCount({ replicas, missing, staying });
  const changes = groupBy(
    group.flatMap((plan) => plan.changes),
    changeKeyOf,
  );
  return [
    {
      text: [strong(pluralize(group.length, 'deployment')), `: ${names}   ${count}`],
      below: [
        ...(first.layouts ?? []).map((layout) => formatLayoutLine(layout, 1)),
        ...[...changes.values()].flatMap(([one, ...others]) => (one ? [formatChanges([one, ...others])] : [])),
        ...(first.shortfall ? ['of each:', { indent: 2, blocks: [formatShortfall(first.shortfall, true)] }] : []),
      ],
    },
  ];
}

/**
 * `+ 500 placed on 30 clusters   pool l4: 1 gpu each`.
 *
 * @param nodes what happens to the nodes of each
 */
function formatChanges(changes: Changes, nodes = ''): Item {
  const [first] = changes;
  const usage = usageOf(first);
  const taken = usage === '' ? '' : `   ${usage}${changes.length > 1 ? ' each' : ''}`;
  const { text, ...item } = countChanges(changes);
  return { ...item, text: `${text}${describeHow(first)}${nodes}${taken}` };
}

type Changes = readonly [Change, ...Change[]];

/** `+ 500 placed on 30 clusters`. */
function countChanges(changes: Changes): Item & { readonly text: string } {
  const [first] = changes;
  const where = nameClusters(changes.map(clusterOf));
  const what = `${formatCount(changes.length)} ${OUTCOME_WORDS[plannedOutcomeOf(first)]} on ${where}`;
  return { mark: CHANGE_MARKS[first.action], text: what };
}

function clusterOf(change: Change): string {
  return 'replica' in change ? change.replica.placement.cluster : change.from.cluster;
}
