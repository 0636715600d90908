import { formatMoney } from '../base/money';
import { pluralize } from '../base/text';
import type { CatalogueEntry } from '../fleet/hardware/catalogue-entries';
import { alignColumns } from './document/columns';
import { PLAIN_STYLE, type Style } from './document/terminal-style';

const HEADINGS = [
  'INSTANCE TYPE',
  'GPUS',
  'MEMORY',
  'CPU',
  'GiB',
  'FABRIC',
  'Gbit/s',
  'PER HOUR',
  'SPOT',
  'MACROS',
];

/**
 * Instance types as a table for a person: GPUs with the memory that their driver publishes, CPU, network, and the
 * price in the first region where somebody knows one. `~` marks rows with second-hand figures.
 */
export function formatInstanceTypes(
  entries: readonly CatalogueEntry[],
  currency: string,
  { style = PLAIN_STYLE, width }: { readonly style?: Style; readonly width?: number | undefined } = {},
): string {
  const [head = '', ...lines] = alignColumns([HEADINGS, ...entries.map(cellsOf)], width);
  const marked = entries.some(({ type, gpu }) => isSecondHand(type) || isSecondHand(gpu));
  return [
    style.strong(head),
    ...lines,
    '',
    `${pluralize(entries.length, 'instance type')}. Prices: ${currency} a node, list prices less your discounts or what you pay; see --json for regions and sources.`,
    ...(marked ? ['~ some figures are second-hand: see --json.'] : []),
  ].join('\n');
}

function cellsOf({ type, gpu, prices, macros }: CatalogueEntry): string[] {
  const [price] = prices;
  return [
    `${type.name}${isSecondHand(type) || isSecondHand(gpu) ? ' ~' : ''}`,
    `${type.gpus} x ${gpu.name}`,
    gpu.memory,
    String(type.cpu),
    String(type.memoryGiB),
    type.fabric ?? '-',
    formatFigure(type.nicGbps),
    formatHourlyPrice(price?.onDemand?.perHour),
    formatHourlyPrice(price?.spot?.perHour),
    macros.join(' '),
  ];
}

function isSecondHand({ secondHand = [] }: { readonly secondHand?: readonly string[] | undefined }): boolean {
  return secondHand.length > 0;
}

function formatFigure(value: number | undefined): string {
  return value === undefined ? '-' : String(value);
}

function formatHourlyPrice(value: number | undefined): string {
  return value === undefined ? '-' : formatMoney(value);
}
