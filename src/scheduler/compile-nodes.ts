import type { InferenceClass } from '../api/inference-class';
import type { NodePool } from '../api/node-pool';
import { type PreparedDevice, prepareDevice } from '../cel/device';
import { parseQuantity } from '../cel/quantity';
import { compareText } from '../order';
import { amountsOf } from './amounts';
import { Interner } from '../interner';
import { memo } from '../memo';
import type { DeviceKind, NodeResource, NodeShape, ResourceName } from './shapes';

type Device = InferenceClass['spec']['devices'][number];
type Reserved = NodePool['reserved'];

/** How pods get devices on a cluster. */
type Claiming = Pick<NodeShape, 'dra' | 'lacks'>;

/** Folds classes into node shapes: equal devices are prepared once, and nodes that have the same share a shape. */
export class NodeCompiler {
  readonly #devices = new Interner<PreparedDevice>();
  readonly #nodes = new Interner<NodeShape>();
  readonly #known = new Map<InferenceClass, Map<string, NodeShape>>();

  /** The nodes of a class, less what others use on each, on a cluster with these features. */
  compile(declared: InferenceClass, reserved: Reserved, claiming: Claiming): NodeShape {
    const key = JSON.stringify([reserved, claiming]);
    return memo(this.#known, declared, key, () => this.#compile(declared, reserved, claiming));
  }

  #compile({ spec }: InferenceClass, reserved: Reserved, claiming: Claiming): NodeShape {
    const devices = foldDevices(spec.devices, reserved, claiming);
    const resources = resourcesOf(spec.node.allocatable, reserved, devices.length);
    const parts = devices.map(([key, { name, count }]) => `${count} ${name} ${key}`);
    return this.#nodes.intern(JSON.stringify([parts, resources, claiming]), () => {
      const kinds = devices.map(([key, device]) => this.#kind(key, device, claiming));
      return {
        ...claiming,
        kinds,
        resources,
        counts: [...kinds.map(({ count }) => count), ...resources.map(({ amount }) => amount)],
      };
    });
  }

  #kind(key: string, device: Device, claiming: Claiming): DeviceKind {
    const { name, count } = device;
    const claimedAs = askedAs(device, claiming);
    return {
      name,
      count,
      ...(claimedAs !== undefined && { claimedAs }),
      prepared: this.#devices.intern(key, () => prepareDevice(device)),
      memory: memoryOf(device),
      attributes: attributesOf(device),
    };
  }
}

/** Equal devices as one entry each, with a key by which they sort. */
function foldDevices(
  declared: readonly Device[],
  { devices: reserved }: Reserved,
  claiming: Claiming,
): [string, Device][] {
  const entries = new Map<string, Device>();
  for (const device of declared) {
    if (device.claim === 'DRA' && askedAs(device, claiming) === undefined) continue;
    const key = deviceKey(device, claiming);
    const count = device.count - (reserved[device.name] ?? 0) + (entries.get(key)?.count ?? 0);
    // A plugin may hand out any device of a resource, those that others use today among them.
    if (count > 0 || !claiming.dra) entries.set(key, { ...(entries.get(key) ?? device), count });
  }
  return [...entries].sort(([a], [b]) => compareText(a, b));
}

/** What pods ask for to get a device. Nothing for synthetic ones, and for those that no device plugin counts. */
function askedAs(
  { claim, deviceClassName, extendedResource }: Device,
  { dra }: Claiming,
): string | undefined {
  if (claim !== 'DRA') return undefined;
  return dra ? deviceClassName : extendedResource;
}

/** What is stated of CPU and memory, less what is reserved, as kinds after those of the devices. */
function resourcesOf(
  allocatable: InferenceClass['spec']['node']['allocatable'],
  reserved: Reserved,
  devices: number,
): NodeResource[] {
  const taken = amountsOf(reserved);
  const stated = Object.entries(amountsOf(allocatable)) as [ResourceName, number][];
  return stated.map(([name, amount], i) => ({
    name,
    kind: devices + i,
    amount: Math.max(0, amount - (taken[name] ?? 0)),
  }));
}

/** Everything by which a selector, or the ledger, can tell two devices apart. */
function deviceKey(device: Device, claiming: Claiming): string {
  const { claim, driver, attributes, capacity } = device;
  const facts = [...Object.entries(attributes), ...Object.entries(capacity)].sort(([a], [b]) =>
    compareText(a, b),
  );
  return JSON.stringify([claim, askedAs(device, claiming) ?? null, driver, facts], (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  );
}

/** Drivers publish the memory of a device as the capacity `memory`, of their own domain or qualified. */
function memoryOf({ driver, capacity }: Device): number {
  const memory = capacity.memory ?? capacity[`${driver}/memory`];
  return memory ? parseQuantity(memory.value).asApproximateFloat() : 0;
}

/** Attributes with their domain, which is the driver's where the name has none. */
function attributesOf({ driver, attributes }: Device): Record<string, string> {
  const qualified = Object.entries(attributes).map(([name, form]) => {
    const [value] = Object.entries(form).map(([type, content]) => `${type} ${String(content)}`);
    return [name.includes('/') ? name : `${driver}/${name}`, value ?? ''];
  });
  return Object.fromEntries(qualified);
}
