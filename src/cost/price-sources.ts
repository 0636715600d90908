import { ValueIndex } from '../base/interning';
import type { Price } from '../fleet/prices/node-price';
import type { StoragePrice } from '../fleet/prices/storage-price';
import type { Cost, CostBreakdown, CostRange, CostWithLeast, PriceSource } from './cost';
import { type CostPart, HOURS_PER_MONTH, type Sum } from './sum';

type AnyPrice = Price | StoragePrice;

/** Converts prices to parts of sums, and lists their sources in the order of first use. Sums refer to them by index. */
export class PriceSourceList {
  readonly #listed = new ValueIndex<PriceSource>();
  readonly #placesOf = new Map<AnyPrice, readonly number[]>();
  readonly #singleLists: (readonly number[])[] = [];

  /** @param known sources that come first, so that sums that refer to them stay valid. Default: none */
  constructor(known: readonly PriceSource[] = []) {
    for (const one of known) this.place(one);
  }

  /** The sources, in the order of first use. */
  get values(): readonly PriceSource[] {
    return this.#listed.values;
  }

  /** Returns the index of a source. Adds the source if it is new. */
  place(source: PriceSource): number {
    return this.#listed.of(source);
  }

  /** Returns the cost of a number of nodes, which may be a fraction. */
  nodes(price: Price | undefined, count: number): CostPart {
    return price ? this.#part(price, price.perHour * count) : {};
  }

  /** Returns the cost of an amount of storage, in GiB. */
  storage(price: StoragePrice | undefined, sizeGiB: number): CostPart {
    return price ? this.#part(price, (price.perGiBMonth * sizeGiB) / HOURS_PER_MONTH) : {};
  }

  #part(price: AnyPrice, perHour: number): CostPart {
    let sources = this.#placesOf.get(price);
    if (!sources) this.#placesOf.set(price, (sources = this.#placeOf(price)));
    return { perHour, asOf: price.asOf, sources };
  }

  /** Returns the index of the source of a price as a list. Prices of one source share the list, which saves memory. */
  #placeOf(price: AnyPrice): readonly number[] {
    const { source, asOf } = price;
    const discounts = 'discounts' in price ? price.discounts : [];
    const place = this.place({ source, ...(asOf !== undefined && { asOf }), discounts });
    return (this.#singleLists[place] ??= [place]);
  }
}

/** Makes two costs refer to one list of sources: those of the first, then those that only the second has. */
export function alignSources(first: Cost, second: Cost): readonly [Cost, Cost] {
  const list = new PriceSourceList(first.sources);
  const places = second.sources.map((one) => list.place(one));
  const sources = list.values;
  const isSame = places.every((place, i) => place === i);
  return [
    { ...first, sources },
    { ...(isSame ? second : renumberCost(second, (place) => places[place] ?? place)), sources },
  ];
}

type Renumber = (place: number) => number;

/** Replaces the source indexes in all sums of a cost. */
function renumberCost(cost: Cost, place: Renumber): Cost {
  const sum = (one: Sum): Sum => renumberSum(one, place);
  return {
    ...renumberBought(cost, place),
    clusters: cost.clusters.map((cluster) => ({
      ...renumberBought(cluster, place),
      pools: cluster.pools.map((one) => ({ ...one, ...renumberRange(one, place), idle: sum(one.idle) })),
      volumes: cluster.volumes.map((one) => ({ ...one, cost: sum(one.cost) })),
    })),
    namespaces: cost.namespaces.map((one) => ({
      ...one,
      replicas: sum(one.replicas),
      storage: sum(one.storage),
      total: sum(one.total),
      ...(one.leastReplicas && { leastReplicas: sum(one.leastReplicas) }),
    })),
    deployments: cost.deployments.map((one) => {
      return { ...renumberUse(one, place), replicas: one.replicas.map((replica) => renumberUse(replica, place)) };
    }),
  };
}

function renumberUse<T extends CostWithLeast>(use: T, place: Renumber): T {
  const { cost, least } = use;
  return { ...use, cost: renumberSum(cost, place), ...(least && { least: renumberSum(least, place) }) };
}

function renumberBought<T extends CostBreakdown>(bought: T, place: Renumber): T {
  return {
    ...bought,
    fixed: renumberSum(bought.fixed, place),
    autoscaled: renumberRange(bought.autoscaled, place),
    storage: renumberSum(bought.storage, place),
    total: renumberRange(bought.total, place),
    idle: renumberSum(bought.idle, place),
  };
}

function renumberRange({ least, most }: CostRange, place: Renumber): CostRange {
  return { least: renumberSum(least, place), most: renumberSum(most, place) };
}

function renumberSum(sum: Sum, place: Renumber): Sum {
  return sum.sources ? { ...sum, sources: sum.sources.map(place).sort((a, b) => a - b) } : sum;
}
