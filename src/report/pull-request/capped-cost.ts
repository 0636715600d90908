import { formatCount } from '../../base/figures';
import { formatAmount } from '../../base/money';
import { formatNodeCount, joinAnd } from '../../base/text';
import type { CostChanges } from '../../cost/cost-changes';
import { sumParts } from '../../cost/sum';
import { findCappedRanges, listGrownUnderCap } from '../cost/capped-change';
import { sumRangeChanges } from '../cost/cost-difference';
import { isUnchanged } from '../cost/cost-summary';
import { escapeMarkdown, formatCode } from '../document/write-markdown';
import { limitClauses } from './clauses';

/**
 * `**$341,046 to $346,888 a month** instead of $341,046 to $349,809 (at most 3 nodes instead of 4)`. Undefined: the most
 * does not fall, the use does not rise, or a price is not known.
 */
export function formatCapped(cost: CostChanges): string | undefined {
  const ranges = findCappedRanges(cost);
  if (!ranges) return undefined;
  const [was, is] = [ranges.before, ranges.after].map(escapeMarkdown);
  return `**${is} a month** instead of ${was} (${describeFewer(cost)})`;
}

function describeFewer({ clusters }: CostChanges): string {
  const [one, ...others] = clusters.flatMap(({ pools }) => pools.map(({ nodes }) => nodes));
  if (!one || others.length > 0) return 'fewer nodes at most';
  return `at most ${formatNodeCount(formatCount(one.after.most))} instead of ${formatCount(one.before.most)}`;
}

/** ``. Within this range, the bill can rise: `ml/a` uses $730 to $2,921 more``. Empty: it does not. */
export function describeCapped(cost: CostChanges): string {
  const grown = listGrownUnderCap(cost);
  const names = limitClauses(
    grown.map(({ deployment }) => formatCode(deployment)),
    'other deployments',
  );
  if (names.length === 0) return '';
  const where = findCappedRanges(cost) ? 'Within this range' : 'All the same';
  const verb = names.length === 1 ? 'uses' : 'use';
  return `. ${where}, the bill can rise: ${joinAnd(names)} ${verb} ${formatMore(sumRangeChanges(grown), cost.currency)}`;
}

/** `$730 to $2,921 more`, `up to $2,921 more` where the least use stays or falls, `more` where a price is not known. */
function formatMore({ delta: { least, most } }: Pick<CostChanges, 'delta'>, currency: string): string {
  if (least.unknown + most.unknown > 0) return 'more';
  const [from, to] = [least.perMonth ?? 0, most.perMonth ?? 0];
  const amounts = [from, to].map((amount) => escapeMarkdown(formatAmount(amount, currency)));
  if (amounts[0] === amounts[1]) return `${amounts[1]} more`;
  return from > 0 ? `${amounts.join(' to ')} more` : `up to ${amounts[1]} more`;
}

/** ` (bounds)`, behind a difference that is that of the bounds alone. Empty: nothing else can happen. */
export function markBounds(cost: CostChanges): string {
  return listGrownUnderCap(cost).length > 0 ? ' (bounds)' : '';
}

/** Why the rows of a table do not add up. Empty: they do. */
export function noteSums(cost: CostChanges): string[] {
  const isRising = listGrownUnderCap(cost).length > 0;
  if (!isRising && !isUsedWithinBounds(cost) && isSumOfRows(cost)) return [];
  const rise = isRising ? ' The difference of the fleet is that of these bounds: the bill itself can rise.' : '';
  return [
    `The rows do not add up: a deployment has the cost of what its copies use, the fleet that of all nodes, from the fewest to the most that can run.${rise}`,
  ];
}

/** Whether deployments use more than idle nodes give them, and the bounds of the fleet stay. */
function isUsedWithinBounds({ delta, idle, deployments }: CostChanges): boolean {
  const { most } = sumRangeChanges(deployments).delta;
  const more = (most.perMonth ?? 0) + (idle.delta.perMonth ?? 0);
  return isUnchanged(delta) && Math.round(more) > 0;
}

/** Whether deployments, idle nodes and volumes cost as much more as the fleet does, at least or at most. */
function isSumOfRows({ delta, idle, storage, deployments }: CostChanges): boolean {
  const used = sumRangeChanges(deployments).delta;
  return (['least', 'most'] as const).some((bound) => {
    const rows = sumParts([used[bound], idle.delta, storage.delta]);
    const isKnown = rows.unknown + delta[bound].unknown === 0;
    return !isKnown || Math.round((rows.perMonth ?? 0) - (delta[bound].perMonth ?? 0)) === 0;
  });
}
