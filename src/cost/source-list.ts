import type { Price } from '../hardware/price-of';
import type { StoragePrice } from '../hardware/storage-price-of';
import { Indexed } from '../indexed';
import type { PriceSource } from './cost';
import { HOURS_PER_MONTH, type Part } from './sum';

type AnyPrice = Price | StoragePrice;

/** Makes prices parts of sums, and lists their sources in the order of first use: sums name them by their places. */
export class SourceList {
  readonly #listed = new Indexed<PriceSource>();
  readonly #placesOf = new Map<AnyPrice, readonly number[]>();
  readonly #alone: (readonly number[])[] = [];

  /** @param known sources that come first, so that sums that name them by their places can be taken over. Default: none */
  constructor(known: readonly PriceSource[] = []) {
    for (const one of known) this.place(one);
  }

  get values(): readonly PriceSource[] {
    return this.#listed.values;
  }

  place(source: PriceSource): number {
    return this.#listed.of(source);
  }

  /** So many nodes, or parts of nodes. */
  nodes(price: Price | undefined, count: number): Part {
    return price ? this.#part(price, price.perHour * count) : {};
  }

  /** So many GiB of storage. */
  storage(price: StoragePrice | undefined, sizeGiB: number): Part {
    return price ? this.#part(price, (price.perGiBMonth * sizeGiB) / HOURS_PER_MONTH) : {};
  }

  #part(price: AnyPrice, perHour: number): Part {
    let sources = this.#placesOf.get(price);
    if (!sources) this.#placesOf.set(price, (sources = this.#placeOf(price)));
    return { perHour, asOf: price.asOf, sources };
  }

  /** One list for all prices of a source: of 100,000 replicas most are of the same. */
  #placeOf(price: AnyPrice): readonly number[] {
    const { source, asOf } = price;
    const discounts = 'discounts' in price ? price.discounts : [];
    const place = this.place({ source, ...(asOf !== undefined && { asOf }), discounts });
    return (this.#alone[place] ??= [place]);
  }
}
