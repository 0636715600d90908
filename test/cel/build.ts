import { type DeviceFacts, type PreparedDevice, prepareDevice } from '../../src/cel/device';
import { compileSelector, SelectorError, type SelectorOutcome } from '../../src/cel/selector';

const L4: DeviceFacts = {
  driver: 'gpu.nvidia.com',
  attributes: {
    architecture: { string: 'Ada Lovelace' },
    productName: { string: 'NVIDIA L4' },
    cudaComputeCapability: { version: '8.9.0' },
    index: { int: 3 },
    mig: { bool: false },
    address: { string: '10.0.0.7' },
    endpoint: { string: 'https://h:8443/a' },
    links: { strings: ['nvlink', 'pcie'] },
    'resource.kubernetes.io/pcieRoot': { string: 'pci0000:00' },
  },
  capacity: { memory: { value: '23034Mi' }, cache: { value: '48Mi' } },
};

/** An L4 as its driver publishes it, but for some facts. */
export function device(facts: Partial<DeviceFacts> = {}): PreparedDevice {
  return prepareDevice({ ...L4, ...facts });
}

/** The outcome of a selector for a device, with the shorthands `A` and `C` for the maps of its driver. */
export function outcome(expression: string, on: PreparedDevice = device()): SelectorOutcome {
  return compileSelector(long(expression)).match(on);
}

/** An expression with `A.` and `C.` written out. */
export function long(expression: string): string {
  const map = { A: 'device.attributes["gpu.nvidia.com"]', C: 'device.capacity["gpu.nvidia.com"]' };
  return expression.replace(/\b[AC]\b(?=[.[)]|$)/g, (name) => map[name as 'A' | 'C']);
}

/** What the compiler says of a selector that it rejects. */
export function rejection(expression: string): SelectorError {
  try {
    compileSelector(expression);
  } catch (error) {
    if (error instanceof SelectorError) return error;
    throw error;
  }
  throw new Error(`compiles: ${expression}`);
}
