import { suggestName } from '../../base/name-suggestion';
import { sortedBy } from '../../base/order';
import { sharedStorageClassOf } from '../../fleet/hardware/shared-storage';
import { type CheckResult, reportFailure, reportOk, reportUnlisted } from '../finding';
import { objectsOf } from '../live-object';
import { type ClusterCheck, isDriverPending } from './check';

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
  look({ cluster, seen }): readonly CheckResult[] {
    const name = sharedStorageClassOf(cluster);
    if (name === undefined) return [];
    const listing = seen.lists.storageClasses;
    if ('missing' in listing) return reportUnlisted(listing, 'storage classes');
    const existing = objectsOf(listing).map(({ metadata }) => metadata.name);
    if (existing.includes(name)) return [reportOk(`StorageClass '${name}' exists`)];
    const near = suggestName(name, existing);
    const choice = existing.length > 0 ? `one of ${existing.join(', ')}` : 'one that exists';
    const hint = `Make it, or name ${near === undefined ? choice : `'${near}'`} at spec.storage.sharedFilesystem`;
    return [reportFailure(`there is no StorageClass '${name}'`, hint)];
  },
};
