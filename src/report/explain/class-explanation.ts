import type { ClassExplanation } from '../../analyze/explain/class-prices';
import type { Price } from '../../fleet/prices/node-price';
import { toCanonicalDocument } from '../../manifest/canonical-document';
import { formatDocuments } from '../../manifest/format-yaml';
import { PLAIN_STYLE, type Style } from '../document/terminal-style';

/** The explanation for a person: the class written out, then its pools with their prices. */
export function formatClassExplanation(explanation: ClassExplanation, style: Style = PLAIN_STYLE): string {
  const { declared } = explanation;
  const { from, ...spec } = declared.spec;
  const origin = from === undefined ? 'As it is declared.' : `What '${from}' and the class say together.`;
  return [
    formatDocuments([toCanonicalDocument({ ...declared, spec })], origin).trimEnd(),
    '',
    ...formatClassPrices(explanation, style),
  ]
    .join('\n')
    .trimEnd();
}

/** What a node of each of its pools costs, a line each. */
export function formatClassPrices({ pools }: ClassExplanation, style: Style = PLAIN_STYLE): string[] {
  return pools.map(
    ({ cluster, pool, price }) => `${style.strong(`${cluster} / ${pool}`)}   ${formatNodePrice(price)}`,
  );
}

function formatNodePrice(price: Price | undefined): string {
  if (!price) return 'nobody knows what a node costs there';
  const { perHour, currency, source, asOf, discounts } = price;
  const less = discounts.length > 0 ? `, less ${discounts.join(' and ')}` : '';
  return `${Number(perHour.toFixed(4))} ${currency} an hour (${source}${asOf ? `, ${asOf}` : ''}${less})`;
}
