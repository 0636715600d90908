import { GPU, type Json, judged, list, node, slice } from './build';

interface Case {
  /** Objects of the nodes `n1` and `n2`. */
  objects: Json[];
  device?: Json;
  devices?: Json[];
  problems?: string[];
  warnings?: string[];
}

const memory = (value: string): { device: Json } => ({ device: { capacity: { memory: { value } } } });
const architecture = (value: Json): { device: Json } => ({ device: { attributes: { architecture: value } } });
const without = (...keys: string[]): { device: Json } => ({
  device: Object.fromEntries(keys.map((key) => [key, {}])),
});
const policed = (step: string): Json => ({
  value: '81559Mi',
  requestPolicy: { default: '81559Mi', validRange: { min: '1Mi', step } },
});
const shared = (step: string, name = 'n1'): Json =>
  slice(name, { device: { allowMultipleAllocations: true, capacity: { memory: policed(step) } } });
const CORRECT = 'Correct the class at fleet.yaml:6:3, or declare another class for these nodes.';

const cases: Record<string, Case> = {
  'devices as their class says are not worth a word': { objects: [slice('n1'), slice('n2')] },
  'less memory than the class says is an error that shows both': {
    objects: [slice('n1'), slice('n2', memory('40Gi'))],
    problems: [
      `us.yaml:130:22: device gpu-0 of node n2 publishes 40Gi as capacity 'memory' (and 7 devices more), and InferenceClass 'h100' declares 81559Mi for 'gpu'. ${CORRECT}`,
    ],
  },
  'more memory is a warning': {
    objects: [slice('n1'), slice('n2', memory('80Gi'))],
    warnings: [expect.stringContaining("publishes 80Gi as capacity 'memory'") as string],
  },
  'memory written otherwise is the same': {
    objects: [slice('n1'), slice('n2', memory('83516416Ki'))],
  },
  'a capacity that is not published is an error': {
    objects: [slice('n1', without('capacity')), slice('n2')],
    problems: [expect.stringContaining("publishes nothing as capacity 'memory'") as string],
  },
  'a device that pods share by the class, and that the driver publishes as a whole, is an error': {
    objects: [slice('n1'), slice('n2')],
    device: { allowMultipleAllocations: true },
    problems: [expect.stringContaining("publishes false as setting 'allowMultipleAllocations'") as string],
  },
  'a device that pods share is a warning where the class has whole ones': {
    objects: [slice('n1', { device: { allowMultipleAllocations: true } }), slice('n2')],
    warnings: [expect.stringContaining("publishes true as setting 'allowMultipleAllocations'") as string],
  },
  'another policy for requests is an error': {
    objects: [shared('1Gi'), shared('2Gi', 'n2')],
    device: { allowMultipleAllocations: true, capacity: { memory: policed('1024Mi') } },
    problems: [expect.stringContaining("as request policy 'memory'") as string],
  },
  'an attribute that differs is a warning that shows both': {
    objects: [slice('n1', architecture({ string: 'Ampere' })), slice('n2')],
    warnings: [
      `us.yaml:40:13: device gpu-0 of node n1 publishes 'Ampere' as attribute 'architecture' (and 7 devices more), and InferenceClass 'h100' declares 'Hopper' for 'gpu'. ${CORRECT}`,
    ],
  },
  'each value that differs has a message of its own': {
    objects: [slice('n1', architecture({ string: 'Ampere' })), slice('n2', architecture({ string: 'Turing' }))],
    warnings: [
      expect.stringContaining("publishes 'Ampere' as attribute 'architecture' (and 7 devices more)") as string,
      expect.stringContaining("publishes 'Turing' as attribute 'architecture' (and 7 devices more)") as string,
    ],
  },
  'an attribute that is not published is a warning': {
    objects: [slice('n1', without('attributes')), slice('n2')],
    warnings: [expect.stringContaining("publishes nothing as attribute 'architecture'") as string],
  },
  'an attribute of another form is a warning': {
    objects: [slice('n1', architecture({ strings: ['Hopper'] })), slice('n2')],
    warnings: [expect.stringContaining('publishes a value of another form as') as string],
  },
  'what the class leaves out is not compared': {
    objects: [slice('n1', architecture({ string: 'Ampere' })), slice('n2')],
    device: { attributes: {} },
  },
  'each form of attribute has its own equality': {
    objects: ['n1', 'n2'].map((name) =>
      slice(name, {
        device: {
          attributes: { v: { version: '9.0.0+b1' }, i: { int: 7 }, b: { bool: true }, s: { string: 'x' } },
        },
      }),
    ),
    device: {
      attributes: { v: { version: '9.0.0' }, i: { int: 7 }, b: { bool: false }, s: { string: 'x' } },
    },
    warnings: [expect.stringContaining("publishes 'true' as attribute 'b'") as string],
  },
  'a version that is older is a warning': {
    objects: ['n1', 'n2'].map((name) => slice(name, { device: { attributes: { v: { version: '9.0.0' } } } })),
    device: { attributes: { v: { version: '9.1.0' } } },
    warnings: [expect.stringContaining("publishes '9.0.0' as attribute 'v'") as string],
  },
  'a name without a domain is one of the driver': {
    objects: ['n1', 'n2'].map((name) =>
      slice(name, { device: { capacity: { 'gpu.nvidia.com/memory': { value: '81559Mi' } } } }),
    ),
    device: { attributes: { 'gpu.nvidia.com/architecture': { string: 'Hopper' } } },
  },
  'partitions next to whole devices are passed over': {
    objects: ['n1', 'n2'].flatMap((name) => [
      slice(name, { name: `${name}-mig`, count: 14, pool: { resourceSliceCount: 2 }, ...memory('10Gi') }),
      slice(name, { pool: { resourceSliceCount: 2 } }),
    ]),
  },
  'the device that differs least stands for its entry': {
    objects: ['n1', 'n2'].flatMap((name) => [
      slice(name, { name: `${name}-a`, count: 8, pool: { resourceSliceCount: 2 }, ...memory('1Gi') }),
      slice(name, {
        name: `${name}-b`,
        pool: { resourceSliceCount: 2 },
        device: {
          attributes: { architecture: { string: 'Hopper' }, v: { string: 'new' } },
          capacity: GPU.capacity,
        },
      }),
    ]),
    device: { attributes: { ...GPU.attributes, v: { string: 'old' } } },
    warnings: [expect.stringContaining("publishes 'new' as attribute 'v' (and 15 devices more)") as string],
  },
  'an entry that says more gets the devices that it distinguishes': {
    objects: ['n1', 'n2'].flatMap((name) => {
      const half = { count: 4, pool: { resourceSliceCount: 2 } };
      return [
        slice(name, { name: `${name}-a`, ...half }),
        slice(name, {
          name: `${name}-b`,
          ...half,
          device: { attributes: { architecture: { string: 'Ampere' } }, capacity: GPU.capacity },
        }),
      ];
    }),
    devices: [
      { ...GPU, name: 'any', count: 4, attributes: {} },
      { ...GPU, name: 'hopper', count: 4 },
    ],
  },
  'a node that does not count anyway is not compared': {
    objects: [slice('n1'), slice('n2', { ...memory('40Gi'), count: 7 })],
    warnings: [expect.stringContaining("n2 shows 7 of 8 devices 'gpu'") as string],
  },
};

test.each(Object.entries(cases))('%s', (_, { objects, device, devices, problems = [], warnings = [] }) => {
  const inferenceClass = { devices: devices ?? [{ ...GPU, ...device }] };
  const said = judged({ 'us.yaml': list(node('n1'), node('n2'), ...objects) }, { inferenceClass });
  expect(said.problems).toEqual(problems);
  expect(said.warnings).toEqual(warnings);
});
