import type { Entry } from '../hardware/entries';
import { columns } from './columns';
import { plural } from './format';
import { PLAIN, type Style } from './style';

const HEAD = [
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
export function formatCatalogue(
  entries: readonly Entry[],
  currency: string,
  { style = PLAIN, width }: { readonly style?: Style; readonly width?: number | undefined } = {},
): string {
  const [head = '', ...lines] = columns([HEAD, ...entries.map(cells)], width);
  const marked = entries.some(({ type, gpu }) => isSecondHand(type) || isSecondHand(gpu));
  return [
    style.strong(head),
    ...lines,
    '',
    `${plural(entries.length, 'instance type')}. Prices: ${currency} a node, list prices less your discounts or what you pay; see --json for regions and sources.`,
    ...(marked ? ['~ some figures are second-hand: see --json.'] : []),
  ].join('\n');
}

function cells({ type, gpu, prices, macros }: Entry): string[] {
  const [price] = prices;
  return [
    `${type.name}${isSecondHand(type) || isSecondHand(gpu) ? ' ~' : ''}`,
    `${type.gpus} x ${gpu.name}`,
    gpu.memory,
    String(type.cpu),
    String(type.memoryGiB),
    type.fabric ?? '-',
    amount(type.nicGbps),
    money(price?.onDemand?.perHour),
    money(price?.spot?.perHour),
    macros.join(' '),
  ];
}

function isSecondHand({ secondHand = [] }: { readonly secondHand?: readonly string[] | undefined }): boolean {
  return secondHand.length > 0;
}

function amount(value: number | undefined): string {
  return value === undefined ? '-' : String(value);
}

function money(value: number | undefined): string {
  return value === undefined ? '-' : value.toFixed(2);
}
