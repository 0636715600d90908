import { aClass, gpus } from './build';
import { fullDocument } from './documents';
import { type BadRow, changed, reported } from './rows';

const REMOVED = undefined;
const SET = { name: 'gpu', count: 8, counters: { slices: '7' } };
const DIVIDED = {
  'spec.devices.0.count': REMOVED,
  'spec.counterSets': [SET],
  'spec.devices.0.counterSet': 'gpu',
  'spec.devices.0.placements': [{ slices: '1' }],
};

const bad: Record<string, BadRow> = {
  'an attribute has one form': {
    change: { 'spec.devices.0.attributes.mig': { bool: true, string: 'x' } },
    want: [
      'spec.devices.0.attributes.mig: the attribute has both string and bool. Set exactly one of string, version, bool, int.',
    ],
  },
  'an attribute has a value': {
    change: { 'spec.devices.0.attributes.mig': {} },
    want: ['spec.devices.0.attributes.mig: the attribute has no value. Set exactly one of string, version, bool, int.'],
  },
  'pods share a device of which they can have parts': {
    change: { 'spec.devices.0.capacity': {}, 'spec.devices.0.allowMultipleAllocations': true },
    want: [
      'spec.devices.0.allowMultipleAllocations: pods cannot share a device without capacity. Declare the capacities that its driver publishes, or remove allowMultipleAllocations.',
    ],
  },
  'a device that pods do not share has no policy': {
    change: { 'spec.devices.0.capacity.memory.requestPolicy': { default: '80Gi' } },
    want: [
      "spec.devices.0.capacity.memory.requestPolicy: a device that pods do not share has no policy for requests. Set 'allowMultipleAllocations: true', as the driver publishes it, or remove the policy.",
    ],
  },
  'a policy has values or a range': {
    change: {
      'spec.devices.0.allowMultipleAllocations': true,
      'spec.devices.0.capacity.memory.requestPolicy': {
        default: '80Gi',
        validValues: ['80Gi'],
        validRange: { min: '1Gi' },
      },
    },
    want: [
      'spec.devices.0.capacity.memory.requestPolicy.validValues: the policy has both validValues and validRange. Keep the one that the driver publishes.',
    ],
  },
  'a policy with values has a default': {
    change: {
      'spec.devices.0.allowMultipleAllocations': true,
      'spec.devices.0.capacity.memory.requestPolicy': { validValues: ['80Gi'] },
    },
    want: [
      "spec.devices.0.capacity.memory.requestPolicy.default: the field 'default' is missing. Kubernetes requires it.",
    ],
  },
  'the values of a policy ascend': {
    change: {
      'spec.devices.0.allowMultipleAllocations': true,
      'spec.devices.0.capacity.memory.requestPolicy': { default: '80Gi', validValues: ['80Gi', '40Gi'] },
    },
    want: [
      "spec.devices.0.capacity.memory.requestPolicy.validValues.1: '40Gi' is not greater than the value before it. List the values in ascending order.",
    ],
  },
  'the memory of a device as a number has a unit': {
    change: { 'spec.devices.0.capacity.memory.value': 80 },
    want: ["spec.devices.0.capacity.memory.value: '80' means 80 bytes. Did you mean '80Gi'?"],
  },
  'a version is text': {
    change: { 'spec.devices.0.attributes.mig': { version: 9 } },
    want: [
      "spec.devices.0.attributes.mig.version: expected text, got a number. Use three numbers, as in '9.0.0', or use a string.",
    ],
  },
  'a version has three numbers': {
    change: { 'spec.devices.0.attributes.mig': { version: '9.0' } },
    want: [
      "spec.devices.0.attributes.mig.version: '9.0' is not a semantic version. Use three numbers, as in '9.0.0', or use a string.",
    ],
  },
  'a string attribute has at most 253 characters': {
    change: { 'spec.devices.0.attributes.mig': { string: 'x'.repeat(254) } },
    want: [
      'spec.devices.0.attributes.mig.string: a text of 254 characters is greater than the maximum of 253. Shorten it to at most 253 characters.',
    ],
  },
  'a version has at most 32 characters': {
    change: { 'spec.devices.0.attributes.mig': { version: `1.0.0-${'a'.repeat(27)}` } },
    want: [
      'spec.devices.0.attributes.mig.version: a text of 33 characters is greater than the maximum of 32. Shorten it to at most 32 characters.',
    ],
  },
  'an int is whole': {
    change: { 'spec.devices.0.attributes.mig': { int: 0.5 } },
    want: ['spec.devices.0.attributes.mig.int: expected a whole number, got the number 0.5. Write a whole number.'],
  },
  'an int fits into 64 bits': {
    change: { 'spec.devices.0.attributes.mig': { int: 2n ** 63n } },
    want: [
      'spec.devices.0.attributes.mig.int: 9223372036854775808 does not fit into 64 bits. Use at most 9223372036854775807.',
    ],
  },
  'an int is a number': {
    change: { 'spec.devices.0.attributes.mig': { int: '3' } },
    want: ['spec.devices.0.attributes.mig.int: expected a whole number, got the text "3". Write a whole number.'],
  },
  'a quantity has no space': {
    change: { 'spec.devices.0.capacity.memory.value': '140 Gi' },
    want: ["spec.devices.0.capacity.memory.value: '140 Gi' is not a Kubernetes quantity. Did you mean '140Gi'?"],
  },
  'a quantity is text': {
    change: { 'spec.devices.0.capacity.memory.value': 140 },
    want: ["spec.devices.0.capacity.memory.value: '140' means 140 bytes. Did you mean '140Gi'?"],
  },
  'an amount of bytes has a unit': {
    change: { 'spec.devices.0.capacity.memory.value': '22' },
    want: ["spec.devices.0.capacity.memory.value: '22' means 22 bytes. Did you mean '22Gi'?"],
  },
  'any capacity of memory counts bytes': {
    change: { 'spec.devices.0.capacity.addressableMemory': { value: '81559' } },
    want: ["spec.devices.0.capacity.addressableMemory.value: '81559' means 81559 bytes. Did you mean '81559Mi'?"],
  },
  'a quantity has at most 32 characters': {
    change: { 'spec.devices.0.capacity.memory.value': '1'.repeat(33) },
    want: [
      'spec.devices.0.capacity.memory.value: a text of 33 characters is greater than the maximum of 32. Shorten it to at most 32 characters.',
    ],
  },
  'attributes and capacities of a device are at most 32 together': {
    change: {
      'spec.devices.0.attributes': Object.fromEntries(Array.from({ length: 32 }, (_, i) => ['a' + i, { bool: true }])),
    },
    want: [
      'spec.devices.0: a device with 33 attributes and capacities is greater than the maximum of 32. Keep only those that selectors read.',
    ],
  },
  'a device with a counter set states what it takes': {
    change: { 'spec.devices.0.counterSet': 'gpu', 'spec.devices.0.count': REMOVED, 'spec.counterSets': [SET] },
    want: ["spec.devices.0.placements: the field 'placements' is missing. Set it, or remove counterSet."],
  },
  'and no count, which follows': {
    change: { ...DIVIDED, 'spec.devices.0.count': 2 },
    want: [
      'spec.devices.0.count: the number of devices follows from placements and the count of the counter set. Remove it.',
    ],
  },
  'a device draws on a counter set of its class': {
    change: { ...DIVIDED, 'spec.devices.0.counterSet': 'gpus' },
    want: ["spec.devices.0.counterSet: there is no counter set 'gpus'. Use 'gpu'."],
  },
  'a device takes counters of its set': {
    change: { ...DIVIDED, 'spec.devices.0.placements': [{ slice: '1' }] },
    want: ["spec.devices.0.placements.0.slice: the counter set 'gpu' has no counter 'slice'. Use 'slices'."],
  },
  'a device takes no more than a set has': {
    change: { ...DIVIDED, 'spec.devices.0.placements': [{ slices: '7' }, { slices: '8' }] },
    want: [
      "spec.devices.0.placements.1.slices: the device takes 8 of 'slices', and the counter set 'gpu' has 7. State what the driver publishes.",
    ],
  },
  'a device with a counter set is not shared': {
    change: { ...DIVIDED, 'spec.devices.0.allowMultipleAllocations': true },
    want: [
      'spec.devices.0.allowMultipleAllocations: a plan does not count shares of a device that takes counters. Remove it, or remove counterSet.',
    ],
  },
};

describe('attributes and capacities of a device', () => {
  test.each(Object.entries(bad))('%s', (_, { change, want }) => {
    expect(reported(changed(fullDocument('InferenceClass'), change))).toEqual(want);
  });

  test('the number of partitions follows from placements and counter sets', () => {
    const { count: _, ...gpu } = gpus(1);
    const device = { ...gpu, counterSet: 'gpu', placements: [{ slices: '1' }, { slices: '2' }] };
    expect(aClass('x', { devices: [device], counterSets: [SET] }).spec.devices[0]?.count).toBe(16);
  });

  test('a capacity that counts may be a number, which is read as its text', () => {
    const device = gpus(1, { capacity: { multiprocessors: { value: 304 } } });
    const { devices } = aClass('mi300x', { devices: [device] }).spec;
    expect(devices[0]?.capacity['multiprocessors']).toEqual({ value: '304' });
  });

  test('an attribute may hold every number of 64 bits', () => {
    const attributes = { least: { int: -(2n ** 63n) }, most: { int: 2n ** 63n - 1n } };
    expect(aClass('x', { devices: [gpus(1, { attributes })] }).spec.devices[0]?.attributes).toEqual(attributes);
  });
});
