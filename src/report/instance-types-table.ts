import { formatCount } from '../base/figures';
import { formatUnitPrice } from '../base/money';
import { pluralize } from '../base/text';
import type { CatalogueEntry } from '../fleet/hardware/search-catalogue';
import type { Block } from './document/document';

const HEADINGS = [
  'INSTANCE TYPE',
  'GPUS',
  'MEMORY',
  'CPU',
  'GiB',
  'FABRIC',
  'Gbit/s',
  'REGION',
  'PER HOUR',
  'SPOT',
  'MACROS',
];

/**
 * Formats instance types as a table: GPUs with the memory that their driver publishes, or in parentheses the memory that
 * it does not publish, CPU, network, and the price in each wanted region. Without a known price there, it is that of the
 * first region with one. `~` marks rows with second-hand figures.
 *
 * @param regions the wanted regions. Default: none
 */
export function formatInstanceTypes(
  entries: readonly CatalogueEntry[],
  currency: string,
  regions: ReadonlySet<string> = new Set(),
): Block[] {
  const hasSecondHand = entries.some(({ type, gpu }) => isSecondHand(type) || isSecondHand(gpu));
  return [
    { rows: [HEADINGS, ...entries.flatMap((entry) => rowsOf(entry, currency, regions))] },
    '',
    `${pluralize(entries.length, 'instance type')}. Prices: ${currency} a node in REGION, list prices less discounts, or your own prices. For other regions and sources, use --json.`,
    ...(entries.some(({ macros }) => macros.length > 0) ? [MACROS_MEANING] : []),
    ...(hasSecondHand ? ['~ some figures are inferred: see --json.'] : []),
  ];
}

const MACROS_MEANING =
  "MACROS: names for the same GPUs on several clouds, which 'from' of an InferenceClass takes in place of a type.";

function rowsOf(entry: CatalogueEntry, currency: string, regions: ReadonlySet<string>): string[][] {
  const wanted = entry.prices.filter(({ region }) => regions.has(region));
  return (wanted.length > 0 ? wanted : [entry.prices[0]]).map((price) => cellsOf(entry, price, currency));
}

function cellsOf(
  { type, gpu, macros }: CatalogueEntry,
  price: CatalogueEntry['prices'][number] | undefined,
  currency: string,
): string[] {
  return [
    `${type.name}${isSecondHand(type) || isSecondHand(gpu) ? ' ~' : ''}`,
    `${type.gpus} x ${gpu.name}`,
    gpu.memory ?? `(${gpu.nominal})`,
    formatCount(type.cpu),
    type.memoryGiB.toLocaleString('en'),
    type.fabric ?? '-',
    type.nicGbps === undefined ? '-' : formatCount(type.nicGbps),
    price === undefined ? '-' : price.region === '*' ? 'all' : price.region,
    formatHourlyPrice(price?.onDemand?.perHour, currency),
    formatHourlyPrice(price?.spot?.perHour, currency),
    macros.join(' '),
  ];
}

function isSecondHand({ secondHand = [] }: { readonly secondHand?: readonly string[] | undefined }): boolean {
  return secondHand.length > 0;
}

function formatHourlyPrice(value: number | undefined, currency: string): string {
  return value === undefined ? '-' : formatUnitPrice(value, currency);
}
