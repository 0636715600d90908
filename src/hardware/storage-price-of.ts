import { labelsOf } from '../api/cluster-labels';
import type { InferenceCluster } from '../api/inference-cluster';
import { REGION } from '../api/labels';
import { roundingOf, sharedStorageClass } from '../render/cache/storage-class';
import { type PriceBook, storageKeyOf } from './price-book';

/** What storage costs, and who says so. */
export interface StoragePrice {
  readonly perGiBMonth: number;
  readonly source: string;
  readonly asOf: string;
}

/**
 * What a GiB of the volumes that all nodes of a cluster mount costs a month: what the price file says of their file
 * system, else of their storage class, in the region of the cluster before elsewhere. Nothing where it is silent.
 */
export function storagePriceOf(cluster: InferenceCluster, { storage }: PriceBook): StoragePrice | undefined {
  const region = labelsOf(cluster)[REGION];
  const names = [roundingOf(cluster)?.fileSystem, sharedStorageClass(cluster)];
  for (const fileSystem of names) {
    if (fileSystem === undefined) continue;
    const row =
      (region === undefined ? undefined : storage.get(storageKeyOf({ fileSystem, region }))) ??
      storage.get(storageKeyOf({ fileSystem }));
    if (row) return { perGiBMonth: row.perGiBMonth, source: row.source, asOf: row.asOf };
  }
  return undefined;
}
