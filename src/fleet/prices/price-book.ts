import type { Discount, PriceFile } from '../../api/price-file';
import { EKS_PRICES, GKE_PRICES } from '../../catalog/node-prices';
import type { PriceRow, StorageRow } from '../../catalog/row-types';
import { STORAGE_PRICES } from '../../catalog/storage-prices';

/** All prices that are known beside those of classes. */
export interface PriceBook {
  /** The currency of the fleet. */
  readonly currency: string;

  /** What the user really pays, in the currency of the fleet, by `keyOf`. */
  readonly paid: ReadonlyMap<string, PriceRow>;

  /** List prices of the catalogue, by `keyOf`. */
  readonly list: ReadonlyMap<string, PriceRow>;

  /** Factors on list prices. */
  readonly discounts: readonly Discount[];

  /** What the user pays for storage, by `storageKeyOf`. */
  readonly storage: ReadonlyMap<string, StorageRow>;

  /** List prices of storage, by `storageKeyOf`. Discounts do not lower them. */
  readonly listStorage: ReadonlyMap<string, StorageRow>;
}

/** The currency of the catalogue's list prices. */
export const LIST_CURRENCY = 'USD';

/** The list prices alone. */
export const LIST_PRICES: PriceBook = buildPriceBook({
  currency: LIST_CURRENCY,
  prices: [],
  discounts: [],
  storage: [],
});

/** The list prices with what a user's file says. */
export function buildPriceBook({ currency, prices, discounts, storage }: PriceFile): PriceBook {
  return {
    currency,
    paid: indexPrices(prices),
    list: indexPrices([...GKE_PRICES, ...EKS_PRICES]),
    discounts,
    storage: indexStorage(storage),
    listStorage: indexStorage(STORAGE_PRICES),
  };
}

/** The key of a row. A row without a region holds in all of them. */
export function priceKeyOf({
  instanceType,
  region = '*',
}: Pick<PriceRow, 'instanceType' | 'region'>): string {
  return `${instanceType} ${region}`;
}

/** As `keyOf`, for storage. */
export function storageKeyOf({
  fileSystem,
  region = '*',
}: Pick<StorageRow, 'fileSystem' | 'region'>): string {
  return `${fileSystem} ${region}`;
}

function indexPrices(rows: readonly PriceRow[]): ReadonlyMap<string, PriceRow> {
  return new Map(rows.map((row) => [priceKeyOf(row), row]));
}

function indexStorage(rows: readonly StorageRow[]): ReadonlyMap<string, StorageRow> {
  return new Map(rows.map((row) => [storageKeyOf(row), row]));
}
