import { getOrCompute } from '../base/memoize';
import { groupBy } from '../base/order';
import type { Price } from '../fleet/prices/node-price';
import type { DeploymentCost, ReplicaCost } from './cost';
import { poolKeyOf, type Pricing } from './pool-prices';
import { type Sum, sumParts } from './sum';

/** A replica as far as its cost goes. */
export interface CostedReplica {
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

/**
 * What the replicas of each deployment take, by its id.
 *
 * @param charged in the order of the lock
 */
export function computeDeploymentCosts(
  charged: readonly CostedReplica[],
  pricing: Pricing,
): DeploymentCost[] {
  const sumFor = createReplicaSum(pricing);
  return [...groupBy(charged, ({ placement }) => placement.deployment)].map(([deployment, own]) => {
    const replicas = own.map((one) => toReplicaCost(one, sumFor(one)));
    return { deployment, cost: sumParts(replicas.map(({ cost }) => cost)), replicas };
  });
}

function toReplicaCost({ placement }: CostedReplica, cost: Sum): ReplicaCost {
  const { cluster, index, leaving } = placement;
  return leaving ? { cluster, index, leaving, cost } : { cluster, index, cost };
}

/** Tells what a replica costs: once for all that take the same of one pool at one price. */
function createReplicaSum({ prices, sources }: Pricing): (replica: CostedReplica) => Sum {
  const known = new Map<CostedReplica['usage'], Map<Price | undefined, Sum>>();
  const priceOf = (cluster: string, pool: string): Price | undefined =>
    prices.size > 0 ? prices.get(poolKeyOf(cluster, pool)) : undefined;
  return ({ placement: { cluster }, usage }) => {
    const sum = (): Sum => {
      const taken = usage.filter(({ share }) => share > 0);
      return sumParts(taken.map(({ pool, share }) => sources.nodes(priceOf(cluster, pool), share)));
    };
    const [first, second] = usage;
    return !first || second ? sum() : getOrCompute(known, usage, priceOf(cluster, first.pool), sum);
  };
}
