import type { PricedPool } from '../../analyze/explain/class-prices';
import type { InferenceClass } from '../../api/inference-class';
import { formatUnitPrice } from '../../base/money';
import type { Price } from '../../fleet/prices/node-price';
import { toCanonicalDocument } from '../../manifest/canonical-document';
import { formatDocuments } from '../../manifest/format-yaml';
import { formatDiscounts } from '../cost/cost-summary';
import { type Block, type Item, strong } from '../document/document';

/** Formats the explanation of a class: its resolved YAML, then its pools with their prices. */
export function formatClassExplanation(declared: InferenceClass, pools: readonly PricedPool[]): Block[] {
  const { from, ...spec } = declared.spec;
  const origin = from === undefined ? 'As declared.' : `'${from}' and the fields of the class, combined.`;
  const yaml = formatDocuments([toCanonicalDocument({ ...declared, spec })], origin).trimEnd();
  const prices = formatClassPrices(pools);
  return [yaml, ...(prices.length > 0 ? ['', ...prices] : [])];
}

export function formatClassPrices(pools: readonly PricedPool[]): Item[] {
  return pools.map(({ cluster, pool, price }) => {
    return { text: [strong(`${cluster} / ${pool}`), `   ${formatNodePrice(price)}`] };
  });
}

/** Formats the price of a node, with its source. */
export function formatNodePrice(price: Price | undefined): string {
  if (!price) return 'the price of a node there is unknown';
  const { perHour, currency, source, asOf, discounts } = price;
  return `${formatUnitPrice(perHour, currency)} an hour (${source}${asOf ? `, ${asOf}` : ''}${formatDiscounts(discounts)})`;
}
