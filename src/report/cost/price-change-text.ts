import { formatUnitPrice } from '../../base/money';
import { joinNames } from '../../base/text';
import type { PriceChange } from '../../diff/price-changes';

/** The most nodes whose prices are named. */
const MOST_NAMED = 3;

/** ``the price of `p5.48xlarge in us-east-1` changes from $33.90 to $38.20 an hour``. Empty where none changes. */
export function describePriceChanges(
  changes: readonly PriceChange[] = [],
  currency: string,
  format: (node: string) => string = String,
): string[] {
  const named = changes.map(({ node, before, after }) => {
    return {
      node: format(node),
      prices: `from ${formatUnitPrice(before, currency)} to ${formatUnitPrice(after, currency)}`,
    };
  });
  const [first, ...others] = named;
  if (!first) return [];
  if (others.length === 0) return [`the price of ${first.node} changes ${first.prices} an hour`];
  const all = named.map(({ node, prices }) => `${node} ${prices}`);
  return [`prices of an hour change: ${joinNames(all, MOST_NAMED)}`];
}
