import { formatAmount } from '../../base/money';
import { formatBounds, formatNodeCount, joinNames } from '../../base/text';
import type { Cost, PoolCost } from '../../cost/cost';
import type { CostChanges } from '../../cost/cost-changes';

/** The most parts that a sentence names. */
const MAX_PARTS = 3;

/** How to state a price that no source has. */
export const STATE_A_PRICE = "State a price in 'price' of the InferenceClass, or in the file of 'prices' of the Fleet";

/**
 * Names the changed parts of which no price is known, with the nearest known price:
 * `1 node of a3-highgpu-8g in europe-west4 ($64,598 a month in us-central1)`. Empty if all have a price.
 *
 * @param after the cost of the later state, which knows prices in other regions
 */
export function nameUnpricedChanges({ clusters, ...unit }: CostChanges, after: Pick<Cost, 'clusters'>): string {
  const known = new Map(
    after.clusters.flatMap(({ cluster, pools }) => pools.map((pool) => [`${cluster}/${pool.pool}`, pool] as const)),
  );
  const parts = clusters.flatMap(({ cluster, pools, volumes }) => [
    ...pools
      .filter(({ delta }) => delta.most.unknown > 0)
      .map(({ pool, nodes }) => nameNodes(`${cluster}/${pool}`, nodes, known.get(`${cluster}/${pool}`), unit)),
    ...volumes.filter(({ delta }) => delta.unknown > 0).map(({ cache }) => `the volume of ${cache} on ${cluster}`),
  ]);
  return joinNames(parts, MAX_PARTS);
}

function nameNodes(
  id: string,
  { before, after }: CostChanges['clusters'][number]['pools'][number]['nodes'],
  pool: PoolCost | undefined,
  { currency, hoursPerMonth }: Pick<Cost, 'currency' | 'hoursPerMonth'>,
): string {
  const more = { least: Math.abs(after.least - before.least), most: Math.abs(after.most - before.most) };
  const bounds = more.least <= more.most ? more : { least: more.most, most: more.least };
  const count = more.most === 0 ? 'nodes' : formatNodeCount(formatBounds(bounds));
  const [nearest] = pool?.elsewhere?.prices ?? [];
  const price = nearest
    ? ` (${formatAmount(nearest.perHour * hoursPerMonth, currency)} a month in ${nearest.region})`
    : '';
  return `${count} of ${pool?.unpriced ?? id}${price}`;
}
