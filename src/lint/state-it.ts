import type { FactRow } from '../catalog/driver';
import type { Silent } from './vocabulary';

/** Tells which line to add to which class, so that what a driver publishes is known. A clause. */
export function stateIt({ name, domain, type, sample }: FactRow, { className, device }: Silent): string {
  const key = domain === undefined ? name : `${domain}/${name}`;
  const [map, line] =
    type === 'quantity'
      ? ['capacity', `${key}: { value: ${sample} }`]
      : ['attributes', `${key}: { ${type}: ${sample} }`];
  return `Add '${line}', with the value of your nodes, to ${map} of device '${device}' of InferenceClass '${className}'`;
}
