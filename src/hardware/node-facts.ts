import type { InstanceType } from '../api/catalogue-file';
import type { Device } from '../api/device';
import { NODE_DRIVER } from '../catalog/drivers';
import { compareText } from '../order';

/** The name of the synthetic device that stands for the node. */
export const NODE_DEVICE = 'node';

interface Facts {
  readonly texts: Readonly<Record<string, string | undefined>>;
  readonly amounts: Readonly<Record<string, Amount | undefined>>;
}

interface Amount {
  readonly value: number;
  readonly unit: string;
}

/**
 * The synthetic device by which selectors read the node: its interconnect, network, CPU. Of several instance types
 * it says what they have in common, and of amounts the least.
 */
export function nodeDevice(types: readonly InstanceType[]): Device {
  const facts = types.map(factsOf);
  const texts = namesOf(facts.map((one) => one.texts)).flatMap((name) => {
    const values = new Set(facts.map((one) => one.texts[name]));
    const [value] = values;
    return values.size === 1 && value !== undefined ? [[name, { string: value }] as const] : [];
  });
  const amounts = namesOf(facts.map((one) => one.amounts)).flatMap((name) => {
    const stated = facts.flatMap((one) => one.amounts[name] ?? []);
    const [least] = stated.sort((a, b) => a.value - b.value);
    const all = stated.length === facts.length;
    return least && all ? [[name, { value: `${least.value}${least.unit}` }] as const] : [];
  });
  return {
    name: NODE_DEVICE,
    claim: 'Synthetic',
    driver: NODE_DRIVER,
    count: 1,
    attributes: Object.fromEntries(texts),
    capacity: Object.fromEntries(amounts),
  };
}

function factsOf(type: InstanceType): Facts {
  return {
    texts: {
      instanceType: type.name,
      interconnect: type.interconnect,
      fabric: type.fabric,
      cpuArchitecture: type.cpuArchitecture ?? 'amd64',
    },
    amounts: {
      cpu: amount(type.cpu, ''),
      memory: amount(type.memoryGiB, 'Gi'),
      nicBandwidth: amount(type.nicGbps, 'G'),
      nics: amount(type.nics, ''),
      interconnectBandwidth: amount(type.interconnectGBs, 'G'),
      localDisk: amount(type.localDiskGiB, 'Gi'),
    },
  };
}

function amount(value: number | undefined, unit: string): Amount | undefined {
  return value === undefined ? undefined : { value, unit };
}

function namesOf(maps: readonly Readonly<Record<string, unknown>>[]): string[] {
  return [...new Set(maps.flatMap(Object.keys))].sort(compareText);
}
