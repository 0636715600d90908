import { PodMatcher } from '../../src/scheduler/devices/match-pod';
import { ask, askFirst, cluster, deployment, device, engine, modelOf, nodeClassWith, run } from './build';
import { type Case, check } from './rows';

const SLICES = [0, 1, 2, 3, 4, 5, 6, 7];
const takes = (compute: number, slices: readonly number[]) => ({
  compute: String(compute),
  ...Object.fromEntries(slices.map((slice) => [`memory-slice-${slice}`, '1'])),
});
const partition = (name: string, memory: string, placements: object[]) =>
  device(name, {
    memory,
    placements: placements as Record<string, unknown>[],
    attributes: { profile: { string: name } },
  });

/** Nodes with GPUs that the driver divides like an H100: into whole ones, parts of a seventh or of three. */
const divided = (gpus: number, ...more: ReturnType<typeof device>[]) =>
  nodeClassWith(
    'mig',
    { counterSets: [{ name: 'gpu', count: gpus, counters: takes(7, SLICES) }], allocatable: { cpu: '100' }, price: 80 },
    partition('whole', '80Gi', [takes(7, SLICES)]),
    partition(
      'one',
      '10Gi',
      [0, 1, 2, 3, 4, 5, 6].map((slice) => takes(1, [slice])),
    ),
    partition('three', '40Gi', [takes(3, [0, 1, 2, 3]), takes(3, [4, 5, 6, 7])]),
    ...more,
  );
const profile = (name: string, count = 1) =>
  ask('gpu', count, `device.attributes["gpu.nvidia.com"].profile == "${name}"`);
const of = (id: string, replicas: number, request: object, spec = {}) =>
  deployment(id, { replicas, engines: [engine('main', [{ ...request }])], spec: { allowPartial: true, ...spec } });
const NEW = { version: '1.36.0' };
const all = (id: string, count: number, name = 'eu'): string[] =>
  Array.from({ length: count }, (_, i) => `${id} ${name}/${i} a`);

const cases: Record<string, Case> = {
  'a GPU has room for seven partitions of a seventh': {
    resources: [divided(1), cluster('eu', { a: 'mig x 1' }, NEW), of('ml/q', 9, profile('one'))],
    want: all('ml/q', 7),
  },
  'and for two of three sevenths': {
    resources: [divided(1), cluster('eu', { a: 'mig x 1' }, NEW), of('ml/q', 9, profile('three'))],
    want: all('ml/q', 2),
  },
  'a whole GPU has a guaranteed place only where small partitions cannot reach every GPU': {
    resources: [
      divided(2),
      cluster('eu', { a: 'mig x 1' }, NEW),
      of('ml/a', 2, profile('one'), { priority: 1 }),
      of('ml/whole', 1, profile('whole')),
    ],
    want: all('ml/a', 2),
  },
  'next to one small partition, it has': {
    resources: [
      divided(2),
      cluster('eu', { a: 'mig x 1' }, NEW),
      of('ml/a', 1, profile('one'), { priority: 1 }),
      of('ml/whole', 1, profile('whole')),
    ],
    want: ['ml/a eu/0 a', 'ml/whole eu/0 a'],
  },
  'a pod takes several partitions of one node': {
    resources: [divided(2), cluster('eu', { a: 'mig x 1' }, NEW), of('ml/q', 9, profile('one', 7))],
    want: all('ml/q', 2),
  },
  'but no more than its GPUs divide into': {
    resources: [divided(2), cluster('eu', { a: 'mig x 1' }, NEW), of('ml/q', 1, profile('three', 5))],
    want: [],
  },
  'a selector that several partitions match may get any of them': {
    resources: [divided(1), cluster('eu', { a: 'mig x 2' }, NEW), of('ml/q', 9, ask('gpu', 1))],
    want: all('ml/q', 2),
  },
  'a pod of two requests is charged for the node': {
    resources: [
      divided(2),
      cluster('eu', { a: 'mig x 2' }, NEW),
      deployment('ml/q', {
        replicas: 3,
        engines: [
          engine('main', [
            { ...profile('one'), name: 'a' },
            { ...profile('three'), name: 'b' },
          ]),
        ],
        spec: { allowPartial: true },
      }),
    ],
    want: all('ml/q', 2),
  },
  'and has no place where its partitions exclude each other': {
    resources: [
      divided(1),
      cluster('eu', { a: 'mig x 2' }, NEW),
      deployment('ml/q', {
        engines: [
          engine('main', [
            { ...profile('one'), name: 'a' },
            { ...profile('whole'), name: 'b' },
          ]),
        ],
        spec: { allowPartial: true },
      }),
    ],
    want: [],
  },
  'a pod that takes one of two profiles is charged for the node': {
    resources: [
      divided(2),
      cluster('eu', { a: 'mig x 2' }, NEW),
      deployment('ml/q', {
        replicas: 3,
        engines: [
          engine('main', [askFirst('gpu', { ...profile('one'), name: 'a' }, { ...profile('three'), name: 'b' })]),
        ],
        spec: { allowPartial: true },
      }),
    ],
    want: all('ml/q', 2),
  },
  'devices without counters count as before': {
    resources: [
      divided(1, device('nic', { count: 3, className: 'dra.net' })),
      cluster('eu', { a: 'mig x 1' }, NEW),
      deployment('ml/q', {
        replicas: 9,
        engines: [engine('main', [profile('one'), { ...ask('nic', 1, 'device.driver == "dra.net"') }])],
        spec: { allowPartial: true },
      }),
    ],
    want: all('ml/q', 3),
  },
  'a scheduler that packs nodes packs no GPUs': {
    resources: [
      divided(1),
      cluster('eu', { a: 'mig x 1 BinPack' }, NEW),
      of('ml/a', 2, profile('one'), { priority: 1 }),
      of('ml/b', 1, profile('three')),
    ],
    want: all('ml/a', 2),
  },
};

test.each(Object.entries(cases))('%s', (_, row) => check(row));

test('a pod pays for the mean part of all counters that it takes, and has the memory of its partition', () => {
  const fits = ['one', 'three', 'whole'].map((name) => {
    const { clusters, deployments } = modelOf(
      divided(2),
      cluster('eu', { a: 'mig x 1' }, NEW),
      of('ml/q', 1, profile(name)),
    );
    const { pod } = deployments[0]!.demand.engines[0]!.members[0]!;
    return new PodMatcher().fit(pod, clusters[0]!.pools[0]!.node);
  });
  expect(fits).toMatchObject([
    { share: expect.closeTo((1 / 7 + 1) / 9 / 2), memory: 10 * 2 ** 30 },
    { share: expect.closeTo((3 / 7 + 4) / 9 / 2), memory: 40 * 2 ** 30 },
    { share: expect.closeTo(1 / 2), memory: 80 * 2 ** 30 },
  ]);
});

test('a shortage counts GPUs, not the partitions that they could be divided into', () => {
  const [shortfall] = run([
    divided(2),
    cluster('eu', { a: 'mig x 1' }, NEW),
    of('ml/q', 15, profile('one')),
  ]).shortfalls;
  expect(shortfall?.rejections[0]?.reason).toMatchObject({ filter: 'capacity', inUse: 2, free: 0, missingNodes: 1 });
});

test('a replica stays where it is when a node is added', () => {
  const before = [divided(2), cluster('eu', { a: 'mig x 1' }, NEW), of('ml/q', 20, profile('three'))];
  const after = [divided(2), cluster('eu', { a: 'mig x 3' }, NEW), of('ml/q', 20, profile('three'))];
  const placed = run(before).placements;
  expect(run(after, placed).placements).toEqual(expect.arrayContaining(placed));
  expect(run(after, placed).placements).toHaveLength(12);
});

test.each([
  [{ version: '1.35.0' }, 'Kubernetes 1.35.0'],
  [{ dra: false }, "'dra: false'"],
])('a cluster that does not allocate partitions is refused, with the version that does: %j', (options, named) => {
  const resources = [divided(1), cluster('eu', { a: 'mig x 1' }, options), of('ml/q', 1, profile('one'))];
  expect(() => run(resources)).toThrow(
    `InferenceCluster eu:spec.nodePools.0.className: InferenceClass 'mig' has devices with a counterSet, which the cluster does not allocate: it has ${named}. Use DRA on Kubernetes 1.36 or later, or declare static partitions, without counterSet.`,
  );
});
