import { formatCount } from '../../base/figures';
import { formatSignedAmount } from '../../base/money';
import { groupBy, sortUnique } from '../../base/order';
import { joinAnd, joinNames, pluralize } from '../../base/text';
import type { DeploymentDiff } from '../../diff/deployment-diff';
import type { ReservedForRollouts } from '../../diff/raised-surges';
import type { RolloutRoom } from '../../diff/rollout-room';
import { formatRuleEdits } from '../../plan/remedy-messages';
import type { Choice } from './choices';
import { formatQuotaRaise } from './earlier-edits';
import { firstItems } from '../document/document';
import { MIN_GROUP } from '../document/group-alike';
import { formatReserved } from './reserved-text';

/** The most pools or deployments to name. */
const MAX_NAMED = 3;

/** What gives old and new engines room at the same time. */
export function chooseBoth(room: RolloutRoom | undefined): Choice {
  const nodes = room && addRoom(room);
  const rules = (room?.breaks ?? []).map((rule) => formatRuleEdits([rule]));
  const price = formatBrackets(nodes?.price ?? []);
  return {
    text: `${joinActions([nodes?.text ?? 'add capacity', ...rules])}${price}, so that old and new replicas fit at the same time`,
    cost: nodes?.cost,
  };
}

/** `add 1 more node of us/h100, set 'rollout.surge: 1' and raise the quota`: what is done together. */
function joinActions(actions: readonly string[]): string {
  return actions.length < 3 ? joinAnd(actions) : `do all of this: ${joinAnd(actions)}`;
}

/** ` (+$10 a month; it reserves 8 GPUs)`. Empty where nothing is known. */
function formatBrackets(parts: readonly string[]): string {
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`;
}

/** `the surge reserves 8 GPUs of us/h100 worth $7,300 a month`. Empty for gangs, whose idle nodes have a sentence of their own. */
function listReserved({ reserved = [], gang, missing }: RolloutRoom): string[] {
  if (reserved.length === 0 || (gang && missing.length === 0)) return [];
  // The nodes that it lacks have their price.
  const shown = missing.length === 0 ? reserved : reserved.map(withoutCost);
  return [`the surge reserves ${formatReserved(shown)}`];
}

function withoutCost(reserved: ReservedForRollouts): ReservedForRollouts {
  const { cost: _, ...rest } = reserved;
  return rest;
}

/** Nodes to add, and what they cost. */
interface AddedRoom {
  /** `add 1 more node of us/h100`. */
  readonly text: string;

  /** What to say of the price, for brackets. */
  readonly price: readonly string[];

  /** Undefined where a price is unknown. */
  readonly cost: number | undefined;
}

/** `1 more node of us/h100`, `3 more nodes (1 of us/h100, 2 of eu/h100)`. */
function nameMissing(missing: readonly MissingNodes[]): string {
  const [only, ...others] = missing;
  if (only && others.length === 0) return `${pluralize(only.nodes, 'more node')} of ${only.pool}`;
  const total = missing.reduce((sum, { nodes }) => sum + nodes, 0);
  const pools = missing.map(({ pool, nodes }) => `${formatCount(nodes)} of ${pool}`);
  return `${pluralize(total, 'more node')} (${joinNames(pools, MAX_NAMED)})`;
}

/** `+$88,768 a month: +$28,397 for us/h100, +$60,371 for eu/h100`, and which devices are free in spite of that. */
function listPrices(missing: readonly MissingNodes[], above = ''): string[] {
  const total = sumOf(missing);
  const parts = missing.map(({ pool, cost }) => {
    return `${cost ? formatSignedAmount(cost.perMonth, cost.currency) : 'price unknown'} for ${pool}`;
  });
  const each = missing.length > 1 && (total || missing.some(({ cost }) => cost)) ? joinNames(parts, MAX_NAMED) : '';
  const sum = formatTotal(missing, above);
  const price = each === '' ? sum : total ? `${sum}: ${each}` : each;
  return [price, ...missing.flatMap(({ pool, free }) => (free === undefined ? [] : [describeFree(pool, free)]))];
}

/** `+$88,768 a month`. */
function formatTotal(missing: readonly MissingNodes[], above = ''): string {
  const total = sumOf(missing);
  return total ? `${formatSignedAmount(total.perMonth, total.currency)} a month${above}` : 'price unknown';
}

/** What nodes of all pools cost a month. Undefined where a price is unknown. */
function sumOf(missing: readonly MissingNodes[]): MissingNodes['cost'] {
  const costs = missing.flatMap(({ cost }) => cost ?? []);
  const [first] = costs;
  if (!first || costs.length < missing.length) return undefined;
  return { perMonth: costs.reduce((sum, { perMonth }) => sum + perMonth, 0), currency: first.currency };
}

/** `3 devices of us/h100 are free, but no node is sure to have enough of them`. */
function describeFree(pool: string, free: number): string {
  return `${pluralize(free, 'device')} of ${pool} ${free === 1 ? 'is' : 'are'} free, but no node is sure to have enough of them`;
}

type MissingNodes = RolloutRoom['missing'][number];

/**
 * `add 1 more node of us/h100`. Where it is enough too for replicas that lose their places: `declare 8 nodes of us/h100
 * instead of 5, where ml/coder has room too`. Undefined where there is room.
 */
function addRoom({ missing, withLost }: RolloutRoom): AddedRoom | undefined {
  if (missing.length === 0) return undefined;
  const cost = sumOf(missing)?.perMonth;
  if (!withLost) return { text: `add ${nameMissing(missing)}`, price: listPrices(missing), cost };
  const counts = missing.map(({ pool, nodes, total }) => {
    if (total === undefined) return `${pluralize(nodes, 'more node')} of ${pool}`;
    return `${pluralize(total, 'node')} of ${pool} instead of ${formatCount(total - nodes)}`;
  });
  const have = withLost.length === 1 ? 'has' : 'have';
  return {
    text: `declare ${joinNames(counts, MAX_NAMED, ' and ')}, where ${joinNames(withLost, MAX_NAMED)} ${have} room too,`,
    price: listPrices(missing, ' above this change'),
    cost,
  };
}

/**
 * What gives a surge room, and what else keeps a replica serving that restarts in place.
 *
 * @param extra further replicas of an earlier change, which were tried. Default: there are none
 */
export function listSurgeChoices(
  room: RolloutRoom,
  changes: DeploymentDiff['changes'],
  extra: readonly Choice[] = [],
): Choice[] {
  const added = changes.filter(({ action }) => action === 'place').length;
  const nodes = addRoom(room);
  const quotas = (room.quotas ?? []).map(formatQuotaRaise);
  const reserved = listReserved(room);
  if (!nodes) {
    const set = "set 'rollout.surge: 1', for which there is room";
    const surge = quotas.length === 0 ? set : `${set}, and ${joinAnd(quotas)}`;
    const choice = { text: `${surge}${formatBrackets(['cost unchanged', ...reserved])}`, cost: 0 };
    return [choice, ...(added === 0 ? extra : addEarlier(added))];
  }
  const next = room.nextTo
    ? ` next to ${room.nextTo.length === 1 ? 'that' : 'those'} of ${joinNames(room.nextTo, MAX_NAMED)}`
    : '';
  const rules = (room.breaks ?? []).map((rule) => formatRuleEdits([rule]));
  const surge = joinActions([nodes.text, `set 'rollout.surge: 1'${next}`, ...quotas, ...rules]);
  const text = `${surge}${formatBrackets([...nodes.price, ...reserved])}`;
  return [{ text, cost: nodes.cost }, ...addEarlier(added)];
}

/** A new replica that comes with the restart of the others is not ready when these stop. */
function addEarlier(added: number): Choice[] {
  if (added === 0) return [];
  const [replicas, serve] = added === 1 ? ['replica', 'it serves'] : ['replicas', 'they serve'];
  return [
    {
      text: `add the new ${replicas} in an earlier change (same cost), and apply the rest when ${serve}`,
      cost: 0,
      isEarlier: true,
    },
  ];
}

/**
 * `ml/a, ml/b together need 2 more nodes of us/h100 (+$129,196 a month) to keep serving`: what each of them does not say.
 * Pools that need as much share a sentence.
 *
 * @param named deployments that are named before: all of them, or a number of them, are not named again
 */
export function describeSharedNeeds(
  diffs: readonly Pick<DeploymentDiff, 'room'>[],
  named: readonly string[] = [],
): string[] {
  const needs = [...new Set(diffs.flatMap(({ room }) => room?.together ?? []))];
  const groups = [...groupBy(needs, ({ pool, nodes, free }) => (free === undefined ? nodes : pool)).values()];
  const equal = groups.flatMap((group) => (group.length < MIN_GROUP ? group.map((need) => [need]) : [group]));
  const sentences = equal.map((group) => {
    const price = formatBrackets(group.length > 1 ? [formatTotal(group)] : listPrices(group));
    const deployments = sortUnique(group.flatMap((need) => need.deployments));
    return `${nameTogether(deployments, named)} together need ${nameEqual(group)}${price} to keep serving`;
  });
  return firstItems(sentences, MAX_NAMED, (more) => `So do deployments on ${pluralize(more, 'further pool')}`);
}

/** `all of them`, `250 of them`, of deployments that are named before. */
function nameTogether(deployments: readonly string[], named: readonly string[]): string {
  const isNamed = deployments.length > MAX_NAMED && deployments.every((id) => named.includes(id));
  if (!isNamed) return joinNames(deployments, MAX_NAMED);
  const count = formatCount(deployments.length);
  return deployments.length === named.length ? `All ${count}` : `${count} of the ${formatCount(named.length)}`;
}

/** `2 more nodes of us/h100`, `23 more nodes of each of 10 pools (c0/l4, c1/l4, c2/l4, 7 more)`. */
function nameEqual(group: readonly MissingNodes[]): string {
  const [first, ...others] = group;
  if (!first || others.length === 0) return nameMissing(group);
  const pools = joinNames(
    group.map(({ pool }) => pool),
    MAX_NAMED,
  );
  return `${pluralize(first.nodes, 'more node')} of each of ${pluralize(group.length, 'pool')}: ${pools}`;
}
