import { clusterLabelsOf } from '../../api/cluster-labels';
import { findUnmetRequirement } from '../../api/label-matching';
import type { ModelCache } from '../../api/model-cache';
import { qualifiedNameOf } from '../../api/resource';
import { suggestName } from '../../base/name-suggestion';
import { sortedBy } from '../../base/order';
import { sharedStorageClassOf } from '../../fleet/hardware/shared-storage';
import { mountingClustersOf } from '../../replicas/cache-clusters';
import { toStageableCache } from '../../replicas/staged-caches';
import { type CheckResult, reportFailure, reportOk, reportUnlisted, reportWarning } from '../finding';
import { objectsOf } from '../live-object';
import { type ClusterCheck, type DeclaredCluster, isDriverPending } from './check';

/** Checks that the DeviceClasses exist that the claims of the pool classes refer to. */
export const deviceClassCheck: ClusterCheck = {
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
      const meant = near === undefined ? '' : `, or name '${near}' in the InferenceClass`;
      const hint = `Install the driver ${driver}, which brings it${meant}`;
      return reportFailure(`there is no DeviceClass '${name}'`, hint);
    });
  },
};

/** Checks that the StorageClass for the volumes of caches exists. */
export const storageClassCheck: ClusterCheck = {
  name: 'storage-class',
  look({ cluster, fleet, seen }): readonly CheckResult[] {
    const name = sharedStorageClassOf(cluster);
    if (name === undefined) return [];
    const listing = seen.lists.storageClasses;
    if ('missing' in listing) return reportUnlisted(listing, 'storage classes');
    const existing = objectsOf(listing).map(({ metadata }) => metadata.name);
    if (existing.includes(name)) return [reportOk(`StorageClass '${name}' exists`)];
    const near = suggestName(name, existing);
    const choice = existing.length > 0 ? `one of ${existing.join(', ')}` : 'one that exists';
    const hint = `Make it, or name ${near === undefined ? choice : `'${near}'`} at spec.storage.sharedFilesystem`;
    const what = `there is no StorageClass '${name}'`;
    if (mayStageCaches({ cluster, fleet })) return [reportFailure(what, hint)];
    return [reportWarning(`${what}, and no cache uses it yet`, hint)];
  },
};

/** Whether a cache may be staged on a cluster: with any replica that its deployment may have there, or everywhere. */
function mayStageCaches({ cluster, fleet }: DeclaredCluster): boolean {
  const labels = clusterLabelsOf(cluster);
  const isSelected = (spec: Pick<ModelCache['spec'], 'clusterSelector'>): boolean =>
    findUnmetRequirement(spec.clusterSelector, labels) === undefined;
  const deployments = fleet.deployments.filter(({ spec }) => isSelected(spec.template.spec));
  const mounted = mountingClustersOf(deployments.map((deployment) => ({ deployment, cluster })));
  return fleet.caches.some(
    (cache) =>
      toStageableCache(cache) !== undefined &&
      isSelected(cache.spec) &&
      (cache.spec.stage === 'Everywhere' || mounted.has(qualifiedNameOf(cache))),
  );
}
