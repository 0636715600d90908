import { pluralize } from '../base/text';

/**
 * Formats how many parts of a cost have no price: `1 pool or volume without a price`.
 *
 * @param noun what they are: `pool`, `volume`; of a namespace, a deployment or a replica, `part`. Default: either
 */
export function formatWithoutPrice(count: number, noun?: string): string {
  return `${countUnpriced(count, noun)} without a price`;
}

/** `1 pool or volume`, `2 pools or volumes`. */
export function countUnpriced(count: number, noun?: string): string {
  return noun === undefined
    ? `${pluralize(count, 'pool')} or ${count === 1 ? 'volume' : 'volumes'}`
    : pluralize(count, noun);
}
