import { groupBy } from '../order';
import { byIdentity } from '../scheduler/identity';
import type { DeploymentCost, ReplicaCost } from './cost';
import { type PoolPrices, poolKey } from './pool-prices';
import { type Part, sumOf } from './sum';

/** A replica as far as its cost goes. */
export interface Charged {
  readonly deployment: string;
  readonly cluster: string;
  readonly index: number;
  readonly leaving?: true;

  /** What it takes of the nodes of each pool, as parts of nodes added up. */
  readonly usage: readonly {
    readonly pool: string;
    readonly share: number;
    readonly surgeShare?: number;
  }[];
}

/** What the replicas of each deployment take. */
export function deploymentCosts(charged: readonly Charged[], prices: PoolPrices): DeploymentCost[] {
  const byDeployment = groupBy([...charged].sort(byIdentity), ({ deployment }) => deployment);
  return [...byDeployment].map(([deployment, own]) => {
    const replicas = own.map((one) => replicaCost(one, prices));
    return { deployment, cost: sumOf(replicas), replicas };
  });
}

function replicaCost({ cluster, index, leaving, usage }: Charged, prices: PoolPrices): ReplicaCost {
  const parts = usage
    .filter(({ share }) => share > 0)
    .map(({ pool, share }): Part => {
      const price = prices.get(poolKey(cluster, pool));
      return { perHour: price && price.perHour * share, asOf: price?.asOf };
    });
  return { cluster, index, ...(leaving && { leaving }), ...sumOf(parts) };
}
