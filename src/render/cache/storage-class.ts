import { offersStorage } from '../../api/cluster-labels';
import type { InferenceCluster } from '../../api/inference-cluster';
import { FILESTORE_LABELS, filestoreTier, SHARED_STORAGE_CLASS } from '../../provision/filestore';

/** The class of volumes that all nodes of a cluster mount, or nothing where there is none. */
export function sharedStorageClass(cluster: InferenceCluster): string | undefined {
  if (!offersStorage(cluster)) return undefined;
  return cluster.spec.storage.sharedFilesystem?.storageClassName ?? SHARED_STORAGE_CLASS;
}

/** How a file system makes volumes of another size than was asked for. */
interface Rounding {
  readonly fileSystem: string;

  /** The smallest volume that it makes, in GiB. Absent: it grows with its files, and the size has no effect. */
  readonly minimum?: number;
}

/** What each class of Google makes, as its driver has it (gcp-filestore-csi-driver, controller.go). */
const FILESTORE: Readonly<Record<string, Rounding>> = {
  'standard-rwx': { fileSystem: 'Filestore (basic HDD)', minimum: 1024 },
  'premium-rwx': { fileSystem: 'Filestore (basic SSD)', minimum: 2560 },
  'zonal-rwx': { fileSystem: 'Filestore (zonal)', minimum: 1024 },
  'enterprise-rwx': { fileSystem: 'Filestore (enterprise)', minimum: 1024 },
  'enterprise-multishare-rwx': { fileSystem: 'Filestore (enterprise, shared)', minimum: 10 },
};

/** What stands behind the class that comes with a cluster of each cloud. On GKE the cluster says. */
const OWN: Readonly<Partial<Record<InferenceCluster['spec']['cluster']['source'], Rounding>>> = {
  EKS: { fileSystem: 'EFS' },
  AKS: { fileSystem: 'Azure Files (premium)', minimum: 100 },
  Nebius: { fileSystem: 'the shared file system of Nebius', minimum: 1024 },
};

/** How the file system behind a cluster's class rounds sizes, or nothing where nobody knows. */
export function roundingOf(cluster: InferenceCluster): Rounding | undefined {
  const declared = cluster.spec.storage.sharedFilesystem?.storageClassName;
  const { source } = cluster.spec.cluster;
  if (declared !== undefined) return FILESTORE[declared];
  return source === 'GKE' ? filestoreRounding(cluster) : OWN[source];
}

function filestoreRounding(cluster: InferenceCluster): Rounding {
  const { label, minimumGiB } = filestoreTier(cluster);
  return { fileSystem: filestoreName(label), minimum: minimumGiB };
}

/** The file systems that are known by name, each once. */
export const FILE_SYSTEMS: readonly string[] = [
  ...new Set([
    ...[...Object.values(FILESTORE), ...Object.values(OWN)].map(({ fileSystem }) => fileSystem),
    ...FILESTORE_LABELS.map(filestoreName),
  ]),
];

function filestoreName(label: string): string {
  return `Filestore (${label})`;
}

/** The size of a volume for files of `sizeGiB` on a cluster: at least the smallest that its file system makes. */
export function volumeGiB(cluster: InferenceCluster, sizeGiB: number): number {
  return Math.max(sizeGiB, roundingOf(cluster)?.minimum ?? 0);
}
