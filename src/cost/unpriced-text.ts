import { pluralize } from '../base/text';

/** What parts without a price are: `part` of a namespace, a deployment or a replica, or how many of them are volumes. */
export type UnpricedParts = string | { readonly volumes: number };

/**
 * Formats how many parts of a cost have no price: `1 pool and 2 volumes without a price`.
 *
 * @param parts what they are. Default: pools or volumes
 */
export function formatWithoutPrice(count: number, parts?: UnpricedParts): string {
  return `${countUnpriced(count, parts)} without a price`;
}

/** `1 pool or volume`, `1 pool and 2 volumes`. */
export function countUnpriced(count: number, parts?: UnpricedParts): string {
  if (parts === undefined) return `${pluralize(count, 'pool')} or ${count === 1 ? 'volume' : 'volumes'}`;
  if (typeof parts === 'string') return pluralize(count, parts);
  const volumes = Math.min(parts.volumes, count);
  const pools = count - volumes;
  return [
    ...(pools > 0 ? [pluralize(pools, 'pool')] : []),
    ...(volumes > 0 ? [pluralize(volumes, 'volume')] : []),
  ].join(' and ');
}
