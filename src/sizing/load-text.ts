import { formatCount } from '../base/figures';
import { pluralize } from '../base/text';
import type { MeasuredRow } from '../catalog/models/measured-row';
import type { Bounds, Load } from './carried-load';

/** `4 to 6 replicas`. */
export function formatReplicas({ low, high }: Bounds): string {
  return low === high ? pluralize(low, 'replica') : `${formatCount(low)} to ${pluralize(high, 'replica')}`;
}

/** `20 requests a second of 1,000 + 200 tokens`. */
export function formatLoad(load: Load): string {
  return `${formatRate(load.requestsPerSecond)} of ${formatKind(load)}`;
}

function formatKind({ inputTokens, outputTokens }: Load): string {
  return `${formatCount(inputTokens)} + ${formatCount(outputTokens)} tokens`;
}

/** `5 requests a second`. */
export function formatRate(rate: number): string {
  return `${formatNumber(rate)} ${rate === 1 ? 'request' : 'requests'} a second`;
}

/** `3.5 to 5 requests a second`. */
export function formatRates({ low, high }: Bounds): string {
  const [from, to] = [formatNumber(low), formatNumber(high)];
  return from === to ? formatRate(high) : `${from} to ${formatRate(high)}`;
}

function formatNumber(value: number): string {
  return value >= 1000 ? formatCount(value) : String(Number(value.toPrecision(3)));
}

/** `eight.json at 8 and many.json at 32 requests at once`. */
export function formatSources(from: readonly Pick<MeasuredRow, 'source' | 'concurrency'>[]): string {
  const rows = from.map(({ source, concurrency }) => `${source} at ${formatNumber(concurrency)}`);
  return `${rows.join(' and ')} requests at once`;
}
