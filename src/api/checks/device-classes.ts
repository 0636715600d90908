import { DEVICE_CLASSES } from '../../catalog/device-classes';
import type { Device } from '../device';
import type { Finding } from '../resource';
import type { FleetCheck } from './fault';

/** A DeviceClass of a known driver takes devices of that driver alone: others could never be claimed through it. */
export const deviceClasses: FleetCheck = function* ({ classes }) {
  for (const resource of classes) {
    // What loads under the alias group goes on loading.
    if (resource.group !== 'fleetwright.dev') continue;
    for (const [index, device] of resource.spec.devices.entries()) {
      const wrong = device.claim === 'DRA' ? mismatch(device) : undefined;
      if (wrong) yield { ...wrong, resource, path: ['spec', 'devices', index, 'deviceClassName'] };
    }
  }
};

function mismatch({ driver, deviceClassName, attributes }: Device): Omit<Finding, 'path'> | undefined {
  const row = DEVICE_CLASSES.find(({ name }) => name === deviceClassName);
  if (!row) return undefined;
  const own = DEVICE_CLASSES.filter((one) => one.driver === driver).map(({ name }) => name);
  const hint = own.length > 0 ? `Use ${own.join(' or ')}` : `Correct the driver, or the DeviceClass`;
  if (row.driver !== driver) {
    const what = `the DeviceClass '${row.name}' has devices of ${row.driver}, and the driver is ${driver}`;
    return { code: 'wrong-device-class', what, hint };
  }
  const { type } = attributes;
  const stated = type && 'string' in type ? type.string : undefined;
  if (stated === undefined || row.type === undefined || stated === row.type) return undefined;
  const what = `the DeviceClass '${row.name}' has devices of type '${row.type}', and the type is '${stated}'`;
  const right = DEVICE_CLASSES.find((one) => one.driver === driver && one.type === stated)?.name;
  return { code: 'wrong-device-class', what, hint: right ? `Use '${right}'` : hint };
}
