import { nearest } from '../../nearest';
import type { InferenceClass } from '../inference-class';
import type { Finding } from '../resource';
import { counted } from '../wording';
import type { FleetCheck } from './fault';

/** What a pool reserves of its devices, the nodes of its class have. */
export const reservedDevices: FleetCheck = function* ({ classes, clusters }) {
  const byName = new Map(classes.map((one) => [one.metadata.name, one]));
  for (const resource of clusters) {
    for (const [index, { className, reserved }] of resource.spec.nodePools.entries()) {
      const declared = byName.get(className);
      const wrong = declared ? findings(declared, reserved.devices) : [];
      const path = ['spec', 'nodePools', index, 'reserved', 'devices'];
      for (const { device, ...finding } of wrong) yield { ...finding, resource, path: [...path, device] };
    }
  }
};

function findings(declared: InferenceClass, devices: Readonly<Record<string, number>>) {
  return Object.entries(devices).flatMap(([device, count]) => {
    const wrong = notThere(declared, device, count);
    return wrong ? [{ ...wrong, device }] : [];
  });
}

function notThere(
  { metadata, spec }: InferenceClass,
  device: string,
  count: number,
): Omit<Finding, 'path'> | undefined {
  const found = spec.devices.find(({ name }) => name === device);
  if (found && found.count >= count) return undefined;
  if (found) {
    return {
      code: 'out-of-bounds',
      what: `${counted(count, 'device')} '${device}' cannot be reserved where InferenceClass '${metadata.name}' has ${found.count}`,
      hint: `Reserve at most ${found.count}`,
    };
  }
  const known = spec.devices.map(({ name }) => name);
  const meant = nearest(device, known);
  return {
    code: 'unknown-reference',
    what: `InferenceClass '${metadata.name}' has no device '${device}'`,
    hint: meant ? `Use '${meant}'` : `Use one of ${known.join(', ')}`,
  };
}
