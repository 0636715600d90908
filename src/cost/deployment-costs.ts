import { groupBy } from '../order';
import { inOrder } from '../scheduler/identity';
import type { DeploymentCost, ReplicaCost } from './cost';
import { type PoolPrices, poolKey } from './pool-prices';
import { type Part, sumOf } from './sum';

/** A replica as far as its cost goes. */
export interface Charged {
  readonly placement: {
    readonly deployment: string;
    readonly cluster: string;
    readonly index: number;
    readonly leaving?: true;
  };

  /** What it takes of the nodes of each pool, as parts of nodes added up. */
  readonly usage: readonly {
    readonly pool: string;
    readonly share: number;
    readonly surgeShare?: number;
  }[];
}

/** What the replicas of each deployment take. */
export function deploymentCosts(charged: readonly Charged[], prices: PoolPrices): DeploymentCost[] {
  const sorted = inOrder(charged, ({ placement }) => placement);
  return [...groupBy(sorted, ({ placement }) => placement.deployment)].map(([deployment, own]) => {
    const replicas = own.map((one) => replicaCost(one, prices));
    return { deployment, cost: sumOf(replicas), replicas };
  });
}

function replicaCost({ placement, usage }: Charged, prices: PoolPrices): ReplicaCost {
  const { cluster, index, leaving } = placement;
  const parts: Part[] = [];
  for (const { pool, share } of usage) {
    if (share <= 0) continue;
    const price = prices.size > 0 ? prices.get(poolKey(cluster, pool)) : undefined;
    parts.push({ perHour: price && price.perHour * share, asOf: price?.asOf });
  }
  const place = leaving ? { cluster, index, leaving } : { cluster, index };
  return Object.assign(place, sumOf(parts));
}
