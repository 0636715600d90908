import type { PriceSource } from '../../cost/cost';
import type { Sum } from '../../cost/sum';

/** Formats a source of prices: `invoice 2026-10 (2026-10-31)`. */
export function formatPriceSource({ source, asOf, discounts }: PriceSource): string {
  return `${source} (${asOf ?? 'undated'}${discountText(discounts)})`;
}

/** Formats discounts as a suffix: `, less our contract`. Empty if there are none. */
export function discountText(discounts: readonly string[]): string {
  return discounts.length > 0 ? `, less ${discounts.join(' and ')}` : '';
}

/** Formats the price sources of sums as a line, or returns no line if the sums contain no price. */
export function formatPriceSources(sums: readonly Sum[], sources: readonly PriceSource[]): string[] {
  const places = new Set(sums.flatMap((sum) => sum.sources ?? []));
  const named = sources.filter((_, place) => places.has(place)).map(formatPriceSource);
  return named.length > 0 ? [`prices: ${named.join('; ')}`] : [];
}
