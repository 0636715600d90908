import { formatCount } from '../../base/figures';
import { formatSignedAmount } from '../../base/money';
import { joinAnd, joinNames, pluralize } from '../../base/text';
import type { DeploymentDiff } from '../../diff/deployment-diff';
import type { ReservedForRollouts } from '../../diff/raised-surges';
import type { RolloutRoom } from '../../diff/rollout-room';
import { formatRuleEdits } from '../../plan/remedy-messages';
import { formatQuotaRaise } from './earlier-edits';
import { formatReserved } from './reserved-text';

/** The most pools or deployments to name. */
const MAX_NAMED = 3;

const ADD_CAPACITY = 'Add capacity';

/** What gives old and new engines room at the same time. */
export function hintAtBoth(room: RolloutRoom | undefined): string {
  const needs = `${room ? addRoom(room) || ADD_CAPACITY : ADD_CAPACITY}${formatRulesToo(room)}, so`;
  return `${needs} that old and new replicas fit at the same time`;
}

/** `, and raise budget.perMonth of rule ...`. Empty where no rule denies the nodes. */
function formatRulesToo(room: RolloutRoom | undefined): string {
  return room?.breaks ? `, and ${formatRuleEdits(room.breaks)}` : '';
}

/** `, and raise the quota of queue ...`. Empty where the quotas are enough. */
function formatQuotasToo({ quotas = [] }: RolloutRoom): string {
  return quotas.length === 0 ? '' : `, and ${joinAnd(quotas.map(formatQuotaRaise))}`;
}

/** ` (it reserves 8 GPUs of us/h100 worth $7,300 a month)`. Empty for gangs, whose idle nodes have a sentence of their own. */
function formatReservedBy({ reserved = [], gang, missing }: RolloutRoom): string {
  if (reserved.length === 0 || (gang && missing.length === 0)) return '';
  // The nodes that it lacks have their price.
  const shown = missing.length === 0 ? reserved : reserved.map(withoutCost);
  return ` (it reserves ${formatReserved(shown)})`;
}

function withoutCost(reserved: ReservedForRollouts): ReservedForRollouts {
  const { cost: _, ...rest } = reserved;
  return rest;
}

/**
 * `1 more node of us/h100 (+$64,598 a month)`, `3 more nodes (+$88,768 a month: 1 of us/h100 for +$28,397; 2 of eu/h100
 * for +$60,371)`. Empty where there is room.
 */
function formatMissingRoom({ missing }: Pick<RolloutRoom, 'missing'>): string {
  const total = missing.length > 1 ? sumOf(missing) : undefined;
  if (!total) {
    const parts = missing.map(({ pool, nodes, cost, free }) => {
      return `${pluralize(nodes, 'more node')} of ${pool} (${priceOf(cost)}${describeFree(free)})`;
    });
    return joinNames(parts, MAX_NAMED, ' and ');
  }
  const nodes = missing.reduce((sum, one) => sum + one.nodes, 0);
  const parts = missing.map(({ pool, nodes: own, cost, free }) => {
    const amount = cost ? ` for ${formatSignedAmount(cost.perMonth, cost.currency)}` : '';
    return `${formatCount(own)} of ${pool}${amount}${free === undefined ? '' : `, where ${formatFree(free)}`}`;
  });
  const all = joinNames(parts, MAX_NAMED, '; ');
  return `${pluralize(nodes, 'more node')} (${formatSignedAmount(total.perMonth, total.currency)} a month: ${all})`;
}

/** What nodes of several pools cost a month. Undefined where a price is unknown. */
function sumOf(missing: readonly MissingNodes[]): MissingNodes['cost'] {
  const costs = missing.flatMap(({ cost }) => cost ?? []);
  const [first] = costs;
  if (!first || costs.length < missing.length) return undefined;
  return { perMonth: costs.reduce((sum, { perMonth }) => sum + perMonth, 0), currency: first.currency };
}

/** `; 3 devices are free, but no node is sure to have enough of them`. Empty where they are too few. */
function describeFree(free: number | undefined): string {
  return free === undefined ? '' : `; ${formatFree(free)}`;
}

function formatFree(free: number): string {
  return `${pluralize(free, 'device')} ${free === 1 ? 'is' : 'are'} free, but no node is sure to have enough of them`;
}

type MissingNodes = RolloutRoom['missing'][number];

function priceOf(cost: MissingNodes['cost']): string {
  return cost ? `${formatSignedAmount(cost.perMonth, cost.currency)} a month` : 'price unknown';
}

/**
 * `Add 1 more node of us/h100 (+$64,598 a month)`. Where it is enough too for replicas that lose their places:
 * `Declare 8 nodes of us/h100 instead of 5 (+$138,618 a month above this change), where ml/coder has room too`. Empty
 * where there is room.
 */
function addRoom(room: RolloutRoom): string {
  const { missing, withLost } = room;
  if (missing.length === 0) return '';
  if (!withLost) return `Add ${formatMissingRoom(room)}`;
  const parts = missing.map(({ pool, nodes, total, cost }) => {
    const counts =
      total === undefined
        ? `${formatCount(nodes)} more`
        : `${formatCount(total)} instead of ${formatCount(total - nodes)}`;
    return `${counts} nodes of ${pool} (${priceOf(cost)} above this change)`;
  });
  const have = withLost.length === 1 ? 'has' : 'have';
  return `Declare ${joinNames(parts, MAX_NAMED, ' and ')}, where ${joinNames(withLost, MAX_NAMED)} ${have} room too`;
}

/** What gives a surge room, and what else keeps a replica serving that restarts in place. */
export function describeSurge(room: RolloutRoom, changes: DeploymentDiff['changes']): string {
  const added = changes.filter(({ action }) => action === 'place').length;
  const earlier = added === 0 ? 'add replicas in an earlier change' : addEarlier(added);
  const missing = addRoom(room);
  if (missing === '')
    return `Set 'rollout.surge: 1', for which there is room${formatReservedBy(room)}${formatQuotasToo(room)}, add copies, ${earlier}`;
  const next = room.nextTo
    ? ` next to ${room.nextTo.length === 1 ? 'that' : 'those'} of ${joinNames(room.nextTo, MAX_NAMED)}`
    : '';
  const surge = `${missing}${room.withLost ? ',' : ''} and 'rollout.surge: 1'${next}${formatReservedBy(room)}${formatQuotasToo(room)}${formatRulesToo(room)}`;
  return added === 0 ? surge : `${surge}, ${earlier}`;
}

/** A new replica that comes with the restart of the others is not ready when these stop. */
function addEarlier(added: number): string {
  const [replicas, serve] = added === 1 ? ['replica', 'it serves'] : ['replicas', 'they serve'];
  return `add the new ${replicas} in an earlier change (in this one, ${serve} too late)`;
}

/** `ml/a, ml/b together need 2 more nodes of us/h100 (+$129,196 a month) to keep serving`: what each of them does not say. */
export function describeSharedNeeds(diffs: readonly Pick<DeploymentDiff, 'room'>[]): string[] {
  const needs = new Set(diffs.flatMap(({ room }) => room?.together ?? []));
  return [...needs].map((need) => {
    const missing = formatMissingRoom({ missing: [need] });
    return `${joinNames(need.deployments, MAX_NAMED)} together need ${missing} to keep serving`;
  });
}
