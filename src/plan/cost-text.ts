import type { ClusterCost, Cost, Range } from '../cost/cost';
import type { Sum } from '../cost/sum';
import { plural, shortList } from './format';
import { formatPrices } from './price-text';
import { PLAIN, type Style } from './style';

/**
 * What a fleet costs, in a few lines: all of it an hour and a month, of what it is made, what has no price, and whose
 * prices these are. Nothing where there is nothing to pay for.
 */
export function formatCost(cost: Cost, style: Style = PLAIN): string[] {
  const prices = formatPrices([cost.total.most], cost.sources);
  return [...formatAmounts(cost, style), ...prices.map((line) => style.faint(`  ${line}`))];
}

/** The same without whose prices these are. */
export function formatAmounts(cost: Cost, style: Style = PLAIN): string[] {
  const { total, currency, hoursPerMonth, clusters } = cost;
  if (!isBuying(cost)) return [];
  const { perHour: most, unknown } = total.most;
  if (most === undefined) return [`Cost: unknown, as nobody states the price of ${whatIsUnknown(clusters)}.`];
  const hour = `${figures(total, ({ perHour }) => perHour)} ${currency} an hour`;
  const month = `${figures(total, ({ perMonth }) => perMonth)} a month of ${hoursPerMonth} hours`;
  return [
    `Cost: ${unknown > 0 ? 'at least ' : ''}${hour}, ${month}${unknownOf(unknown)}`,
    style.faint(`  ${partsOf(cost).join('; ')}`),
    ...unpriced(clusters).map((line) => style.warn(`  ${line}`)),
  ];
}

/** Whether there is anything to pay for. */
export function isBuying({ clusters }: Pick<Cost, 'clusters'>): boolean {
  return clusters.some(({ pools, volumes }) => pools.length + volumes.length > 0);
}

/** An amount of money. */
export function money(amount: number): string {
  return amount.toFixed(2);
}

/** A sum an hour for a person: `12.50`, `at least 12.50, 2 unknown`, `unknown`. */
export function formatSum(sum: Sum): string {
  return formatRange({ least: sum, most: sum });
}

/** What figures are of: an hour, or a month. */
export type Per = 'perHour' | 'perMonth';

/** Two bounds for a person, as one figure where they are the same. */
export function formatRange(range: Range, per: Per = 'perHour'): string {
  const { perHour, unknown } = range.most;
  if (perHour === undefined) return 'unknown';
  return `${unknown > 0 ? 'at least ' : ''}${figures(range, (sum) => sum[per])}${unknownOf(unknown)}`;
}

/** How much more two bounds are than others: `+12.50`, `-3.00 to +2.00, and 1 part unknown`. */
export function formatDelta({ least, most }: Range, per: Per = 'perHour'): string {
  if (most[per] === undefined) return `the difference is unknown`;
  const [low, high] = [signed(least[per] ?? 0), signed(most[per] ?? 0)];
  const unknown = most.unknown > 0 ? `, and ${plural(most.unknown, 'part')} unknown` : '';
  return `${low === high ? high : `${low} to ${high}`}${unknown}`;
}

/** Whether two bounds are the same as others, as far as anybody knows. */
export function isUnchanged({ least, most }: Range): boolean {
  return [least, most].every(({ perHour, unknown }) => perHour === 0 && unknown === 0);
}

/** `+12.50`, `-3.00`. */
export function signed(amount: number): string {
  return amount < 0 ? money(amount) : `+${money(amount)}`;
}

function figures({ least, most }: Range, figure: (sum: Sum) => number | undefined): string {
  const [low, high] = [money(figure(least) ?? 0), money(figure(most) ?? 0)];
  return low === high ? high : `${low} to ${high}`;
}

function unknownOf(unknown: number): string {
  return unknown > 0 ? `, ${unknown} unknown` : '';
}

function partsOf({ fixed, autoscaled, storage, idle, clusters }: Cost): string[] {
  const pools = clusters.flatMap((cluster) => cluster.pools);
  const [some, scaled] = [false, true].map((wanted) => pools.some((pool) => pool.autoscaled === wanted));
  const volumes = clusters.some((cluster) => cluster.volumes.length > 0);
  return [
    ...(some ? [`nodes that always run ${formatSum(fixed)}`] : []),
    ...(scaled ? [`autoscaled nodes ${formatRange(autoscaled)}`] : []),
    ...(volumes ? [`storage ${formatSum(storage)}`] : []),
    `idle ${formatSum(idle)}`,
  ];
}

function unpriced(clusters: readonly ClusterCost[]): string[] {
  const names = namesOf(clusters);
  return names.length > 0 ? [`no price: ${shortList(names)}`] : [];
}

/** Pools and volumes without a price. */
function namesOf(clusters: readonly ClusterCost[]): string[] {
  return clusters.flatMap(({ cluster, pools, volumes }) => [
    ...pools.filter(({ price }) => !price).map(({ pool }) => `${cluster} / ${pool}`),
    ...volumes.filter(({ price }) => !price).map(({ cache }) => `${cluster} / cache ${cache}`),
  ]);
}

function whatIsUnknown(clusters: readonly ClusterCost[]): string {
  const pools = clusters.flatMap((cluster) => cluster.pools).length;
  const volumes = clusters.flatMap((cluster) => cluster.volumes).length;
  const parts = [
    ...(pools > 0 ? [plural(pools, 'pool')] : []),
    ...(volumes > 0 ? [plural(volumes, 'volume')] : []),
  ];
  return parts.join(' and ');
}
