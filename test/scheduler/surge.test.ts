import { ask, cluster, deployment, device, engine, nodeClass, run } from './build';
import { type Change, checkChange } from './history';

const H100 = nodeClass('h100');
const nodes = (count: number, name = 'eu') => cluster(name, { a: `h100 x ${count}` });
const q = (replicas: number, gpus: number) => deployment('ml/q', { replicas, gpus });
/** A replica of two nodes. */
const gang = deployment('ml/q', { engines: [engine('main', [ask('gpu', 8)], { workers: 1 })] });
const L4 = nodeClass('l4', device('gpu', { architecture: 'Ada' }));
const HOPPER = 'device.attributes["gpu.nvidia.com"].architecture == "Hopper"';
const taint = (effect: string) => ({ taints: [{ key: 'drain', effect }] });

const surging: Record<string, Change> = {
  'the new replica is next to the old one, on its cluster, under another index': {
    before: [H100, nodes(2, 'us'), q(1, 8)],
    resources: [H100, nodes(2, 'eu'), nodes(2, 'us'), q(1, 4)],
    want: ['~ml/q us/0 a', 'ml/q us/1 a'],
    evicted: ['ml/q us/0 shape'],
  },
  'or on another cluster, where its own has no room': {
    before: [H100, nodes(1, 'us'), q(1, 8)],
    resources: [H100, nodes(1, 'eu'), nodes(1, 'us'), q(1, 4)],
    want: ['ml/q eu/0 a', '~ml/q us/0 a'],
    evicted: ['ml/q us/0 shape'],
  },
  'or in its place, where nothing else has': {
    before: [H100, nodes(1), q(1, 8)],
    resources: [H100, nodes(1), q(1, 4)],
    want: ['ml/q eu/0 a'],
    evicted: ['ml/q eu/0 shape'],
  },
  'some next to the old ones and the rest in their place': {
    before: [H100, nodes(2), q(2, 8)],
    resources: [H100, nodes(3), q(2, 7)],
    want: ['~ml/q eu/0 a', 'ml/q eu/1 a', 'ml/q eu/2 a'],
    evicted: ['ml/q eu/0 shape', 'ml/q eu/1 shape'],
  },
  'an old one is charged by what it is, not by what is declared now': {
    before: [H100, nodes(1), q(1, 6)],
    resources: [H100, nodes(1), q(1, 1), deployment('ml/r', { replicas: 2, gpus: 1 })],
    want: ['~ml/q eu/0 a', 'ml/q eu/1 a', 'ml/r eu/0 a'],
    evicted: ['ml/q eu/0 shape'],
  },
  'as many old ones go as one new needs, and no more': {
    before: [H100, nodes(1), q(4, 2)],
    resources: [H100, nodes(1), q(1, 6)],
    edit: (previous) => previous.map((line) => ({ ...line, draining: true })),
    want: ['~ml/q eu/0 a', 'ml/q eu/1 a'],
    evicted: ['ml/q eu/1 shape', 'ml/q eu/2 shape', 'ml/q eu/3 shape'],
  },
  'and only those that hold what it needs': {
    before: [H100, cluster('eu', { a: 'h100 x 1', b: 'h100 x 1' }), q(2, 8)],
    resources: [H100, cluster('eu', { a: 'h100 x 1', b: 'h100 x 1' }), q(2, 8)].map((one) =>
      one.kind === 'ModelDeployment' ? q(1, 7) : one,
    ),
    edit: (previous) => previous.map((line) => ({ ...line, draining: true })),
    want: ['~ml/q eu/0 a', 'ml/q eu/1 b'],
    evicted: ['ml/q eu/1 shape'],
  },
  'on the cluster where the fewest have to go': {
    before: [H100, nodes(1, 'eu'), nodes(1, 'us'), q(3, 4)],
    resources: [H100, nodes(1, 'eu'), nodes(1, 'us'), q(3, 8)],
    want: ['ml/q eu/0 a', 'ml/q us/0 a'],
    evicted: ['ml/q eu/0 shape', 'ml/q eu/1 shape', 'ml/q us/0 shape'],
  },
  'and none that would not help': {
    before: [H100, L4, cluster('eu', { a: 'h100 x 1', b: 'l4 x 1' }), q(2, 8)],
    resources: [
      H100,
      L4,
      cluster('eu', { a: 'h100 x 1', b: 'l4 x 1' }),
      deployment('ml/q', { replicas: 2, engines: [engine('main', [ask('gpu', 7, HOPPER)])] }),
    ],
    edit: (previous) => previous.map((line) => ({ ...line, pools: { main: line.index === 0 ? 'a' : 'b' } })),
    want: ['ml/q eu/0 a', '~ml/q eu/1 b'],
    evicted: ['ml/q eu/0 shape', 'ml/q eu/1 shape'],
  },
  'none goes where no more may be': {
    before: [H100, nodes(2), q(2, 8)],
    resources: [
      H100,
      nodes(2),
      deployment('ml/q', {
        replicas: 2,
        gpus: 7,
        spec: { allowPartial: true, placement: { maxPerCluster: 1 } },
      }),
    ],
    want: ['~ml/q eu/0 a', 'ml/q eu/1 a'],
    evicted: ['ml/q eu/0 shape', 'ml/q eu/1 shape'],
  },
  'none goes where no new one may be': {
    before: [H100, nodes(1), q(1, 8)],
    resources: [H100, cluster('eu', { a: 'h100 x 1' }, taint('NoSchedule')), q(1, 4)],
    want: ['~ml/q eu/0 a'],
    evicted: ['ml/q eu/0 shape'],
  },
  'the place of an old one is for its replacement, whoever else waits for it': {
    before: [H100, nodes(1), q(1, 8)],
    resources: [H100, nodes(1), q(1, 7), deployment('ml/a', { gpus: 8, spec: { priority: 9 } })],
    want: ['ml/q eu/0 a'],
    evicted: ['ml/q eu/0 shape'],
  },
  'what is left over is for those alone who may be there': {
    before: [H100, nodes(1), q(1, 8)],
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 1' }, { labels: { region: 'eu' } }),
      cluster('us', { a: 'h100 x 0' }, { labels: { region: 'us' } }),
      q(1, 4),
      deployment('ml/a', { gpus: 3, template: { clusterSelector: { matchLabels: { region: 'us' } } } }),
    ],
    want: ['ml/q eu/0 a'],
    evicted: ['ml/q eu/0 shape'],
  },
  'none goes where that would not help': {
    before: [H100, nodes(1), q(1, 8)],
    resources: [H100, nodes(1), gang],
    want: ['~ml/q eu/0 a'],
    evicted: ['ml/q eu/0 shape'],
  },
  'none goes for another deployment, which gets what is left over': {
    before: [H100, nodes(1), q(1, 8)],
    resources: [H100, nodes(1), q(1, 4), deployment('ml/a', { gpus: 3 }), deployment('ml/z', { gpus: 8 })],
    want: ['ml/a eu/0 a', 'ml/q eu/0 a'],
    evicted: ['ml/q eu/0 shape'],
  },
  'one whose pool is gone goes': {
    before: [H100, cluster('eu', { a: 'h100 x 1' }), q(1, 8)],
    resources: [H100, cluster('eu', { b: 'h100 x 2' }), q(1, 4)],
    want: ['ml/q eu/0 b'],
    evicted: ['ml/q eu/0 pool-gone'],
  },
  'one whose cluster is gone goes': {
    before: [H100, nodes(1, 'eu'), q(1, 8)],
    resources: [H100, nodes(1, 'us'), q(1, 4)],
    want: ['ml/q us/0 a'],
    evicted: ['ml/q eu/0 cluster-gone'],
  },
  'one that also has to leave its cluster stays as draining until it is finalized': {
    before: [H100, nodes(2, 'eu'), q(1, 8)],
    resources: [H100, cluster('eu', { a: 'h100 x 2' }, taint('NoExecute')), nodes(1, 'us'), q(1, 4)],
    want: ['~ml/q eu/0 a', 'ml/q us/0 a'],
    evicted: ['ml/q eu/0 rejected'],
  },
  'engines that are renamed are another shape': {
    before: [H100, nodes(2), q(1, 8)],
    resources: [H100, nodes(2), deployment('ml/q', { engines: [engine('other', [ask('gpu', 8)])] })],
    want: ['~ml/q eu/0 a', 'ml/q eu/1 a'],
    evicted: ['ml/q eu/0 shape'],
  },
  'an edit that is taken back makes the old ones count again': {
    before: [H100, nodes(2), q(1, 8)],
    resources: [H100, nodes(2), q(1, 8)],
    edit: (previous) => previous.map((line) => ({ ...line, draining: true })),
    want: ['ml/q eu/0 a'],
  },
  'those that fewer replicas leave without a replacement go at once': {
    before: [H100, nodes(4), q(2, 8)],
    resources: [H100, nodes(4), q(1, 4)],
    want: ['~ml/q eu/0 a', 'ml/q eu/2 a'],
    evicted: ['ml/q eu/0 shape', 'ml/q eu/1 scaled-down'],
  },
  'all of them where none is wanted': {
    before: [H100, nodes(4), q(2, 8)],
    resources: [H100, nodes(4), q(0, 4)],
    want: [],
    evicted: ['ml/q eu/0 scaled-down', 'ml/q eu/1 scaled-down'],
  },
};

describe('engines of another shape', () => {
  test.each(Object.entries(surging))('%s', (_, row) => checkChange({ known: true, ...row }));

  test('what left before and has its replacement does not give way to a further replica', () => {
    const [before, after, more] = [q(1, 4), q(1, 3), q(2, 3)].map((one) => [H100, nodes(1), one]);
    const locked = run(after!, run(before!).placements, before).placements;
    checkChange({
      before: before!,
      known: true,
      edit: () => [...locked],
      resources: more!,
      want: ['~ml/q eu/0 a', 'ml/q eu/1 a'],
    });
  });

  test('what left before and has none gives way when that helps', () => {
    const before = [H100, nodes(1), q(1, 8)];
    const locked = run([H100, nodes(1), gang], run(before).placements, before).placements;
    checkChange({
      before,
      known: true,
      edit: () => [...locked],
      resources: [H100, nodes(1), q(1, 4)],
      want: ['ml/q eu/0 a'],
      evicted: ['ml/q eu/0 shape'],
    });
  });

  test('what left before does not give way in larger numbers than have no replacement', () => {
    const fleet = [H100, nodes(1, 'eu'), nodes(1, 'us')];
    const former = run([H100, nodes(1, 'eu'), q(2, 3)]).placements.map((line) => ({
      ...line,
      draining: true as const,
    }));
    const current = run([H100, nodes(1, 'us'), q(1, 8)]).placements;
    checkChange({
      before: [H100, nodes(1, 'eu'), q(2, 3)],
      known: true,
      edit: () => [...former, ...current],
      resources: [...fleet, q(2, 8)],
      want: ['~ml/q eu/0 a', '~ml/q eu/1 a', 'ml/q us/0 a'],
    });
  });

  test('the reason says why there is downtime, and says none where there is none', () => {
    const before = [H100, nodes(1), q(1, 8)];
    const { placements } = run(before);
    const gap = (resources: typeof before, known: typeof before) =>
      run(resources, placements, known).evictions.map(({ reason }) => reason);
    expect(gap([H100, nodes(1), q(1, 4)], before)).toEqual([{ kind: 'shape', downtime: 'no-room' }]);
    expect(gap([H100, nodes(2), q(1, 4)], [])).toEqual([{ kind: 'shape', downtime: 'unknown' }]);
    expect(gap([H100, nodes(2), q(1, 4)], before)).toEqual([{ kind: 'shape' }]);
  });
});
