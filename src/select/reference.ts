import type { FactRow } from '../catalog/driver';
import { DRIVERS } from '../catalog/drivers';
import type { Condition } from './condition';

/** What a driver publishes, as CEL reads it. */
export interface Reference {
  /** What messages call it: `gpu.nvidia.com memory`. */
  readonly label: string;

  /** The expression that reads it. It fails on a device that leaves it out. */
  readonly read: string;

  /** The condition that a device has it. */
  readonly published: string;

  /** Whether some devices leave it out. */
  readonly optional: boolean;
}

/** A fact of a driver of the catalogue. */
export function reference(driver: string, name: string): Reference {
  const row = DRIVERS.find((one) => one.name === driver)?.facts.find((one) => one.name === name);
  if (!row) throw new Error(`bug: the catalogue has no ${name} of ${driver}`);
  return referenceTo(driver, row);
}

/** A fact of any driver. */
export function referenceTo(
  driver: string,
  { name, type, domain = driver, optional }: Pick<FactRow, 'name' | 'type' | 'domain' | 'optional'>,
): Reference {
  const names = `device.${type === 'quantity' ? 'capacity' : 'attributes'}[${JSON.stringify(domain)}]`;
  const plain = /^[A-Za-z_]\w*$/.test(name);
  return {
    label: `${driver} ${name}`,
    read: plain ? `${names}.${name}` : `${names}[${JSON.stringify(name)}]`,
    published: `${JSON.stringify(name)} in ${names}`,
    optional: optional !== undefined,
  };
}

/** A condition on a fact, which a device that leaves the fact out does not meet. */
export function guarded({ published, optional }: Reference, cel: string): Condition {
  return { cel: optional ? `${published} && ${cel}` : cel };
}
