import type { Taint } from '../api/shared/taint';
import type { ResourceName } from '../scheduler/shapes';

/** `1 replica`, `2 replicas`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** A line names at most this many. */
const MOST_NAMED = 8;

/** Names on one line, however many there are. */
export function shortList(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return [...names.slice(0, MOST_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** A taint as kubectl writes it: `key=value:Effect`. */
export function formatTaint({ key, value, effect }: Taint): string {
  return `${key}${value ? `=${value}` : ''}:${effect}`;
}

/** An amount of the ledger for people: CPUs, or memory in Gi. */
export function readable(resource: ResourceName, amount: number): string {
  return resource === 'cpu' ? String(amount / 1000) : `${Number((amount / 2 ** 30).toFixed(1))}Gi`;
}
