import { aDeployment, aMember, type Doc } from './build';
import { fullDocument } from './documents';
import { type BadRow, changed, reported } from './rows';

const MEMBER = 'spec.template.spec.engines.0.members.0';
const REQUEST = `${MEMBER}.nodeSelector.devices.0`;
const LONG = 'x'.repeat(10_240);
const config = (driver: string, parameters: unknown = {}): Doc => ({ driver, parameters });
const SAME = { matchAttribute: 'gpu.nvidia.com/numa' };
const OTHER = { distinctAttribute: 'gpu.nvidia.com/numa' };

const bad: Record<string, BadRow> = {
  'a toleration of device taints names a key unless it is of all': {
    change: { [`${REQUEST}.tolerations`]: [{ value: 'a' }] },
    want: [
      `${REQUEST}.tolerations.0.key: a toleration with operator Equal needs a key. Set the key of the taint, or use operator Exists to tolerate all taints.`,
    ],
  },
  'a toleration of every value takes none': {
    change: { [`${REQUEST}.tolerations`]: [{ key: 'a', operator: 'Exists', value: 'b' }] },
    want: [
      `${REQUEST}.tolerations.0.value: a toleration with operator Exists takes no value. Remove the value, or use operator Equal.`,
    ],
  },
  'only NoExecute ends': {
    change: { [`${REQUEST}.tolerations`]: [{ key: 'a', effect: 'NoSchedule', tolerationSeconds: 3 }] },
    want: [
      `${REQUEST}.tolerations.0.tolerationSeconds: only a toleration with effect NoExecute can have tolerationSeconds. Remove tolerationSeconds, or set 'effect: NoExecute'.`,
    ],
  },
  'a request has at most 16 tolerations': {
    change: { [`${REQUEST}.tolerations`]: Array.from({ length: 17 }, () => ({ operator: 'Exists' })) },
    want: [`${REQUEST}.tolerations: a list of 17 items is greater than the maximum of 16. List at most 16 items.`],
  },
  'a part of devices is of one device': {
    change: { [`${REQUEST}.count`]: 2, [`${REQUEST}.capacity`]: { requests: { memory: '4Gi' } } },
    want: [
      `${REQUEST}.count: a request with capacity takes a part of one device, not of 2. Set count: 1. For parts of different devices, use several requests and a distinctAttribute.`,
    ],
  },
  'a part of the memory has a unit': {
    change: { [`${REQUEST}.count`]: 1, [`${REQUEST}.capacity`]: { requests: { memory: '4' } } },
    want: [`${REQUEST}.capacity.requests.memory: '4' means 4 bytes. Did you mean '4Gi'?`],
  },
  'a part is a whole number': {
    change: { [`${REQUEST}.count`]: 1, [`${REQUEST}.capacity`]: { requests: { shares: '500m' } } },
    want: [
      `${REQUEST}.capacity.requests.shares: '500m' is not a whole number below 8Pi. Use a whole number with a unit, as in '4Gi'.`,
    ],
  },
  'a configuration is for a driver': {
    change: { [`${REQUEST}.config`]: [config('GPU')] },
    want: [`${REQUEST}.config.0.driver: 'GPU' is not a DNS name. Use 'gpu'.`],
  },
  'a driver is configured once for a request': {
    change: { [`${REQUEST}.config`]: [config('a.example.com'), config('a.example.com')] },
    want: [
      `${REQUEST}.config.1.driver: the driver 'a.example.com' is listed twice, first as item 1. Rename or remove one of the two.`,
    ],
  },
  'parameters are what JSON can hold': {
    change: { [`${REQUEST}.config`]: [config('a.example.com', { list: [{ big: 2n ** 60n }] })] },
    want: [
      `${REQUEST}.config.0.parameters.list.0.big: the number 1152921504606846976 is not allowed in the parameters of a driver. Use texts, numbers, true, false, lists and maps.`,
    ],
  },
  'parameters are short': {
    change: { [`${REQUEST}.config`]: [config('a.example.com', { a: LONG })] },
    want: [
      `${REQUEST}.config.0.parameters: a text of 10248 characters is greater than the maximum of 10240. Shorten the parameters.`,
    ],
  },
  'a claim has at most 32 configurations': {
    change: { [`${REQUEST}.config`]: Array.from({ length: 33 }, (_, i) => config(`d${i}.example.com`)) },
    want: [
      `${MEMBER}.nodeSelector.devices: a claim with 33 configurations is greater than the maximum of 32. Remove some, or join them.`,
    ],
  },
  'devices cannot both share a value and not': {
    change: { [`${MEMBER}.nodeSelector.constraints`]: [SAME, OTHER] },
    want: [
      `${MEMBER}.nodeSelector.constraints.1.distinctAttribute: 8 devices must have the same value and different values of 'gpu.nvidia.com/numa'. Keep one of the two constraints, or name the requests that each applies to.`,
    ],
  },
};

test.each(Object.entries(bad))('a claim: %s', (_, { change, want }) => {
  const document = changed(fullDocument('ModelDeployment'), {
    [`${MEMBER}.nodeSelector.constraints`]: undefined,
    [`${REQUEST}.config`]: undefined,
    [`${REQUEST}.tolerations`]: undefined,
    ...change,
  });
  expect(reported(document)).toEqual(want);
});

describe('constraints that only look contradictory are fine', () => {
  const devices = ['a', 'b'].map((name) => ({ name, selectors: [{ cel: 'true' }] }));
  const cases: Record<string, Doc[]> = {
    'of other attributes': [SAME, { distinctAttribute: 'gpu.nvidia.com/other' }],
    'of one device': [{ ...SAME, requests: ['a'] }, OTHER],
    'of one device each': [{ ...SAME, requests: ['a'] }, { ...SAME, requests: ['b'] }, OTHER],
    'of different requests': [
      { ...SAME, requests: ['a'] },
      { ...OTHER, requests: ['b'] },
    ],
  };
  test.each(Object.entries(cases))('%s', (_, constraints) => {
    const members = [{ ...aMember(), nodeSelector: { devices, constraints } }];
    expect(() => aDeployment('ml/q', { engines: [{ name: 'main', members }] })).not.toThrow();
  });
});
