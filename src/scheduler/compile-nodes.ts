import type { InferenceClass } from '../api/inference-class';
import { type PreparedDevice, prepareDevice } from '../cel/device';
import { parseQuantity } from '../cel/quantity';
import { compareText } from '../order';
import { Interner } from './interner';
import type { DeviceKind, NodeShape } from './shapes';

type Device = InferenceClass['spec']['devices'][number];

/** Folds classes into node shapes: equal devices are prepared once, and classes of equal devices share a shape. */
export class NodeCompiler {
  readonly #devices = new Interner<PreparedDevice>();
  readonly #nodes = new Interner<NodeShape>();

  compile({ spec }: InferenceClass): NodeShape {
    const entries = new Map<string, Device>();
    for (const device of spec.devices) {
      const key = deviceKey(device);
      const same = entries.get(key);
      entries.set(key, same ? { ...same, count: same.count + device.count } : device);
    }
    const sorted = [...entries].sort(([a], [b]) => compareText(a, b));
    const key = sorted.map(([key, { name, count }]) => `${count} ${name} ${key}`).join('\n');
    return this.#nodes.intern(key, () => {
      const kinds = sorted.map(([key, device]) => this.#kind(key, device));
      return { kinds, counts: kinds.map(({ count }) => count) };
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
    };
  }
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
