import { type DeclaredDevice, type Device, device as schema } from '../api/device';
import { validate } from '../api/reading/validate';
import type { Finding } from '../api/resource';
import { below, type Merged, stated } from './merged';

/** The devices that the catalogue knows with what a class says of them, by name; others of the class behind them. */
export function mergedDevices(own: readonly DeclaredDevice[], known: readonly Device[]): Merged<Device[]> {
  const merged = new Map(known.map((one) => [one.name, one]));
  const findings: Finding[] = [];
  for (const [index, written] of own.entries()) {
    const checked = validate(schema, overridden(written, merged.get(written.name)));
    if ('value' in checked) merged.set(written.name, checked.value);
    else findings.push(...checked.findings.map(below('spec', 'devices', index)));
  }
  return { value: [...merged.values()], findings };
}

function overridden(written: DeclaredDevice, known: Device | undefined): object {
  return {
    ...known,
    ...stated(written),
    attributes: { ...known?.attributes, ...written.attributes },
    capacity: { ...known?.capacity, ...written.capacity },
  };
}
