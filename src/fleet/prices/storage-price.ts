import { clusterLabelsOf } from '../../api/cluster-labels';
import { blockStorageClassOf } from '../../api/cluster-storage';
import type { InferenceCluster } from '../../api/inference-cluster';
import { REGION_LABEL } from '../../api/labels';
import type { StorageRow } from '../../catalog/row-types';
import { sharedStorageClassOf, volumeRoundingOf } from '../hardware/shared-storage';
import { LIST_CURRENCY, type PriceBook, priceKeyOf } from './price-book';

/** The price of storage, and its source. */
export interface StoragePrice {
  readonly perGiBMonth: number;
  readonly source: string;
  readonly asOf: string;
}

/**
 * The price of one GiB a month of the volumes that all nodes of a cluster mount. It is the first of: the row of the
 * price file for their file system, the row for their storage class (each in the region of the cluster, then in all
 * regions), and the list price of the file system in that region or in all regions. Undefined if it is unknown.
 */
export function storagePriceOf(cluster: InferenceCluster, book: PriceBook): StoragePrice | undefined {
  const region = clusterLabelsOf(cluster)[REGION_LABEL];
  const fileSystem = volumeRoundingOf(cluster)?.fileSystem;
  const row =
    findPaidRow([fileSystem, sharedStorageClassOf(cluster)], region, book) ?? findListRow(fileSystem, region, book);
  return row && { perGiBMonth: row.perGiBMonth, source: row.source, asOf: row.asOf };
}

/**
 * The price of one GiB a month of the disks of a cluster: the row of the price file for their storage class. Undefined
 * if there is none: the catalog has no prices of disks.
 */
export function diskPriceOf(cluster: InferenceCluster, book: PriceBook): StoragePrice | undefined {
  const row = findPaidRow([blockStorageClassOf(cluster)], clusterLabelsOf(cluster)[REGION_LABEL], book);
  return row && { perGiBMonth: row.perGiBMonth, source: row.source, asOf: row.asOf };
}

type Name = string | undefined;

function findPaidRow(names: readonly Name[], region: Name, { storage }: PriceBook): StorageRow | undefined {
  const known = names.flatMap((name) => name ?? []);
  return known.flatMap((name) => storage.get(priceKeyOf(name, region)) ?? storage.get(priceKeyOf(name)) ?? [])[0];
}

function findListRow(fileSystem: Name, region: Name, { currency, listStorage }: PriceBook): StorageRow | undefined {
  if (fileSystem === undefined || currency !== LIST_CURRENCY) return undefined;
  return listStorage.get(priceKeyOf(fileSystem, region)) ?? listStorage.get(priceKeyOf(fileSystem));
}
