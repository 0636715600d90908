import { nearest } from '../../nearest';
import { sortedBy } from '../../order';
import { failure, ok, type Said } from '../finding';
import { objectsIn } from '../live-object';
import { unseen } from './unseen';
import { isDriverComing } from './coming';
import { type Check, classesOn } from './site';

/** Whether the DeviceClasses exist through which pods claim what the classes declare. */
export const deviceClasses: Check = {
  name: 'device-classes',
  look(site): readonly Said[] {
    const { cluster, seen } = site;
    const wanted = new Map(
      classesOn(site).flatMap(({ spec }) =>
        spec.devices.flatMap(({ claim, deviceClassName, driver }) =>
          claim === 'DRA' && deviceClassName !== undefined ? [[deviceClassName, driver] as const] : [],
        ),
      ),
    );
    if (!cluster.spec.dra || wanted.size === 0) return [];
    const listing = seen.lists.deviceClasses;
    if ('missing' in listing) return unseen(listing, 'device classes');
    const there = objectsIn(listing).map(({ metadata }) => metadata.name);
    return sortedBy(wanted, ([name]) => name).map(([name, driver]) => {
      if (there.includes(name)) return ok(`DeviceClass '${name}' exists`);
      if (isDriverComing(driver, site)) return ok(`DeviceClass '${name}' comes with the driver ${driver}`);
      const near = nearest(name, there);
      const meant = near === undefined ? '' : `, or name '${near}' in the InferenceClass`;
      return failure(
        `there is no DeviceClass '${name}'`,
        `Install the driver ${driver}, which brings it${meant}`,
      );
    });
  },
};
