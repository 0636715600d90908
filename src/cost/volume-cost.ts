import type { InferenceCluster } from '../api/inference-cluster';
import type { ModelCache } from '../api/model-cache';
import { qualifiedName } from '../api/resource';
import type { PriceBook } from '../hardware/price-book';
import { storagePriceOf } from '../hardware/storage-price-of';
import { volumeGiB } from '../render/cache/storage-class';
import type { VolumeCost } from './cost';
import type { SourceList } from './source-list';
import { sumOf } from './sum';

/** What the volume of a cache costs on a cluster; nothing for one that is there already. */
export function volumeCost(
  cache: ModelCache,
  cluster: InferenceCluster,
  prices: PriceBook,
  sources: SourceList,
): VolumeCost | undefined {
  const { sizeGiB } = cache.spec;
  if (sizeGiB === undefined) return undefined;
  const size = volumeGiB(cluster, sizeGiB);
  const price = storagePriceOf(cluster, prices);
  return {
    cache: qualifiedName(cache),
    sizeGiB: size,
    ...(price && { price }),
    cost: sumOf([sources.storage(price, size)]),
  };
}
