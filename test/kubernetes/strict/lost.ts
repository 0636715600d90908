import type { Doc } from '../harness/client';

/**
 * The paths of fields that were sent and are not there, or are not the same. An empty text and an empty map are the
 * same as none: the API server keeps neither.
 */
export function lost(sent: unknown, stored: unknown, path: string): string[] {
  if (sent === undefined || (sent === '' && stored === undefined)) return [];
  if (Array.isArray(sent)) {
    if (!Array.isArray(stored) || stored.length < sent.length) return [path];
    return sent.flatMap((item, i) => lost(item, stored[i], `${path}[${i}]`));
  }
  if (typeof sent === 'object' && sent !== null) {
    if (typeof stored !== 'object' || stored === null) return empty(sent) ? [] : [path];
    return Object.entries(sent).flatMap(([key, value]) => lost(value, (stored as Doc)[key], `${path}.${key}`));
  }
  return sent === stored ? [] : [path];
}

function empty(value: object): boolean {
  return Object.keys(value).length === 0;
}
