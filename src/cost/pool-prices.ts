import type { Fleet } from '../fleet/fleet';
import { type Price, priceOf } from '../fleet/prices/node-price';
import type { PriceSourceList } from './price-sources';

/** The price of a node of each pool, by `poolKeyOf`. Pools without a known price are left out. */
export type PoolPrices = ReadonlyMap<string, Price>;

export interface Pricing {
  readonly prices: PoolPrices;
  readonly sources: PriceSourceList;
}

export function poolKeyOf(cluster: string, pool: string): string {
  return `${cluster}/${pool}`;
}

export function findPoolPrices({
  classes,
  clusters,
  hardware,
}: Pick<Fleet, 'classes' | 'clusters' | 'hardware'>): PoolPrices {
  const byName = new Map(classes.map((one) => [one.metadata.name, one]));
  return new Map(
    clusters.flatMap((cluster) =>
      cluster.spec.nodePools.flatMap(({ name, className }): [string, Price][] => {
        const declared = byName.get(className);
        const price = declared && priceOf({ declared, cluster }, hardware.prices);
        return price ? [[poolKeyOf(cluster.metadata.name, name), price]] : [];
      }),
    ),
  );
}
