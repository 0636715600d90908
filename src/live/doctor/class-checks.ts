import { cacheNeedOf, type CacheNeed } from '../../api/cache/delivery';
import type { BucketSource } from '../../api/cache/source';
import { BUCKET_DRIVERS, blockStorageClassOf, mountableSourcesOf } from '../../api/cluster-storage';
import type { InferenceCluster } from '../../api/inference-cluster';
import { clusterLabelsOf } from '../../api/cluster-labels';
import { findUnmetRequirement } from '../../api/label-matching';
import type { ModelCache } from '../../api/model-cache';
import { qualifiedNameOf } from '../../api/resource';
import { suggestName } from '../../base/name-suggestion';
import { sortedBy } from '../../base/order';
import { sharedStorageClassOf } from '../../fleet/hardware/shared-storage';
import { mountingClustersOf } from '../../replicas/cache-clusters';
import { type CheckResult, reportFailure, reportOk, reportUnlisted, reportWarning } from '../finding';
import { objectsOf } from '../listing';
import { type DoctorCheck, type ClusterDeclaration, type ExaminedCluster, isDriverPending } from './check';

/** Checks that the DeviceClasses exist that the claims of the pool classes refer to. */
export const deviceClassCheck: DoctorCheck = {
  name: 'device-classes',
  look(examined): readonly CheckResult[] {
    const { cluster, fleet, seen } = examined;
    const used = new Set(cluster.spec.nodePools.map(({ className }) => className));
    const devices = fleet.classes.filter(({ metadata }) => used.has(metadata.name)).flatMap(({ spec }) => spec.devices);
    const wanted = new Map(
      devices.flatMap(({ claim, deviceClassName, driver }) =>
        claim === 'DRA' && deviceClassName !== undefined ? [[deviceClassName, driver]] : [],
      ),
    );
    if (!cluster.spec.dra || wanted.size === 0) return [];
    const listing = seen.lists.deviceClasses;
    if ('missing' in listing) return reportUnlisted(listing, 'device classes');
    const existing = objectsOf(listing).map(({ metadata }) => metadata.name);
    return sortedBy(wanted, ([name]) => name).map(([name, driver]) => {
      if (existing.includes(name)) return reportOk(`DeviceClass '${name}' exists`);
      if (isDriverPending(driver, examined)) return reportOk(`DeviceClass '${name}' comes with the driver ${driver}`);
      const near = suggestName(name, existing);
      const meant = near === undefined ? '' : `, or use '${near}' in the InferenceClass`;
      const hint = `Install the driver ${driver}, which creates it${meant}`;
      return reportFailure(`there is no DeviceClass '${name}'`, hint);
    });
  },
};

/** A storage class that caches of a delivery use, and the field of the cluster that names it. */
interface CacheClass {
  readonly needs: readonly CacheNeed[];
  readonly nameOf: (cluster: InferenceCluster) => string | undefined;
  readonly field: string;

  /** Set if only a cache makes the class necessary. */
  readonly optional?: true;
}

const CACHE_CLASSES: readonly CacheClass[] = [
  { needs: ['SharedFilesystem'], nameOf: sharedStorageClassOf, field: 'spec.storage.sharedFilesystem' },
  {
    needs: ['BlockDevice', 'BlockSnapshots'],
    nameOf: blockStorageClassOf,
    field: 'spec.storage.blockDevice',
    optional: true,
  },
];

/** Checks that the StorageClasses for the volumes of caches exist. */
export const storageClassCheck: DoctorCheck = {
  name: 'storage-class',
  look(examined): readonly CheckResult[] {
    return CACHE_CLASSES.flatMap((one) => checkStorageClass(one, examined));
  },
};

function checkStorageClass(
  { needs, nameOf, field, optional }: CacheClass,
  { cluster, fleet, seen }: ExaminedCluster,
): readonly CheckResult[] {
  const name = nameOf(cluster);
  const used = needs.some((need) => mayMountCaches({ cluster, fleet }, need));
  if (name === undefined || (optional && !used)) return [];
  const listing = seen.lists.storageClasses;
  if ('missing' in listing) return reportUnlisted(listing, 'storage classes');
  const existing = objectsOf(listing).map(({ metadata }) => metadata.name);
  if (existing.includes(name)) return [reportOk(`StorageClass '${name}' exists`)];
  const near = suggestName(name, existing);
  const choice = existing.length > 0 ? `one of ${existing.join(', ')}` : 'one that exists';
  const hint = `Create it, or use ${near === undefined ? choice : `'${near}'`} at ${field}`;
  const what = `there is no StorageClass '${name}'`;
  if (used) return [reportFailure(what, hint)];
  return [reportWarning(`${what}, and no cache uses it yet`, hint)];
}

/** Checks that the CSI drivers exist that mount the buckets of caches. */
export const bucketDriverCheck: DoctorCheck = {
  name: 'csi-driver',
  look({ cluster, fleet, seen }): readonly CheckResult[] {
    const used = mountableSourcesOf(cluster).filter((source) =>
      mayMountCaches({ cluster, fleet }, `${source}Mounts` as const),
    );
    if (used.length === 0) return [];
    const listing = seen.lists.csiDrivers;
    if ('missing' in listing) return reportUnlisted(listing, 'CSI drivers');
    const existing = new Set(objectsOf(listing).map(({ metadata }) => metadata.name));
    return used.map((source) => {
      const name = BUCKET_DRIVERS[source];
      if (existing.has(name)) return reportOk(`CSIDriver '${name}' exists`);
      return reportFailure(`there is no CSIDriver '${name}', which mounts buckets of ${source}`, DRIVER_HINTS[source]);
    });
  },
};

const DRIVER_HINTS: Readonly<Record<BucketSource, string>> = {
  S3: 'Install Mountpoint for Amazon S3: on EKS, the add-on aws-mountpoint-s3-csi-driver',
  GCS: 'Enable the GKE add-on Cloud Storage FUSE',
};

/** Whether a cache may be on a cluster: with any replica that its deployment may have there, or everywhere. */
function mayMountCaches({ cluster, fleet }: ClusterDeclaration, need: CacheNeed): boolean {
  const labels = clusterLabelsOf(cluster);
  const isSelected = (spec: Pick<ModelCache['spec'], 'clusterSelector'>): boolean =>
    findUnmetRequirement(spec.clusterSelector, labels) === undefined;
  const deployments = fleet.deployments.filter(({ spec }) => isSelected(spec.template.spec));
  const mounted = mountingClustersOf(deployments.map((deployment) => ({ deployment, cluster })));
  return fleet.caches.some(
    (cache) =>
      cacheNeedOf(cache.spec) === need &&
      isSelected(cache.spec) &&
      (cache.spec.stage === 'Everywhere' || mounted.has(qualifiedNameOf(cache))),
  );
}
