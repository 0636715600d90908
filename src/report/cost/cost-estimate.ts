import { formatAmount, formatSignedBounds, roundEstimate } from '../../base/money';
import { groupBy } from '../../base/order';
import { joinNames } from '../../base/text';
import type { Cost, CostRange } from '../../cost/cost';
import type { AssumedPoolPrice, CostChanges, CostEstimate, RangeChange } from '../../cost/cost-changes';
import { formatWithoutPrice } from '../../cost/unpriced-text';
import type { EstimatedCost } from '../../diff/cost-estimates';
import { formatDifferenceBounds, type StoredChange, unpricedOf } from './cost-difference';
import { signOf } from './monthly-range';

/** Formats the difference of an estimate: `about +$66,600 to +$69,500`, `about +$549, and 1 pool or volume without a price`. */
export function formatEstimatedDifference(change: StoredChange, currency: string, per = ''): string {
  const { unknown } = change.delta.most;
  if (isAboutSame(change)) return 'about the same';
  if (unknown > 0 && isNothingKnown(change)) return 'the difference is unknown';
  const rest = unknown > 0 ? `, and ${formatWithoutPrice(unknown, unpricedOf(change))}` : '';
  return `about ${formatEstimatedBounds(change.delta, currency)}${per}${rest}`;
}

/** Whether what is bought otherwise has the same price in an estimate: a pool with another name. */
function isAboutSame({ delta: { least, most } }: RangeChange): boolean {
  return [least, most].every(({ perMonth, unknown }) => perMonth === 0 && unknown === 0);
}

/** Whether what is known of a difference is nothing. */
export function isNothingKnown({ delta: { least, most } }: Pick<RangeChange, 'delta'>): boolean {
  return [least, most].every(({ perMonth = 0 }) => perMonth === 0);
}

function formatEstimatedBounds({ least, most }: CostRange, currency: string): string {
  const bounds = [least, most].map(({ perMonth = 0 }) => roundEstimate(perMonth));
  return formatSignedBounds(bounds, currency);
}

/** A cell of a table: `≈ +$66,600 to +$69,500`, `≥ +$66,600` where parts without a price come, `unknown`. */
export function formatEstimatedDelta(change: RangeChange, currency: string): string {
  const { delta } = change;
  if (delta.most.unknown > 0) return formatDifferenceBounds(change, currency, roundEstimate);
  return `${signOf(delta)}${formatEstimatedBounds(delta, currency)}`;
}

/** The estimate of what is bought more or less, where a part of that has no known price. */
export function estimateOf({ delta, estimate }: CostChanges): CostEstimate | undefined {
  return delta.least.unknown + delta.most.unknown > 0 ? estimate : undefined;
}

/** The pools that change and have no known price, and whose cost is estimated. */
export function listAssumedChanges({ clusters, estimate }: CostChanges): readonly AssumedPoolPrice[] {
  const changed = new Set(
    clusters.flatMap(({ cluster, pools }) =>
      pools.filter(({ delta }) => delta.least.unknown + delta.most.unknown > 0).map(({ pool }) => `${cluster}/${pool}`),
    ),
  );
  return (estimate?.assumed ?? []).filter(({ cluster, pool }) => changed.has(`${cluster}/${pool}`));
}

/** Says of an estimate what it adds to what is known of a cost that changes. Empty without an estimate. */
export function formatEstimateLines(cost: CostChanges): string[] {
  const { changes } = estimateOf(cost) ?? {};
  const assumed = listAssumedChanges(cost);
  if (!changes || assumed.length === 0) return [];
  return [`${formatEstimatedDifference(changes, cost.currency, ' a month')} (${formatAssumed(assumed)})`];
}

/** Says of a cost without a known price for some pools what it is with prices of other regions. Empty: that is not known. */
export function formatEstimatedCost({ total, currency }: Cost, estimate: EstimatedCost | undefined): string[] {
  if (!estimate || estimate.cost.total.most.unknown >= total.most.unknown) return [];
  const { cost, assumed } = estimate;
  return [formatEstimatedTotal({ ...cost.total, volumes: cost.storage.unknown }, assumed, currency)];
}

/** `about $2,190 a month (us-east/l4 priced as in us-central1)`. */
function formatEstimatedTotal(
  { least, most, volumes }: CostRange & { readonly volumes: number },
  assumed: readonly AssumedPoolPrice[],
  currency: string,
): string {
  const [low, high = ''] = [least, most].map(({ perMonth = 0 }) => formatAmount(roundEstimate(perMonth), currency));
  const rest = most.unknown > 0 ? `, and ${formatWithoutPrice(most.unknown, { volumes })} in any region` : '';
  return `about ${low === high ? high : `${low} to ${high}`} a month (${formatAssumed(assumed)})${rest}`;
}

/** The estimate of a cost that a change leaves as it is. */
/** `about $2,190 a month (us-east/l4 priced as in us-central1)`, of a cost that stays. Empty: an estimate says no more of it. */
export function formatUnchangedEstimate({ after, estimate, currency }: CostChanges): string[] {
  if (!estimate || estimate.changes.after.most.unknown >= after.most.unknown) return [];
  const { after: total, storage } = estimate.changes;
  return [formatEstimatedTotal({ ...total, volumes: storage.after.unknown }, estimate.assumed, currency)];
}

/** The most pools of one region that are named. */
const MAX_POOLS = 3;

/**
 * Formats whose prices pools have in an estimate: `us-east/h100, us-east/l4 priced as in us-central1`,
 * `dc/h100 priced as in us-central1, then us-east-1` where its machine changes.
 */
export function formatAssumed(assumed: readonly AssumedPoolPrice[], format: (pool: string) => string = String): string {
  const byPool = groupBy(assumed, ({ cluster, pool }) => `${cluster}/${pool}`);
  const byRegions = groupBy([...byPool], ([, prices]) => prices.map(({ region }) => region).join(', then '));
  return [...byRegions]
    .map(([regions, pools]) => {
      const names = pools.map(([pool]) => format(pool));
      return `${joinNames(names, MAX_POOLS)} priced as in ${regions}`;
    })
    .join('; ');
}
