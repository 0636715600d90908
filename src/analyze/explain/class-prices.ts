import type { InferenceClass } from '../../api/inference-class';
import type { Fleet } from '../../fleet/fleet';
import { type Price, priceOf } from '../../fleet/prices/node-price';

/** What a class comes to: all that it declares and takes from the catalogue, and what it costs on each cluster. */
export interface ClassExplanation {
  readonly declared: InferenceClass;
  readonly pools: readonly PricedPool[];
}

/** A pool of a class, and what one of its nodes costs. */
export interface PricedPool {
  readonly cluster: string;
  readonly pool: string;
  /** Absent where nobody knows. */
  readonly price?: Price;
}

/** Explains a class of a fleet. */
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
