import { hasSharedStorage } from '../../api/cluster-labels';
import type { InferenceCluster } from '../../api/inference-cluster';
import { FILESTORE_TIER_LABELS, filestoreTierOf, SHARED_STORAGE_CLASS } from '../../provision/gke/filestore';

/** The class of volumes that all nodes of a cluster mount, or nothing where there is none. */
export function sharedStorageClassOf(cluster: InferenceCluster): string | undefined {
  if (!hasSharedStorage(cluster)) return undefined;
  return cluster.spec.storage.sharedFilesystem?.storageClassName ?? SHARED_STORAGE_CLASS;
}

/** How a file system makes volumes of another size than was asked for. */
interface VolumeRounding {
  readonly fileSystem: string;

  /** The smallest volume that it makes, in GiB. Absent: it grows with its files, and the size has no effect. */
  readonly minimum?: number;
}

/** What each class of Google makes, as its driver has it (gcp-filestore-csi-driver, controller.go). */
const FILESTORE_CLASSES: Readonly<Record<string, VolumeRounding>> = {
  'standard-rwx': { fileSystem: 'Filestore (basic HDD)', minimum: 1024 },
  'premium-rwx': { fileSystem: 'Filestore (basic SSD)', minimum: 2560 },
  'zonal-rwx': { fileSystem: 'Filestore (zonal)', minimum: 1024 },
  'enterprise-rwx': { fileSystem: 'Filestore (enterprise)', minimum: 1024 },
  'enterprise-multishare-rwx': { fileSystem: 'Filestore (enterprise, shared)', minimum: 10 },
};

/** What stands behind the class that comes with a cluster of each cloud. On GKE the cluster says. */
const DEFAULT_FILE_SYSTEMS: Readonly<
  Partial<Record<InferenceCluster['spec']['cluster']['source'], VolumeRounding>>
> = {
  EKS: { fileSystem: 'EFS' },
  AKS: { fileSystem: 'Azure Files (premium)', minimum: 100 },
  Nebius: { fileSystem: 'the shared file system of Nebius', minimum: 1024 },
};

/** How the file system behind a cluster's class rounds sizes, or nothing where nobody knows. */
export function volumeRoundingOf(cluster: InferenceCluster): VolumeRounding | undefined {
  const declared = cluster.spec.storage.sharedFilesystem?.storageClassName;
  const { source } = cluster.spec.cluster;
  if (declared !== undefined) return FILESTORE_CLASSES[declared];
  return source === 'GKE' ? filestoreRoundingOf(cluster) : DEFAULT_FILE_SYSTEMS[source];
}

function filestoreRoundingOf(cluster: InferenceCluster): VolumeRounding {
  const { label, minimumGiB } = filestoreTierOf(cluster);
  return { fileSystem: formatFilestoreName(label), minimum: minimumGiB };
}

/** The file systems that are known by name, each once. */
export const FILE_SYSTEMS: readonly string[] = [
  ...new Set([
    ...[...Object.values(FILESTORE_CLASSES), ...Object.values(DEFAULT_FILE_SYSTEMS)].map(
      ({ fileSystem }) => fileSystem,
    ),
    ...FILESTORE_TIER_LABELS.map(formatFilestoreName),
  ]),
];

function formatFilestoreName(label: string): string {
  return `Filestore (${label})`;
}

/** The size of a volume for files of `sizeGiB` on a cluster: at least the smallest that its file system makes. */
export function roundUpVolumeSize(cluster: InferenceCluster, sizeGiB: number): number {
  return Math.max(sizeGiB, volumeRoundingOf(cluster)?.minimum ?? 0);
}
