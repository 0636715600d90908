import type { Fleet } from '../fleet/fleet';
import { type AssumedPrice, assumePrice, type Price, type PricedNode, priceOf } from '../fleet/prices/node-price';
import type { AssumedPoolPrice } from './cost-changes';
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

type PricedFleet = Pick<Fleet, 'classes' | 'clusters' | 'hardware'>;

export function findPoolPrices(fleet: PricedFleet): PoolPrices {
  const { prices } = fleet.hardware;
  return mapPools(fleet, (node) => priceOf(node, prices));
}

/** The prices of other regions for pools without a known price, by `poolKeyOf`. Empty if all have one, or none is known. */
export function assumePoolPrices(fleet: PricedFleet): ReadonlyMap<string, AssumedPrice> {
  const { prices } = fleet.hardware;
  return mapPools(fleet, (node) => (priceOf(node, prices) ? undefined : assumePrice(node, prices)));
}

/** Known prices, and where there is none, those of other regions. */
export function withAssumedPrices(prices: PoolPrices, assumed: ReadonlyMap<string, AssumedPrice>): PoolPrices {
  return new Map([...[...assumed].map(([key, { price }]) => [key, price] as const), ...prices]);
}

/** The pools whose prices are those of other regions, by cluster and name. */
export function listAssumedPools(assumed: ReadonlyMap<string, AssumedPrice>): AssumedPoolPrice[] {
  return [...assumed].map(([key, { region, price }]) => {
    const [cluster = '', pool = ''] = key.split('/');
    return { cluster, pool, region, perHour: price.perHour };
  });
}

function mapPools<T>({ classes, clusters }: PricedFleet, valueOf: (node: PricedNode) => T | undefined) {
  const byName = new Map(classes.map((one) => [one.metadata.name, one]));
  return new Map(
    clusters.flatMap((cluster) =>
      cluster.spec.nodePools.flatMap(({ name, className }): [string, T][] => {
        const declared = byName.get(className);
        const value = declared && valueOf({ declared, cluster });
        return value === undefined ? [] : [[poolKeyOf(cluster.metadata.name, name), value]];
      }),
    ),
  );
}
