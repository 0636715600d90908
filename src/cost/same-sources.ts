import type { Bought, Cost, Range } from './cost';
import { SourceList } from './source-list';
import type { Sum } from './sum';

/**
 * Two costs of which the figures name sources by their places in one list: that of the first, then what only the second
 * has. One that was added up beside the other has such a list already, and stays as it is.
 */
export function withSameSources(first: Cost, second: Cost): readonly [Cost, Cost] {
  const list = new SourceList(first.sources);
  const places = second.sources.map((one) => list.place(one));
  const sources = list.values;
  const isSame = places.every((place, i) => place === i);
  return [
    { ...first, sources },
    { ...(isSame ? second : renumbered(second, (place) => places[place] ?? place)), sources },
  ];
}

type Place = (place: number) => number;

/** A cost whose sums name sources by other places. */
function renumbered(cost: Cost, place: Place): Cost {
  const sum = (one: Sum): Sum => renumberedSum(one, place);
  return {
    ...renumberedBought(cost, place),
    clusters: cost.clusters.map((cluster) => ({
      ...renumberedBought(cluster, place),
      pools: cluster.pools.map((one) => ({ ...one, ...renumberedRange(one, place), idle: sum(one.idle) })),
      volumes: cluster.volumes.map((one) => ({ ...one, cost: sum(one.cost) })),
    })),
    namespaces: cost.namespaces.map(({ namespace, replicas, storage, total }) => {
      return { namespace, replicas: sum(replicas), storage: sum(storage), total: sum(total) };
    }),
    deployments: cost.deployments.map((one) => {
      const replicas = one.replicas.map((replica) => ({ ...replica, cost: sum(replica.cost) }));
      return { ...one, cost: sum(one.cost), replicas };
    }),
  };
}

function renumberedBought<T extends Bought>(bought: T, place: Place): T {
  return {
    ...bought,
    fixed: renumberedSum(bought.fixed, place),
    autoscaled: renumberedRange(bought.autoscaled, place),
    storage: renumberedSum(bought.storage, place),
    total: renumberedRange(bought.total, place),
    idle: renumberedSum(bought.idle, place),
  };
}

function renumberedRange({ least, most }: Range, place: Place): Range {
  return { least: renumberedSum(least, place), most: renumberedSum(most, place) };
}

function renumberedSum(sum: Sum, place: Place): Sum {
  return sum.sources ? { ...sum, sources: sum.sources.map(place).sort((a, b) => a - b) } : sum;
}
