import type { PriceSource } from '../../cost/cost';
import type { Sum } from '../../cost/sum';

/** `invoice 2026-10 (2026-10-31)`. */
export function formatPriceSource({ source, asOf, discounts }: PriceSource): string {
  return `${source} (${asOf ?? 'undated'}${discountText(discounts)})`;
}

/** `, less our contract`. */
export function discountText(discounts: readonly string[]): string {
  return discounts.length > 0 ? `, less ${discounts.join(' and ')}` : '';
}

/** Whose prices sums are by, in a line; none where no price is in them. */
export function formatPriceSources(sums: readonly Sum[], sources: readonly PriceSource[]): string[] {
  const places = new Set(sums.flatMap((sum) => sum.sources ?? []));
  const named = sources.filter((_, place) => places.has(place)).map(formatPriceSource);
  return named.length > 0 ? [`prices: ${named.join('; ')}`] : [];
}
