import type { Discount, PriceFile } from '../../api/price-file';
import { EKS_PRICES, GKE_PRICES } from '../../catalog/node-prices';
import { AKS_PRICES } from '../../catalog/node-prices-aks';
import { OTHER_PRICES } from '../../catalog/node-prices-others';
import type { PriceRow, StorageRow } from '../../catalog/row-types';
import { STORAGE_PRICES } from '../../catalog/storage-prices';

/** All known prices except those in classes. */
export interface PriceBook {
  /** The currency of the fleet. */
  readonly currency: string;

  /** What the user pays, from the price file, in the currency of the fleet, by `priceKeyOf`. */
  readonly paid: ReadonlyMap<string, PriceRow>;

  /** List prices of the catalog, by `priceKeyOf`. */
  readonly list: ReadonlyMap<string, PriceRow>;

  /** Factors on list prices. */
  readonly discounts: readonly Discount[];

  /** What the user pays for storage, from the price file, by `priceKeyOf`. */
  readonly storage: ReadonlyMap<string, StorageRow>;

  /** List prices of storage, by `priceKeyOf`. Discounts do not apply to them. */
  readonly listStorage: ReadonlyMap<string, StorageRow>;
}

/** The currency of the catalog's list prices. */
export const LIST_CURRENCY = 'USD';

/** The list prices without a price file. */
export const LIST_PRICES = buildPriceBook({ currency: LIST_CURRENCY, prices: [], discounts: [], storage: [] });

/** Combines the list prices with the content of a price file. */
export function buildPriceBook({ currency, prices, discounts, storage }: PriceFile): PriceBook {
  return {
    currency,
    paid: indexPrices(prices),
    list: indexPrices([...GKE_PRICES, ...EKS_PRICES, ...AKS_PRICES, ...OTHER_PRICES]),
    discounts,
    storage: indexStorage(storage),
    listStorage: indexStorage(STORAGE_PRICES),
  };
}

/** The key of a row for an instance type or a file system. A row without a region applies to all regions. */
export function priceKeyOf(name: string, region = '*'): string {
  return `${name} ${region}`;
}

function indexPrices(rows: readonly PriceRow[]): ReadonlyMap<string, PriceRow> {
  return new Map(rows.map((row) => [priceKeyOf(row.instanceType, row.region), row]));
}

function indexStorage(rows: readonly StorageRow[]): ReadonlyMap<string, StorageRow> {
  return new Map(rows.map((row) => [priceKeyOf(row.fileSystem, row.region), row]));
}
