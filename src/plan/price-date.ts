import type { Fleet } from '../fleet';
import { priceOf } from '../hardware/price-of';
import { sortedBy } from '../order';
import type { PriceDate } from './plan';

/** The oldest price by which pools were compared. Nothing where no deployment asks for the cheapest. */
export function pricesOf(fleet: Fleet): { readonly prices?: PriceDate } {
  if (!fleet.deployments.some(({ spec }) => spec.placement.policy === 'Cheapest')) return {};
  const [oldest] = sortedBy(datesOf(fleet), ({ asOf, cluster, pool }) => [asOf, cluster, pool].join(' '));
  return oldest ? { prices: oldest } : {};
}

function datesOf({ classes, clusters, hardware }: Fleet): PriceDate[] {
  const byName = new Map(classes.map((one) => [one.metadata.name, one]));
  return clusters.flatMap((cluster) =>
    cluster.spec.nodePools.flatMap(({ name, className }): PriceDate[] => {
      const declared = byName.get(className);
      const price = declared && priceOf({ declared, cluster }, hardware.prices);
      if (!price?.asOf) return [];
      return [{ asOf: price.asOf, cluster: cluster.metadata.name, pool: name, source: price.source }];
    }),
  );
}
