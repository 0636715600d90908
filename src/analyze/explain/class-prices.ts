import type { InferenceClass } from '../../api/inference-class';
import type { Fleet } from '../../fleet/fleet';
import { type Price, priceOf } from '../../fleet/prices/node-price';

/** A node pool of a class, and the price of one of its nodes. */
export interface PricedPool {
  readonly cluster: string;
  readonly pool: string;
  /** Absent if no source states a price. */
  readonly price?: Price;
}

/** Lists the pools of a class with the price of a node in each. */
export function pricePools({ clusters, hardware }: Fleet, declared: InferenceClass): PricedPool[] {
  return clusters.flatMap((cluster) =>
    cluster.spec.nodePools
      .filter(({ className }) => className === declared.metadata.name)
      .map(({ name: pool }): PricedPool => {
        const price = priceOf({ declared, cluster }, hardware.prices);
        return { cluster: cluster.metadata.name, pool, ...(price && { price }) };
      }),
  );
}
