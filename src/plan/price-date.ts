import type { Fleet } from '../fleet';
import { priceOf } from '../hardware/price-of';
import { sortedBy } from '../order';
import type { PriceDate } from './plan';

/** The oldest price by which pools were compared. Nothing where no deployment asks for the cheapest. */
export function oldestPrice({ classes, clusters, deployments, hardware }: Fleet): PriceDate | undefined {
  if (!deployments.some(({ spec }) => spec.placement.policy === 'Cheapest')) return undefined;
  const byName = new Map(classes.map((one) => [one.metadata.name, one]));
  const dated = clusters.flatMap((cluster) =>
    cluster.spec.nodePools.flatMap(({ name, className }): PriceDate[] => {
      const declared = byName.get(className);
      const price = declared && priceOf({ declared, cluster }, hardware.prices);
      if (!price?.asOf) return [];
      return [{ asOf: price.asOf, cluster: cluster.metadata.name, pool: name, source: price.source }];
    }),
  );
  return sortedBy(dated, ({ asOf, cluster, pool }) => [asOf, cluster, pool].join(' '))[0];
}
