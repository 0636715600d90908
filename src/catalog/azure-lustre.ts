/** A SKU of Azure Managed Lustre. */
interface LustreSku {
  /** Capacities are multiples of it, in TiB. */
  readonly stepTiB: number;

  /** The largest capacity, in TiB. */
  readonly mostTiB: number;
}

/**
 * The SKUs of Azure Managed Lustre. Each has a throughput of as many MB/s for each TiB as its name says.
 *
 * Steps: Microsoft Learn, "Create an Azure Managed Lustre file system by using Azure Resource Manager templates"
 * (2024-08-16). The largest capacity: that of the table in Azure's Helm charts for shared storage on AKS, up to the 400
 * TiB for which the prerequisites of the service state the size of the subnet. Azure grants it by subscription and region.
 */
export const LUSTRE_SKUS = {
  'AMLFS-Durable-Premium-40': { stepTiB: 48, mostTiB: 384 },
  'AMLFS-Durable-Premium-125': { stepTiB: 16, mostTiB: 400 },
  'AMLFS-Durable-Premium-250': { stepTiB: 8, mostTiB: 256 },
  'AMLFS-Durable-Premium-500': { stepTiB: 4, mostTiB: 128 },
} as const satisfies Readonly<Record<string, LustreSku>>;

/** The name of a SKU of Azure Managed Lustre. */
type LustreSkuName = keyof typeof LUSTRE_SKUS;

/** The names of the SKUs, from the least throughput. */
export const LUSTRE_SKU_NAMES = Object.keys(LUSTRE_SKUS) as LustreSkuName[];
