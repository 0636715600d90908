import { formatRejectionKind } from '../../src/plan/rejection-messages';
import { formatRemedy } from '../../src/plan/remedy-messages';
import { ask, askFirst, cluster, deployment, device, engine, nodeClass, placed, run } from './build';
import { type Case, check } from './rows';

const tpu = nodeClass('tpu', device('tpu', { count: 4, className: 'tpu.google.com' }));
const { count: _, ...request } = ask('tpu', 1, 'device.driver == "tpu.google.com"') as { count: number };
const everything = [{ ...request, allocationMode: 'All' }];

/** A deployment of gangs with so many pods. */
const gangs = (id: string, pods: number, replicas = 1, copies = 1) =>
  deployment(id, {
    replicas,
    engines: [engine('main', everything, { workers: pods - 1, copies })],
    spec: { allowPartial: true },
  });
const slice = (name: string, nodes: number, tpuTopology: string) =>
  cluster(name, { a: `tpu x ${nodes}` }, { pool: { tpuTopology } });

const cases: Record<string, Case> = {
  'a gang takes the slice that has as many nodes as it has pods': {
    resources: [tpu, slice('eight', 2, '2x4'), slice('sixteen', 4, '4x4'), gangs('ml/big', 4)],
    want: ['ml/big sixteen/0 a'],
  },
  'a slice has one gang': {
    resources: [tpu, slice('eu', 4, '4x4'), gangs('ml/big', 4, 2)],
    want: ['ml/big eu/0 a'],
  },
  'a gang that leaves nodes of a slice out has no place there': {
    resources: [tpu, slice('eu', 4, '4x4'), gangs('ml/small', 2)],
    want: [],
  },
  'two gangs that fill a slice together have no place there either': {
    resources: [tpu, slice('eu', 4, '4x4'), gangs('ml/small', 2, 1, 2)],
    want: [],
  },
  'each node of a topology with no more chips than it has is a slice': {
    resources: [tpu, slice('eu', 3, '2x2'), gangs('ml/small', 1, 4)],
    want: ['ml/small eu/0 a', 'ml/small eu/1 a', 'ml/small eu/2 a'],
  },
};

const chips = device('tpu', { count: 4, className: 'tpu.google.com', extendedResource: 'google.com/tpu' });
const perNode = (requests: ReturnType<typeof ask>[]) =>
  deployment('ml/one', { engines: [engine('main', requests)], spec: { allowPartial: true } });
const some = (count: number, name = 'tpu') => ask(name, count, 'device.driver == "tpu.google.com"');
const placedOn = ['ml/one eu/0 a'];

/** What pods may take of the four chips of a node. */
const parts: Record<string, Case> = {
  'a part of the chips of a node has no place': { resources: [slice('eu', 1, '2x2'), perNode([some(2)])], want: [] },
  'a count of all chips has': { resources: [slice('eu', 1, '2x2'), perNode([some(4)])], want: placedOn },
  'several requests of a pod can take all chips together': {
    resources: [slice('eu', 1, '2x2'), perNode([some(1, 'one'), some(3, 'others')])],
    want: placedOn,
  },
  'several requests that leave one chip have no place': {
    resources: [slice('eu', 1, '2x2'), perNode([some(1, 'one'), some(2, 'others')])],
    want: [],
  },
  'another form of a request counts where a form takes a part': {
    resources: [slice('eu', 1, '2x2'), perNode([askFirst('tpu', some(2, 'half'), some(4, 'all'))])],
    want: placedOn,
  },
  'a device plugin allocates any number of chips': {
    resources: [cluster('eu', { a: 'tpu x 1' }, { dra: false }), perNode([some(2)])],
    want: placedOn,
  },
};

test.each(Object.entries(parts))('%s', (_name, { resources, want }) =>
  check({ resources: [nodeClass('tpu', chips), ...resources], want }),
);

test('a plan says how many chips to request', () => {
  const explained = JSON.stringify(run([nodeClass('tpu', chips), slice('eu', 1, '2x2'), perNode([some(2)])]));
  expect(explained).toContain('"misfit":"part-of-node","requests":["tpu"],"wanted":2,"devices":4');
  const reason = {
    filter: 'devices',
    engine: 'main',
    misfit: 'part-of-node',
    requests: ['tpu'],
    wanted: 2,
    devices: 4,
  };
  expect(formatRejectionKind({ reason } as never)).toContain(
    "tpu: needs 2 of the 4 devices of a node, and their driver allocates all of them or none. Request 4, or use 'allocationMode: All'",
  );
});

test.each(Object.entries(cases))('%s', (_name, row) => check(row));

test('a gang without a slice is offered another slice, because no nodes can be added to one', () => {
  const two = gangs('ml/big', 4, 2);
  const [remedy, ...others] = run([tpu, slice('eu', 4, '4x4'), two]).shortfalls.flatMap(({ remedies }) => remedies);
  expect(others).toEqual([]);
  expect(formatRemedy(remedy as never)).toBe('another slice like eu / a (16 TPU chips)');
  const applied = cluster('eu', { a: 'tpu x 4', b: 'tpu x 4' }, { pool: { tpuTopology: '4x4' } });
  expect(run([tpu, applied, two]).shortfalls).toEqual([]);
});

test('a gang in the place of an earlier one is offered no nodes of its slice', () => {
  const before = [tpu, slice('eu', 4, '4x4'), gangs('ml/big', 4)];
  const two = gangs('ml/big', 4, 1, 2);
  const { placements } = run(before);
  const { shortfalls } = run([...before.slice(0, 2), two], placements, [before[2] as never]);
  expect(shortfalls.flatMap(({ remedies }) => remedies).filter((one) => 'inPlace' in one)).toEqual([]);
});

test('a plan says how many pods a slice needs', () => {
  const explained = JSON.stringify(run([tpu, slice('eu', 4, '4x4'), gangs('ml/small', 2)]));
  expect(explained).toContain('"misfit":"other-slice-size","pods":2,"hosts":4');
  const reason = { filter: 'devices', engine: 'main', misfit: 'other-slice-size', pods: 2, hosts: 4 } as const;
  expect(formatRejectionKind({ reason })).toContain(
    'the pool is one TPU slice of 4 nodes, and a gang needs a pod on each; the engine has 2',
  );
});

const faults: Record<string, { nodes?: number; topology?: string; of?: typeof tpu; want: string }> = {
  'a pool has exactly the nodes of its slice': {
    nodes: 3,
    want: 'spec.nodePools.0.nodeCount: a TPU slice 4x4 has 4 nodes, and the pool has 3 nodes. Set it to 4, and declare a pool for each slice.',
  },
  'a topology divides into the chips of nodes': {
    topology: '3x3',
    want: "spec.nodePools.0.tpuTopology: 3x3 has 9 chips, and a node of InferenceClass 'tpu' has 4. Correct it, or the count of the device.",
  },
  'a pool without TPUs has no topology': {
    of: nodeClass('tpu', device('gpu')),
    want: "spec.nodePools.0.tpuTopology: InferenceClass 'tpu' has no TPUs. Remove it, or declare devices of the driver tpu.google.com.",
  },
  'a topology has two or three axes': {
    topology: '16',
    want: "'16' is not a TPU topology",
  },
};

test.each(Object.entries(faults))('%s', (_name, { nodes = 4, topology = '4x4', of = tpu, want }) => {
  expect(() => placed(run([of, slice('eu', nodes, topology), gangs('ml/big', 4)]))).toThrow(want);
});
