import type { VolumeCost } from './cost';

/** Whether a volume is that of a cache. Only identifiers of caches have a namespace. */
export function isCacheVolume({ cache }: Pick<VolumeCost, 'cache'>): boolean {
  return cache.includes('/');
}

/** Names a volume in texts: `cache ml/llama`, `Azure Managed Lustre`. */
export function formatVolumeName(volume: Pick<VolumeCost, 'cache'>): string {
  return isCacheVolume(volume) ? `cache ${volume.cache}` : volume.cache;
}
