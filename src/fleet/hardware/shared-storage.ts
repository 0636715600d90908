import { clusterLabelsOf, hasSharedStorage } from '../../api/cluster-labels';
import type { FilestoreTier } from '../../api/cluster-network';
import type { InferenceCluster } from '../../api/inference-cluster';
import { PROVIDER_LABEL } from '../../api/labels';

/**
 * The storage class that is made with a cluster. GKE's own cannot be used: they are pinned to the network `default`.
 */
export const SHARED_STORAGE_CLASS = 'fleetwright-shared';

/** How a file system rounds the requested size of a volume. */
interface VolumeRounding {
  readonly fileSystem: string;

  /** The size of its smallest volume, in GiB. Absent if volumes grow with their files and the size has no effect. */
  readonly minimum?: number;

  /** The size in GiB of the file system that all volumes of the cluster share. It is billed, and not its volumes. */
  readonly shared?: number;
}

interface FilestoreTierFacts extends Required<Omit<VolumeRounding, 'shared'>> {
  /** The name of the tier in the parameters of the driver. */
  readonly parameter: string;
}

/** The tiers of Filestore (gcp-filestore-csi-driver v1.13.1, controller.go). */
const TIERS: Readonly<Record<FilestoreTier, FilestoreTierFacts>> = {
  BasicHDD: { fileSystem: 'Filestore (basic HDD)', parameter: 'standard', minimum: 1024 },
  BasicSSD: { fileSystem: 'Filestore (basic SSD)', parameter: 'premium', minimum: 2560 },
  Zonal: { fileSystem: 'Filestore (zonal)', parameter: 'zonal', minimum: 1024 },
  Regional: { fileSystem: 'Filestore (regional)', parameter: 'regional', minimum: 1024 },
  Enterprise: { fileSystem: 'Filestore (enterprise)', parameter: 'enterprise', minimum: 1024 },
};

/** The size of the smallest volume of any tier, in GiB. */
export const SMALLEST_FILESTORE = Math.min(...Object.values(TIERS).map(({ minimum }) => minimum));

/** The tier of the file system that is provisioned for a cluster on GKE. */
export function filestoreTierOf({ spec }: InferenceCluster): FilestoreTierFacts {
  return TIERS[spec.storage.sharedFilesystem?.tier ?? 'Enterprise'];
}

/** The storage class of the volumes that all nodes of a cluster mount. Undefined if the cluster has none. */
export function sharedStorageClassOf(cluster: InferenceCluster): string | undefined {
  if (!hasSharedStorage(cluster)) return undefined;
  return cluster.spec.storage.sharedFilesystem?.storageClassName ?? SHARED_STORAGE_CLASS;
}

const AZURE_FILES_PREMIUM: VolumeRounding = { fileSystem: 'Azure Files (premium)', minimum: 100 };

/**
 * The file system of each storage class that clouds create: of GKE from gcp-filestore-csi-driver, controller.go, of AKS
 * from its documentation, "Storage options for applications".
 */
const CLOUD_CLASSES: Readonly<Record<string, VolumeRounding>> = {
  'standard-rwx': { fileSystem: 'Filestore (basic HDD)', minimum: 1024 },
  'premium-rwx': { fileSystem: 'Filestore (basic SSD)', minimum: 2560 },
  'zonal-rwx': { fileSystem: 'Filestore (zonal)', minimum: 1024 },
  'enterprise-rwx': { fileSystem: 'Filestore (enterprise)', minimum: 1024 },
  'enterprise-multishare-rwx': { fileSystem: 'Filestore (enterprise, shared)', minimum: 10 },
  'azurefile-premium': AZURE_FILES_PREMIUM,
  'azurefile-csi-premium': AZURE_FILES_PREMIUM,
};

/** The file system of each cloud's default storage class. On GKE, it depends on the cluster. */
const DEFAULT_FILE_SYSTEMS: Readonly<Partial<Record<InferenceCluster['spec']['cluster']['source'], VolumeRounding>>> = {
  EKS: { fileSystem: 'EFS' },
  AKS: AZURE_FILES_PREMIUM,
  Nebius: { fileSystem: 'the shared file system of Nebius', minimum: 1024 },
};

/** How the file system of a cluster's shared storage class rounds sizes. Undefined if the file system is unknown. */
export function volumeRoundingOf(cluster: InferenceCluster): VolumeRounding | undefined {
  const { storageClassName, tier, lustre } = cluster.spec.storage.sharedFilesystem ?? {};
  const { source } = cluster.spec.cluster;
  if (lustre) return { fileSystem: AZURE_LUSTRE, shared: lustre.capacityTiB * 1024 };
  if (storageClassName !== undefined) {
    return CLOUD_CLASSES[storageClassName] ?? (tier && hasFilestore(cluster) ? TIERS[tier] : undefined);
  }
  return source === 'GKE' ? filestoreTierOf(cluster) : DEFAULT_FILE_SYSTEMS[source];
}

/** Whether a cluster runs on Google Cloud, where a storage class may be one of Filestore. */
export function hasFilestore(cluster: InferenceCluster): boolean {
  return clusterLabelsOf(cluster)[PROVIDER_LABEL] === 'GKE';
}

const AZURE_LUSTRE = 'Azure Managed Lustre';

const ROUNDINGS = [CLOUD_CLASSES, DEFAULT_FILE_SYSTEMS, TIERS].flatMap(Object.values<VolumeRounding>);

/** The names of the known file systems, without duplicates. */
export const FILE_SYSTEMS: readonly string[] = [
  ...new Set([...ROUNDINGS.map(({ fileSystem }) => fileSystem), AZURE_LUSTRE]),
];

/** The size in GiB of a volume for `sizeGiB` of files on a cluster: at least the minimum of its file system. */
export function roundUpVolumeSize(cluster: InferenceCluster, sizeGiB: number): number {
  return Math.max(sizeGiB, volumeRoundingOf(cluster)?.minimum ?? 0);
}

/** Whether a volume is larger than declared if its storage class is one of Filestore, of which no tier is declared. */
export function isTierUnknown(cluster: InferenceCluster, sizeGiB = 0): boolean {
  return volumeRoundingOf(cluster) === undefined && hasFilestore(cluster) && sizeGiB < SMALLEST_FILESTORE;
}
