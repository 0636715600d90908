import { formatAmount, formatSignedBounds, formatUnitPrice } from '../../base/money';
import { joinNames, pluralize } from '../../base/text';
import type { ClusterCost, Cost, CostRange, PoolCost, PriceSource } from '../../cost/cost';
import type { Sum } from '../../cost/sum';
import { formatWithoutPrice, type UnpricedParts } from '../../cost/unpriced-text';
import { formatVolumeName } from '../../cost/volume-name';
import type { EstimatedCost } from '../../diff/cost-estimates';
import { SPOT_SUFFIX } from '../../fleet/prices/node-price';
import { type Item, styledLines } from '../document/document';
import { formatEstimatedCost } from './cost-estimate';
import { STATE_A_PRICE, STATE_IN_FILE } from './unpriced-changes';

/**
 * Formats the cost of a fleet in a few lines: the total an hour and a month, its parts, what has no price, and the
 * price sources. Empty if there is nothing to pay for.
 *
 * @param others the price sources of other sums that are shown
 * @param estimate the cost with prices of other regions, which is stated in its place where known prices do not suffice
 */
export function formatCost(cost: Cost, others: readonly string[] = [], estimate?: EstimatedCost): Item[] {
  if (!hasPurchases(cost)) return [];
  const [about] = formatEstimatedCost(cost, estimate);
  const shown = about === undefined || !estimate ? cost : estimate.cost;
  const own = listPriceSources([shown.total.most], shown.sources);
  const below = [
    ...(shown.total.most.perHour === undefined ? [] : styledLines('faint', [formatParts(shown)])),
    ...styledLines('warn', listUnpriced(cost)),
    ...styledLines('faint', formatSourceNames([...own, ...others])),
  ];
  return [{ text: `Cost: ${about ?? formatKnownTotal(cost)}`, below }];
}

/** `$4.00 an hour, $2,921 a month of 730 hours, and 1 pool without a price`. */
function formatKnownTotal(cost: Cost): string {
  const { total, currency, hoursPerMonth } = cost;
  const { perHour, unknown } = total.most;
  if (perHour === undefined) return `unknown. No price is known for ${countUnpricedOf(cost)}.`;
  const hour = `${formatFigures(total, currency, 'perHour')} an hour`;
  const month = `${formatFigures(total, currency, 'perMonth')} a month of ${hoursPerMonth} hours`;
  return `${hour}, ${month}${unknown > 0 ? `, and ${countUnpricedOf(cost)} without a price` : ''}`;
}

export function hasPurchases({ clusters }: Pick<Cost, 'clusters'>): boolean {
  return clusters.some(isBought);
}

/** Whether a cluster has anything to pay for. */
export function isBought({ pools, volumes }: ClusterCost): boolean {
  return pools.length + volumes.length > 0;
}

/** Formats a sum an hour: `$12.50`, `$12.50 and 2 pools without a price`, `unknown`. */
function formatSum(sum: Sum, currency: string, part: string): string {
  return formatRange({ least: sum, most: sum }, currency, 'perHour', part);
}

export type CostPeriod = 'perHour' | 'perMonth';

/**
 * Formats a cost range, as one amount if both bounds are the same.
 *
 * @param parts what has no price, as of `formatWithoutPrice`
 */
export function formatRange(
  range: CostRange,
  currency: string,
  per: CostPeriod = 'perHour',
  parts?: UnpricedParts,
): string {
  const { perHour, unknown } = range.most;
  if (perHour === undefined) return 'unknown';
  return `${formatFigures(range, currency, per)}${unknown > 0 ? ` and ${formatWithoutPrice(unknown, parts)}` : ''}`;
}

/** Formats the difference of two cost ranges: `+$12.50`, `-$3 to +$2, and 1 pool or volume without a price`. */
export function formatDelta(
  { least, most }: CostRange,
  currency: string,
  per: CostPeriod = 'perHour',
  parts?: UnpricedParts,
): string {
  if (most[per] === undefined) return 'the difference is unknown';
  const amounts = formatSignedBounds([least[per] ?? 0, most[per] ?? 0], currency);
  return `${amounts}${most.unknown > 0 ? `, and ${formatWithoutPrice(most.unknown, parts)}` : ''}`;
}

/** Reports whether a difference of cost ranges is zero and has no unknown parts. */
export function isUnchanged({ least, most }: CostRange): boolean {
  return [least, most].every(({ perHour, unknown }) => perHour === 0 && unknown === 0);
}

/** Formats the bounds of a cost as one amount, or as `$3 to $12`. */
export function formatFigures({ least, most }: CostRange, currency: string, per: CostPeriod): string {
  const [low, high = ''] = [least, most].map((sum) => formatAmount(sum[per] ?? 0, currency));
  return low === high ? high : `${low} to ${high}`;
}

/** The parts of the total, and which amount of them is of what no replica takes. */
function formatParts({ fixed, autoscaled, storage, idle, clusters, currency }: Cost): string {
  const pools = clusters.flatMap((cluster) => cluster.pools);
  const hasFixed = pools.some((pool) => !pool.autoscaled);
  const hasAutoscaled = pools.some((pool) => pool.autoscaled);
  const hasVolumes = clusters.some((cluster) => cluster.volumes.length > 0);
  const parts = [
    ...(hasFixed ? [`nodes that always run ${formatSum(fixed, currency, 'pool')}`] : []),
    ...(hasAutoscaled ? [`autoscaled nodes ${formatRange(autoscaled, currency, 'perHour', 'pool')}`] : []),
    ...(hasVolumes ? [`storage ${formatSum(storage, currency, 'volume')}`] : []),
  ];
  return `an hour: ${parts.join('; ')}. Of this, idle: ${formatSum(idle, currency, 'pool')}`;
}

/** What has no price, where else a price is known, and where to state one, as a line. Empty if all has one. */
export function listUnpriced({ clusters, currency }: Pick<Cost, 'clusters' | 'currency'>): string[] {
  const names = clusters.flatMap(({ cluster, pools, volumes }) => [
    ...pools.filter(isUnpriced).map((one) => `${cluster} / ${one.pool}${explainUnpriced(one, currency)}`),
    ...volumes.filter(isUnpriced).map((volume) => `${cluster} / ${formatVolumeName(volume)}`),
  ]);
  return names.length > 0 ? [`no price: ${joinNames(names)}${sayWhereToStateOne(clusters)}`] : [];
}

function isUnpriced({ price }: { readonly price?: unknown }): boolean {
  return !price;
}

/** Empty if only spot nodes have no price: their names say where. */
function sayWhereToStateOne(clusters: Cost['clusters']): string {
  const hasPool = clusters.some(({ pools }) => pools.some((pool) => isUnpriced(pool) && !isUnlistedSpot(pool)));
  const hasVolume = clusters.some(({ volumes }) => volumes.some(isUnpriced));
  if (hasPool) return `. ${STATE_A_PRICE}.`;
  return hasVolume ? `. ${STATE_IN_FILE}.` : '';
}

function isUnlistedSpot({ unpriced, elsewhere }: PoolCost): boolean {
  return !elsewhere && unpriced?.endsWith(SPOT_SUFFIX) === true;
}

/** `2 pools and 1 volume`: what has no price. Nodes that a pool does not have cost nothing. */
export function countUnpricedOf({ clusters }: Pick<Cost, 'clusters'>): string {
  const pools = clusters.flatMap((one) => one.pools).filter(({ most }) => most.unknown > 0).length;
  const volumes = clusters.flatMap((one) => one.volumes).filter(({ cost }) => cost.unknown > 0).length;
  return [
    ...(pools > 0 ? [pluralize(pools, 'pool')] : []),
    ...(volumes > 0 ? [pluralize(volumes, 'volume')] : []),
  ].join(' and ');
}

const NO_SPOT_PRICE = " (spot: no list has its price; state 'spotPerHour' in 'price' of the class)";

/** The number of other regions to name. */
const MOST_REGIONS = 3;

/**
 * Formats why a pool has no price, and where else one is known: ` (no price in us-central1; us-east4: $92.94)`. Empty for
 * hardware that no list has.
 */
function explainUnpriced(pool: PoolCost, currency: string): string {
  const { elsewhere } = pool;
  if (!elsewhere) return isUnlistedSpot(pool) ? NO_SPOT_PRICE : '';
  const { region, prices } = elsewhere;
  const known = prices.map((one) => `${one.region}: ${formatUnitPrice(one.perHour, currency)}`);
  return ` (${region === undefined ? 'no region' : `no price in ${region}`}; ${joinNames(known, MOST_REGIONS)})`;
}

/** Formats a source of prices: `invoice 2026-10 (2026-10-31)`. */
export function formatPriceSource({ source, asOf, discounts }: PriceSource): string {
  return `${source} (${asOf ?? 'undated'}${formatDiscounts(discounts)})`;
}

/** Formats discounts as a suffix: `, less our contract`. Empty if there are none. */
export function formatDiscounts(discounts: readonly string[]): string {
  return discounts.length > 0 ? `, less ${discounts.join(' and ')}` : '';
}

/** Formats the price sources of sums as a line, or returns no line if the sums contain no price. */
export function formatPriceSources(sums: readonly Sum[], sources: readonly PriceSource[]): string[] {
  return formatSourceNames(listPriceSources(sums, sources));
}

/** The names of the price sources of sums. */
export function listPriceSources(sums: readonly Sum[], sources: readonly PriceSource[]): string[] {
  const places = new Set(sums.flatMap((sum) => sum.sources ?? []));
  return sources.filter((_, place) => places.has(place)).map(formatPriceSource);
}

/** Formats names of price sources as a line, each once. No line without names. */
export function formatSourceNames(names: readonly string[]): string[] {
  return names.length > 0 ? [`prices: ${[...new Set(names)].join('; ')}`] : [];
}
