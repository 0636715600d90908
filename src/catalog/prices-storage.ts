import type { StorageRow } from '../api/price-file';

/**
 * List prices of shared file systems, in USD. EFS is metered in binary gigabytes; what elastic throughput costs is not
 * in it. The source is a third party's copy of the page of AWS that states a month: its first day stands for it.
 * Tiers of Filestore have no row, because no source was found that states their prices and a day.
 */
export const STORAGE_PRICES: readonly StorageRow[] = [
  {
    fileSystem: 'EFS',
    region: 'us-east-1',
    perGiBMonth: 0.3,
    source: 'factualminds.com/blog/amazon-efs-pricing-throughput-modes-storage-classes',
    asOf: '2026-06-01',
  },
];
