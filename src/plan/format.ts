import type { Taint } from '../api/shared/taint';

/** `1 replica`, `2 replicas`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** A taint as kubectl writes it: `key=value:Effect`. */
export function formatTaint({ key, value, effect }: Taint): string {
  return `${key}${value ? `=${value}` : ''}:${effect}`;
}
