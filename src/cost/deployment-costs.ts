import { getOrCompute } from '../base/memoize';
import { groupBy } from '../base/order';
import type { Price } from '../fleet/prices/node-price';
import type { CostWithLeast, DeploymentCost, ReplicaCost } from './cost';
import { poolKeyOf, type Pricing } from './pool-prices';
import { type Sum, sumParts } from './sum';

/** The properties of a replica that determine its cost. */
export interface CostedReplica {
  readonly placement: {
    readonly deployment: string;
    readonly cluster: string;
    readonly index: number;
    readonly draining?: true;
    readonly lost?: true;
  };

  /** What the replica takes of each pool, as a sum of fractions of nodes. */
  readonly usage: readonly PoolUsage[];
}

interface PoolUsage {
  readonly pool: string;
  readonly share: number;
  readonly surgeShare?: number;

  /** The part of `share` that an autoscaler can give back. */
  readonly scaledShare?: number;
}

/** @param replicas in the order of the lock */
export function computeDeploymentCosts(replicas: readonly CostedReplica[], pricing: Pricing): DeploymentCost[] {
  const sumFor = createReplicaSum(pricing);
  return [...groupBy(replicas, ({ placement }) => placement.deployment)].map(([deployment, group]) => {
    const costs = group.map((one): ReplicaCost => {
      const { cluster, index, draining } = one.placement;
      const cost = sumFor(one);
      const least = one.usage.some(({ scaledShare }) => scaledShare) && { least: sumFor(withFewestCopies(one)) };
      return { cluster, index, ...(draining && { draining }), cost, ...least };
    });
    return { deployment, ...addRanges(costs), replicas: costs };
  });
}

/** Adds up costs of which some depend on what an autoscaler does. */
export function addRanges(costs: readonly CostWithLeast[]): CostWithLeast {
  const cost = sumParts(costs.map((one) => one.cost));
  const varies = costs.some(({ least }) => least);
  return { cost, ...(varies && { least: sumParts(costs.map((one) => one.least ?? one.cost)) }) };
}

function withFewestCopies(replica: CostedReplica): CostedReplica {
  const usage = replica.usage.map(({ pool, share, scaledShare = 0 }) => ({ pool, share: share - scaledShare }));
  return { ...replica, usage };
}

/** The sum is cached for replicas with equal usage of one pool at one price. */
function createReplicaSum({ prices, sources }: Pricing): (replica: CostedReplica) => Sum {
  const known = new Map<CostedReplica['usage'], Map<Price | undefined, Sum>>();
  const byPool = new Map<string, Map<string, Price | undefined>>();
  const priceOf = (cluster: string, pool: string): Price | undefined =>
    prices.size > 0 ? getOrCompute(byPool, cluster, pool, () => prices.get(poolKeyOf(cluster, pool))) : undefined;
  return ({ placement: { cluster }, usage }) => {
    const sum = (): Sum => {
      const taken = usage.filter(({ share }) => share > 0);
      return sumParts(taken.map(({ pool, share }) => sources.nodes(priceOf(cluster, pool), share)));
    };
    const [first, second] = usage;
    return !first || second ? sum() : getOrCompute(known, usage, priceOf(cluster, first.pool), sum);
  };
}
