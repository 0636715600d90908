import { nearest } from '../../nearest';
import { sharedStorageClass } from '../../render/cache/storage-class';
import { failure, ok, type Said } from '../finding';
import { objectsIn } from '../live-object';
import type { Check } from './site';
import { unseen } from './unseen';

/** Whether the class exists from which the volumes of caches are made. */
export const storage: Check = {
  name: 'storage-class',
  look({ cluster, seen }): readonly Said[] {
    const name = sharedStorageClass(cluster);
    if (name === undefined) return [];
    const listing = seen.lists.storageClasses;
    if ('missing' in listing) return unseen(listing, 'storage classes');
    const there = objectsIn(listing).map(({ metadata }) => metadata.name);
    if (there.includes(name)) return [ok(`StorageClass '${name}' exists`)];
    const near = nearest(name, there);
    const choice = there.length > 0 ? `one of ${there.join(', ')}` : 'one that exists';
    const hint = `Make it, or name ${near === undefined ? choice : `'${near}'`} at spec.storage.sharedFilesystem`;
    return [failure(`there is no StorageClass '${name}'`, hint)];
  },
};
