import type { Resource } from '../../../src/api/kinds';
import { attempt } from '../../../src/base/attempt';
import { assemble, type Fleet } from '../../../src/fleet/fleet';
import { decide } from '../../../src/plan/decide';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { recordRevision } from '../../../src/scheduler/previous-revision';
import { byPath } from '../../api/build';
import { cluster, deployment, nodeClass, nodeClassWith } from '../../scheduler/build';
import { type FleetSpec, resourcesOf } from '../../scheduler/fleets';

interface Row {
  /** The nodes of the pool when the lock was made, and now. Default: two. */
  before?: number;
  nodes?: number;
  /** The GPUs, priority and surge of deployments a, b and so on. The lock has them without a surge. */
  deployments: { gpus: number; surge?: 1; priority?: number }[];
  want: string[];
}

const REFUSED = 'ModelDeployment ml/NAME spec.rollout.surge: there is no room for the surge on us/h100';

/** On three nodes, a surge of one GPU and one of eight, whose deployment has a priority. */
const twoSurges = (priority: number): Omit<Row, 'want'> => ({
  before: 3,
  nodes: 3,
  deployments: [
    { gpus: 1, surge: 1 },
    { gpus: 8, surge: 1, priority },
  ],
});

const cases: Record<string, Row> = {
  'a surge with room is fine': { deployments: [{ gpus: 4, surge: 1 }, { gpus: 4 }], want: [] },
  'a surge without room is refused, and moves neither its replica nor another': {
    deployments: [{ gpus: 8, surge: 1 }, { gpus: 4 }],
    want: [REFUSED.replace('NAME', 'a')],
  },
  'of two surges, the one that reserves the most is refused': {
    ...twoSurges(0),
    want: [REFUSED.replace('NAME', 'b')],
  },
  'but that of a higher priority is not': {
    ...twoSurges(1),
    want: [REFUSED.replace('NAME', 'a')],
  },
  'where nodes go, it is refused too': {
    nodes: 1,
    deployments: [{ gpus: 8, surge: 1 }],
    want: [REFUSED.replace('NAME', 'a')],
  },
};

function fleetWith({ nodes = 2, deployments }: Pick<Row, 'nodes' | 'deployments'>): Resource[] {
  const all = deployments.map(({ gpus, surge, priority = 0 }, i) =>
    deployment(`ml/${'abc'[i]}`, { gpus, spec: { priority, ...(surge && { rollout: { surge } }) } }),
  );
  return [nodeClass('h100'), cluster('us', { h100: `h100 x ${nodes}` }), ...all];
}

test.each(Object.entries(cases))('%s', (_, { want, before = 2, ...row }) => {
  const earlier = fleetWith({ nodes: before, deployments: row.deployments.map(({ surge: _s, ...one }) => one) });
  const { lock } = decide(assemble(earlier), byPath, EMPTY_LOCK);
  const decided = attempt(() => decide(assemble(fleetWith(row)), byPath, lock));
  const problems = 'problems' in decided ? decided.problems : [];
  expect(problems.map(({ at, message }) => `${at}: ${message}`.split(':').slice(0, 2).join(':'))).toEqual(want);
  if ('value' in decided) expect(decided.value.lock.placements).toEqual(lock.placements);
});

/** A replica on nodes with Ada GPUs. */
const specOf = (nodes: number, of: 'Ada' | 'Hopper', surge: 0 | 1): FleetSpec => ({
  classes: [{ name: 'ada', has: { Ada: 4, Hopper: 0 } }],
  clusters: [{ name: 'us', region: 'us', pools: [{ className: 'ada', nodes, packing: 'Spread' }] }],
  deployments: [
    {
      id: 'ml/a',
      replicas: 1,
      priority: 0,
      tolerates: false,
      surge,
      engines: [{ requests: [{ of, count: 1 }], copies: 1, workers: 0, ...(surge === 0 && { least: 1 }) }],
    },
  ],
});

test('a replica of an earlier revision may lose the room of a surge that is no longer declared', () => {
  const [earlier, now] = [specOf(1, 'Ada', 1), specOf(0, 'Hopper', 0)].map((spec) => assemble(resourcesOf(spec))) as [
    Fleet,
    Fleet,
  ];
  const former = earlier.deployments.flatMap((one) => recordRevision(one) ?? []);
  const { lock } = decide(earlier, byPath, EMPTY_LOCK);
  expect(attempt(() => decide(now, byPath, lock, { notes: [], warnings: [], former }))).not.toHaveProperty('problems');
});

const surgesOfEight = (nodes: number): Pick<Row, 'nodes' | 'deployments'> => ({
  nodes,
  deployments: [
    { gpus: 8, surge: 1 },
    { gpus: 8, surge: 1 },
  ],
});

const hints: Record<string, { row: Pick<Row, 'nodes' | 'deployments'>; want: string[] }> = {
  'one surge names the nodes that it lacks': {
    row: { deployments: [{ gpus: 8, surge: 1 }, { gpus: 4 }] },
    want: ['add 1 node of us/h100'],
  },
  'each of two surges names the nodes that both need': {
    row: surgesOfEight(2),
    want: Array.from({ length: 2 }, () => 'add 2 nodes of us/h100, which the surges of ml/a, ml/b need together'),
  },
  'with fewer nodes than both need, one is still refused': {
    row: surgesOfEight(3),
    want: ['add 1 node of us/h100'],
  },
  'with as many, none is': { row: surgesOfEight(4), want: [] },
};

test.each(Object.entries(hints))('%s', (_, { row, want }) => {
  const earlier = fleetWith({ nodes: 2, deployments: row.deployments.map(({ surge: _s, ...one }) => one) });
  const { lock } = decide(assemble(earlier), byPath, EMPTY_LOCK);
  const decided = attempt(() => decide(assemble(fleetWith(row)), byPath, lock));
  const problems = 'problems' in decided ? decided.problems : [];
  expect(problems.map(({ hint }) => hint?.split(', or, in an earlier change, ')[1])).toEqual(want);
});

const priced: Record<string, { scaled?: true; price?: number; want: string }> = {
  'the nodes have their price': { price: 10, want: 'add 1 node of us/h100 (+$7,300 a month)' },
  'nodes that an autoscaler adds have it as a bound': {
    scaled: true,
    price: 10,
    want: 'add 1 node of us/h100 (up to +$7,300 a month for these nodes)',
  },
  'nothing is said of a price that is not known': { want: 'add 1 node of us/h100' },
};

test.each(Object.entries(priced))('%s', (_, { scaled, price, want }) => {
  const on = (surge: number): Fleet =>
    assemble([
      nodeClassWith('h100', price === undefined ? {} : { price }),
      cluster('us', { h100: 'h100 x 2' }, scaled ? { pool: { minNodeCount: 0, maxNodeCount: 2 } } : {}),
      deployment('ml/a', { gpus: 8, spec: { rollout: { surge } } }),
      deployment('ml/b', { gpus: 8 }),
    ]);
  const { lock } = decide(on(0), byPath, EMPTY_LOCK);
  const decided = attempt(() => decide(on(1), byPath, lock));
  const problems = 'problems' in decided ? decided.problems : [];
  expect(problems.map(({ hint }) => hint)).toEqual([`Remove 'rollout.surge', or, in an earlier change, ${want}`]);
});

/** A replica with a surge, on the first of two pools. */
const onFirstOf = (nodes: number): Resource[] => [
  nodeClass('h100'),
  cluster('us', { a: `h100 x ${nodes}`, b: 'h100 x 2' }),
  deployment('ml/a', { gpus: 8, spec: { rollout: { surge: 1 } } }),
];

test('where a replica loses its place, its surge is no obstacle to another place', () => {
  const { lock } = decide(assemble(onFirstOf(2)), byPath, EMPTY_LOCK);
  const { placements } = decide(assemble(onFirstOf(0)), byPath, lock).lock;
  expect([lock.placements, placements].map((all) => all.map(({ pools }) => Object.values(pools)[0]))).toEqual([
    ['a'],
    ['b'],
  ]);
});
