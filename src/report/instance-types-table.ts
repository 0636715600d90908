import { formatCount } from '../base/figures';
import { formatUnitPrice } from '../base/money';
import { pluralize } from '../base/text';
import type { CatalogueEntry } from '../fleet/hardware/search-catalogue';
import type { Block } from './document/document';

const HEADINGS = ['INSTANCE TYPE', 'GPUS', 'MEMORY', 'CPU', 'GiB', 'FABRIC', 'Gbit/s', 'PER HOUR', 'SPOT', 'MACROS'];

/**
 * Formats instance types as a table: GPUs with the memory that their driver publishes, or in parentheses the memory that
 * it does not publish, CPU, network, and the price in the first region with a known price. `~` marks rows with
 * second-hand figures.
 */
export function formatInstanceTypes(entries: readonly CatalogueEntry[], currency: string): Block[] {
  const hasSecondHand = entries.some(({ type, gpu }) => isSecondHand(type) || isSecondHand(gpu));
  return [
    { rows: [HEADINGS, ...entries.map((entry) => cellsOf(entry, currency))] },
    '',
    `${pluralize(entries.length, 'instance type')}. Prices: ${currency} a node, list prices less discounts, or your own prices. For regions and sources, use --json.`,
    ...(entries.some(({ macros }) => macros.length > 0) ? [MACROS_MEANING] : []),
    ...(hasSecondHand ? ['~ some figures are inferred: see --json.'] : []),
  ];
}

const MACROS_MEANING =
  "MACROS: names for the same GPUs on several clouds, which 'from' of an InferenceClass takes in place of a type.";

function cellsOf({ type, gpu, prices, macros }: CatalogueEntry, currency: string): string[] {
  const [price] = prices;
  return [
    `${type.name}${isSecondHand(type) || isSecondHand(gpu) ? ' ~' : ''}`,
    `${type.gpus} x ${gpu.name}`,
    gpu.memory ?? `(${gpu.nominal})`,
    formatCount(type.cpu),
    type.memoryGiB.toLocaleString('en'),
    type.fabric ?? '-',
    type.nicGbps === undefined ? '-' : formatCount(type.nicGbps),
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
