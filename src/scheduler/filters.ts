import { firstUnmet } from '../api/label-match';
import type { CacheNeed, Demand, Site } from './model';
import { untolerated } from './tolerate';
import type { Reason } from './types';

/** A rule by which a whole cluster is no place for a replica. */
export interface Filter {
  readonly name: Reason['filter'];
  /** Whether a replica that already runs on the cluster has to leave it. */
  readonly evicts: boolean;
  /** The reason against the cluster, or nothing. */
  reject(demand: Demand, site: Site, placing: Placing): Reason | undefined;
}

/** `new`: may a replica be added; `placed`: may one stay that is there. */
export type Placing = 'new' | 'placed';

/** Every filter on clusters, in the order in which they are tried; the first rejection wins. */
export const FILTERS: readonly Filter[] = [
  {
    name: 'selector',
    evicts: true,
    reject({ selector }, { labels }) {
      const unmet = firstUnmet(selector, labels);
      return unmet && { filter: 'selector', ...unmet };
    },
  },
  {
    // Moving a replica because its cache's selector was narrowed would cost more than the cache saves.
    name: 'cache',
    evicts: false,
    reject({ caches }, site) {
      for (const cache of caches) {
        const lacks = lackFor(cache, site);
        if (lacks) return { filter: 'cache', cache: cache.name, lacks };
      }
      return undefined;
    },
  },
  {
    name: 'taint',
    evicts: true,
    reject({ tolerations }, { taints }, placing) {
      const binding = placing === 'new' ? taints : taints.filter(({ effect }) => effect === 'NoExecute');
      const taint = untolerated(binding, tolerations);
      return taint && { filter: 'taint', taint };
    },
  },
  {
    name: 'paused',
    evicts: false,
    reject: (_, { paused }) => (paused ? { filter: 'paused' } : undefined),
  },
  {
    name: 'pools',
    evicts: false,
    reject: (_, { pools }) => (pools.length > 0 ? undefined : { filter: 'pools' }),
  },
];

/** What keeps a cache off a cluster. */
function lackFor(
  { selector, staged }: CacheNeed,
  { labels, sharedStorage }: Site,
): 'selector' | 'storage' | undefined {
  if (firstUnmet(selector, labels)) return 'selector';
  return staged && !sharedStorage ? 'storage' : undefined;
}

/** The first reason why no replica may be added to a cluster. */
export function rejectNew(demand: Demand, site: Site): Reason | undefined {
  return first(FILTERS, demand, site, 'new');
}

/** The first reason why a replica has to leave a cluster. */
export function rejectPlaced(demand: Demand, site: Site): Reason | undefined {
  return first(EVICTING, demand, site, 'placed');
}

const EVICTING = FILTERS.filter(({ evicts }) => evicts);

function first(filters: readonly Filter[], demand: Demand, site: Site, placing: Placing): Reason | undefined {
  for (const filter of filters) {
    const reason = filter.reject(demand, site, placing);
    if (reason) return reason;
  }
  return undefined;
}
