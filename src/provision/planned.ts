import { sortedBy } from '../order';

/** The zones of a pool, each once. */
export function zonesOf({ zones }: { readonly zones: readonly string[] }): string[] {
  return sortedBy(new Set(zones), (zone) => zone);
}

/** What a cloud is asked for, as a part of a name: `a3-highgpu-8g_us-central1-a`. */
export function machinesText(type: string, zones: readonly string[]): string {
  return [type, ...zones].join('_');
}

/**
 * How pools are made. So long a cloud may look for machines before a stockout is an error; and since a pool's name is
 * fixed, and quota for twice its nodes is rare, the old one goes before a new one comes.
 */
export const POOL_OPTIONS = { customTimeouts: { create: '30m' }, deleteBeforeReplace: true };
