import type { InferenceClass } from '../../api/inference-class';
import type { Fleet } from '../../fleet/fleet';
import { type Price, priceOf } from '../../fleet/prices/node-price';

/** An inference class with its catalogue defaults, and the price of a node in each of its pools. */
export interface ClassExplanation {
  readonly declared: InferenceClass;
  readonly pools: readonly PricedPool[];
}

/** A node pool of a class, and the price of one of its nodes. */
export interface PricedPool {
  readonly cluster: string;
  readonly pool: string;
  /** Absent if no source states a price. */
  readonly price?: Price;
}

/** Lists the pools of a class with their prices. */
export function explainClass({ clusters, hardware }: Fleet, declared: InferenceClass): ClassExplanation {
  const pools = clusters.flatMap((cluster) =>
    cluster.spec.nodePools
      .filter(({ className }) => className === declared.metadata.name)
      .map((pool): PricedPool => {
        const price = priceOf({ declared, cluster }, hardware.prices);
        return { cluster: cluster.metadata.name, pool: pool.name, ...(price && { price }) };
      }),
  );
  return { declared, pools };
}
