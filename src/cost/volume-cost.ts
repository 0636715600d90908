import type { InferenceCluster } from '../api/inference-cluster';
import type { ModelCache } from '../api/model-cache';
import { qualifiedName } from '../api/resource';
import type { PriceBook } from '../hardware/price-book';
import { storagePriceOf } from '../hardware/storage-price-of';
import { volumeGiB } from '../render/cache/storage-class';
import type { VolumeCost } from './cost';
import { HOURS_PER_MONTH, sumOf } from './sum';

/** What the volume of a cache costs on a cluster; nothing for one that is there already. */
export function volumeCost(
  cache: ModelCache,
  cluster: InferenceCluster,
  prices: PriceBook,
): VolumeCost | undefined {
  const { sizeGiB } = cache.spec;
  if (sizeGiB === undefined) return undefined;
  const size = volumeGiB(cluster, sizeGiB);
  const price = storagePriceOf(cluster, prices);
  const perHour = price && (price.perGiBMonth * size) / HOURS_PER_MONTH;
  return {
    cache: qualifiedName(cache),
    sizeGiB: size,
    ...(price && { price }),
    cost: sumOf([{ perHour, asOf: price?.asOf }]),
  };
}
