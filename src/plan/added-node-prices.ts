import { assumePoolPrices, findPoolPrices, poolKeyOf } from '../cost/pool-prices';
import { HOURS_PER_MONTH } from '../cost/sum';
import type { Fleet } from '../fleet/fleet';
import type { NodesCost } from '../scheduler/remedy';

/** What further nodes of a pool cost. Undefined: no price is known, nor one of another region. */
export type PriceAddedNodes = (cluster: string, pool: string, nodes: number) => NodesCost | undefined;

/** Creates a function that prices nodes which an edit adds to pools, whatever runs on them. */
export function createNodePricer(fleet: Pick<Fleet, 'classes' | 'clusters' | 'hardware'>): PriceAddedNodes {
  const [known, assumed] = [findPoolPrices(fleet), assumePoolPrices(fleet)];
  const scaled = new Set(
    fleet.clusters.flatMap(({ metadata, spec }) =>
      spec.nodePools
        .filter(({ maxNodeCount }) => maxNodeCount !== undefined)
        .map(({ name }) => poolKeyOf(metadata.name, name)),
    ),
  );
  return (cluster, pool, nodes) => {
    const key = poolKeyOf(cluster, pool);
    const elsewhere = known.has(key) ? undefined : assumed.get(key);
    const price = known.get(key) ?? elsewhere?.price;
    if (!price) return undefined;
    return {
      perMonth: nodes * price.perHour * HOURS_PER_MONTH,
      currency: price.currency,
      autoscaled: scaled.has(key),
      ...(elsewhere && { asIn: elsewhere.region }),
    };
  };
}
