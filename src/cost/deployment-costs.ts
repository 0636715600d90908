import type { Price } from '../hardware/price-of';
import { memo } from '../memo';
import { groupBy, sortedBy } from '../order';
import type { DeploymentCost, ReplicaCost } from './cost';
import { poolKey, type Pricing } from './pool-prices';
import { type Sum, sumOf } from './sum';

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

/**
 * What the replicas of each deployment take, by its id.
 *
 * @param charged in the order of the lock
 * @param known what is known of deployments, by id
 */
export function deploymentCosts(
  charged: readonly Charged[],
  pricing: Pricing,
  known: ReadonlyMap<string, DeploymentCost>,
): DeploymentCost[] {
  const sumFor = sums(pricing);
  const others =
    known.size > 0 ? charged.filter(({ placement }) => !known.has(placement.deployment)) : charged;
  const costs = [...groupBy(others, ({ placement }) => placement.deployment)].map(([deployment, own]) => {
    const replicas = own.map((one) => replicaCost(one, sumFor(one)));
    return { deployment, cost: sumOf(replicas.map(({ cost }) => cost)), replicas };
  });
  return known.size > 0 ? sortedBy([...known.values(), ...costs], ({ deployment }) => deployment) : costs;
}

function replicaCost({ placement }: Charged, cost: Sum): ReplicaCost {
  const { cluster, index, leaving } = placement;
  return leaving ? { cluster, index, leaving, cost } : { cluster, index, cost };
}

/** Tells what a replica costs: once for all that take the same of one pool at one price. */
function sums({ prices, sources }: Pricing): (replica: Charged) => Sum {
  const known = new Map<Charged['usage'], Map<Price | undefined, Sum>>();
  const priceOf = (cluster: string, pool: string): Price | undefined =>
    prices.size > 0 ? prices.get(poolKey(cluster, pool)) : undefined;
  return ({ placement: { cluster }, usage }) => {
    const sum = (): Sum => {
      const taken = usage.filter(({ share }) => share > 0);
      return sumOf(taken.map(({ pool, share }) => sources.nodes(priceOf(cluster, pool), share)));
    };
    const [first, second] = usage;
    return !first || second ? sum() : memo(known, usage, priceOf(cluster, first.pool), sum);
  };
}
