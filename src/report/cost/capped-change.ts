import type { ChangeWithLeast, CostChanges } from '../../cost/cost-changes';
import { formatKnownRange } from './monthly-range';

/** The deployments that use more. */
type Grown = readonly ChangeWithLeast<'deployment'>[];

/**
 * Lists the deployments that use more, where pools only get fewer nodes at most: the most that the fleet costs falls,
 * and the bill can rise all the same. Empty elsewhere.
 */
export function listGrownUnderCap({ delta, after, clusters, deployments }: CostChanges): Grown {
  const canRise = (after.most.perMonth ?? 0) > (after.least.perMonth ?? 0);
  if (!canRise || delta.least.perMonth !== 0 || (delta.most.perMonth ?? 0) >= 0) return [];
  const isCapped = clusters.some(({ pools }) =>
    pools.some(({ nodes }) => nodes.after.most < nodes.before.most && nodes.after.least === nodes.before.least),
  );
  return isCapped ? deployments.filter((one) => (one.delta.perMonth ?? 0) > 0) : [];
}

/**
 * What the fleet costs after and before such a change, from the least to the most. The difference of these bounds alone,
 * such as `$0 to -$2,921`, would read as a cost that can only fall.
 *
 * @returns undefined for other changes, and where a price is not known
 */
export function findCappedRanges(cost: CostChanges): Record<'before' | 'after', string> | undefined {
  const { before, after, currency } = cost;
  if (listGrownUnderCap(cost).length === 0 || before.most.unknown + after.most.unknown > 0) return undefined;
  return { before: formatKnownRange(before, currency), after: formatKnownRange(after, currency) };
}
