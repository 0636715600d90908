import type { NodePool } from '../api/node-pool';
import type { Price } from '../hardware/price-of';
import type { PoolCost } from './cost';
import type { SourceList } from './source-list';
import { type Sum, sumOf } from './sum';

/** The nodes of a pool that replicas use. */
export interface Taken {
  readonly taken: number;
  readonly rollouts: number;
}

/** What the nodes of a pool cost, and what of it nobody uses. Without a minimum an autoscaler may leave none. */
export function poolCost(
  pool: NodePool,
  price: Price | undefined,
  { taken, rollouts }: Taken,
  sources: SourceList,
): PoolCost {
  const { name, className, nodeCount, minNodeCount = 0, maxNodeCount } = pool;
  const autoscaled = maxNodeCount !== undefined;
  const nodes = autoscaled
    ? { least: minNodeCount, most: maxNodeCount }
    : { least: nodeCount, most: nodeCount };
  const costOf = (count: number): Sum => sumOf(count > 0 ? [sources.nodes(price, count)] : []);
  const least = costOf(nodes.least);
  return {
    pool: name,
    className,
    autoscaled,
    nodes,
    ...(price && { price }),
    least,
    most: nodes.most === nodes.least ? least : costOf(nodes.most),
    taken,
    rollouts,
    idle: costOf(Math.max(0, nodes.least - taken)),
  };
}
