import type { InferenceClass } from '../api/inference-class';
import type { NodePool } from '../api/node-pool';
import { type PreparedDevice, prepareDevice } from '../cel/device';
import { parseQuantity } from '../cel/quantity';
import { compareText } from '../order';
import { amountsOf } from './amounts';
import { Interner } from './interner';
import { memo } from './memo';
import type { DeviceKind, NodeResource, NodeShape, ResourceName } from './shapes';

type Device = InferenceClass['spec']['devices'][number];
type Reserved = NodePool['reserved'];

/** Folds classes into node shapes: equal devices are prepared once, and nodes that have the same share a shape. */
export class NodeCompiler {
  readonly #devices = new Interner<PreparedDevice>();
  readonly #nodes = new Interner<NodeShape>();
  readonly #known = new Map<InferenceClass, Map<string, NodeShape>>();

  /** The nodes of a class, less what others use on each. */
  compile(declared: InferenceClass, reserved: Reserved): NodeShape {
    return memo(this.#known, declared, JSON.stringify(reserved), () => this.#compile(declared, reserved));
  }

  #compile({ spec }: InferenceClass, reserved: Reserved): NodeShape {
    const entries = new Map<string, Device>();
    for (const device of spec.devices) {
      const count = device.count - (reserved.devices[device.name] ?? 0);
      const key = deviceKey(device);
      const same = entries.get(key)?.count ?? 0;
      if (same + count > 0) entries.set(key, { ...(entries.get(key) ?? device), count: same + count });
    }
    const devices = [...entries].sort(([a], [b]) => compareText(a, b));
    const resources = resourcesOf(spec.node.allocatable, reserved, devices.length);
    const parts = devices.map(([key, { name, count }]) => `${count} ${name} ${key}`);
    return this.#nodes.intern(JSON.stringify([parts, resources]), () => {
      const kinds = devices.map(([key, device]) => this.#kind(key, device));
      return {
        kinds,
        resources,
        counts: [...kinds.map(({ count }) => count), ...resources.map(({ amount }) => amount)],
      };
    });
  }

  #kind(key: string, device: Device): DeviceKind {
    const { name, count, claim, deviceClassName } = device;
    return {
      name,
      count,
      ...(claim === 'DRA' && deviceClassName !== undefined && { deviceClassName }),
      prepared: this.#devices.intern(key, () => prepareDevice(device)),
      memory: memoryOf(device),
      attributes: attributesOf(device),
    };
  }
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
function deviceKey({ claim, driver, deviceClassName, attributes, capacity }: Device): string {
  const facts = [...Object.entries(attributes), ...Object.entries(capacity)].sort(([a], [b]) =>
    compareText(a, b),
  );
  return JSON.stringify(
    [claim, claim === 'DRA' ? deviceClassName : null, driver, facts],
    (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value),
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
