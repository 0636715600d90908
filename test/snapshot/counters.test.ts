import { GPU, type Json, judged, list, node, slice } from './build';

interface Case {
  /** What the driver of each node publishes, if it is not what the class declares. */
  published?: Json[];
  devices?: Json[];
  lost?: number;
  problems?: string[];
  warnings?: string[];
}

const HALVES = [
  { 'slice-0': '1', compute: '40' },
  { 'slice-1': '1', compute: '40' },
];
const SET = { name: 'gpu', count: 1, counters: { 'slice-0': '1', 'slice-1': '1', compute: '100' } };

const { count: _, ...gpu } = GPU;
const all = { 'slice-0': '1', 'slice-1': '1', compute: '100' };
const DECLARED: Json[] = [
  { ...gpu, counterSet: 'gpu', placements: [all] },
  { ...gpu, name: 'half', capacity: { memory: { value: '40Gi' } }, counterSet: 'gpu', placements: HALVES },
];

/** Counters as a ResourceSlice has them. */
function valuesOf(amounts: Record<string, string>): Json {
  return Object.fromEntries(Object.entries(amounts).map(([name, value]) => [name, { value }]));
}

interface Published {
  counters?: Record<string, string>;
  takes?: Record<string, string>[];
}

/** The slices of a node with one GPU that its driver divides: the counters, and the whole GPU with its halves. */
function divided(name: string, { counters = SET.counters, takes = [all, ...HALVES] }: Published = {}): Json[] {
  const pool = { resourceSliceCount: 2 };
  const devices = takes.map((amounts, i) => ({
    name: `gpu-0-${i}`,
    attributes: { architecture: { string: 'Hopper' } },
    capacity: { memory: { value: i === 0 ? '81559Mi' : '40Gi' } },
    consumesCounters: [{ counterSet: 'gpu-0', counters: valuesOf(amounts) }],
  }));
  const sharedCounters = [{ name: 'gpu-0', counters: valuesOf(counters) }];
  return [
    slice(name, { name: `${name}-sets`, pool, spec: { devices: undefined, sharedCounters } }),
    slice(name, { pool, spec: { devices } }),
  ];
}

function plain(count: number, memory: string, name: string): Json {
  return slice('n2', {
    count,
    name,
    pool: { resourceSliceCount: 2 },
    device: { capacity: { memory: { value: memory } } },
  });
}

const says = (text: string): string => expect.stringContaining(text) as string;

const cases: Record<string, Case> = {
  'counters and placements as the class declares them are not reported': {},
  'amounts written otherwise are the same': {
    published: divided('n2', { counters: { 'slice-0': '1', 'slice-1': '1', compute: '100000m' } }),
  },
  'a set with less of a counter is an error that shows both amounts': {
    published: divided('n2', { counters: { ...SET.counters, compute: '80' } }),
    problems: [
      says(
        "device gpu-0-0 of node n2 publishes 80 as counter 'compute', and InferenceClass 'h100' declares 100 for 'gpu'",
      ),
      says("declares 100 for 'half'"),
    ],
  },
  'a set with more of a counter is a warning': {
    published: divided('n2', { counters: { ...SET.counters, compute: '120' } }),
    warnings: [says("publishes 120 as counter 'compute'"), says("publishes 120 as counter 'compute'")],
  },
  'a counter that the class omits is an error, because partitions can exhaust it': {
    published: divided('n2', { counters: { ...SET.counters, decoders: '1' } }),
    problems: [says("publishes 1 as counter 'decoders'"), says("publishes 1 as counter 'decoders'")],
  },
  'a device that takes what no placement of the class takes is an error': {
    published: divided('n2', { takes: [all, HALVES[0]!, { 'slice-1': '1', compute: '60' }] }),
    problems: [
      says(
        "device gpu-0-2 of node n2 publishes compute 60, slice-1 1 as placement 'gpu', and InferenceClass 'h100' declares no such placement for 'half'",
      ),
    ],
  },
  'devices that share nothing are a warning, because the plan counts on less': {
    published: [plain(1, '81559Mi', 'n2-whole'), plain(2, '40Gi', 'n2-halves')],
    warnings: [says("publishes nothing as counter set 'gpu'"), says("publishes nothing as counter set 'gpu'")],
  },
  'a device that draws on several sets is an error': {
    published: divided('n2').map((one) => doubled(one)),
    problems: [
      says("publishes gpu-0, gpu-1 as counter set 'gpu'"),
      says("publishes gpu-0, gpu-1 as counter set 'gpu'"),
    ],
  },
  'a missing partition makes the node unusable': {
    published: divided('n2', { takes: [all, HALVES[0]!] }),
    lost: 1,
    warnings: [says("n2 shows 1 of 2 devices 'half'")],
  },
  'a class that declares a GPU next to its partitions without their counters is an error': {
    devices: [
      { ...gpu, count: 1 },
      { ...gpu, name: 'half', capacity: { memory: { value: '40Gi' } }, count: 2 },
    ],
    problems: [
      says(
        "device gpu-0-0 of node n1 publishes 100 of 'compute' as counter set 'gpu-0' (and 1 device more), and InferenceClass 'h100' declares none for 'gpu'",
      ),
    ],
  },
  'a class of whole GPUs alone needs no counters': { devices: [{ ...gpu, count: 1 }] },
  'a class of partitions that are all available at once needs no counters': {
    devices: [{ ...gpu, name: 'half', capacity: { memory: { value: '40Gi' } }, count: 2 }],
  },
};

function doubled(recorded: Json): Json {
  const spec = recorded['spec'] as { devices?: Json[] };
  const devices = spec.devices?.map((device) => {
    const [first] = device['consumesCounters'] as Json[];
    return { ...device, consumesCounters: [first, { ...first, counterSet: 'gpu-1' }] };
  });
  return { ...recorded, spec: { ...spec, ...(devices && { devices }) } };
}

test.each(Object.entries(cases))('%s', (_name, { published, devices, lost = 0, problems = [], warnings = [] }) => {
  const inferenceClass = devices ? { devices } : { devices: DECLARED, counterSets: [SET] };
  const objects = [...divided('n1'), ...(published ?? divided('n2'))];
  const said = judged({ 'us.yaml': list(node('n1'), node('n2'), ...objects) }, { inferenceClass });
  expect(said.problems).toEqual(problems);
  expect(said.warnings).toEqual(warnings);
  expect(said.lost).toEqual(lost > 0 ? { 'us/h100': lost } : {});
});
