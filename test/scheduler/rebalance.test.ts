import * as fc from 'fast-check';
import type { Resource } from '../../src/api/kinds';
import { qualifiedNameOf } from '../../src/api/resource';
import { formatRemedy } from '../../src/plan/remedy-messages';
import { PodMatcher } from '../../src/scheduler/devices/match-pod';
import { computeNextLock } from '../../src/scheduler/lock/next-lock';
import { Rebalancer } from '../../src/scheduler/joint/rebalance';
import { schedule, scheduleState } from '../../src/scheduler/schedule';
import type { Schedule } from '../../src/scheduler/schedule-result';
import type { Placement } from '../../src/scheduler/placement';
import { ask, cluster, deployment, engine, modelOf, nodeClass, placed, run } from './build';
import { faults } from './checker';
import { bytes, modelOfFleet, runFleet, RUNS } from './corpus';
import type { FleetSpec } from './fleets';
import { fewestMoves, grownFleet } from './joint';

const H100 = nodeClass('h100');
const only = (...regions: string[]) => ({
  template: { clusterSelector: { matchExpressions: [{ key: 'region', operator: 'In', values: regions }] } },
});
const site = (name: string, nodes = 1) => cluster(name, { p: `h100 x ${nodes}` }, { labels: { region: name } });

const SPREAD = { replicas: 2, ...only('a', 'b'), spec: { placement: { spreadBy: 'cluster' } } };

interface Row {
  /** What was there when the lock was written. */
  before: Resource[];
  added: Resource[];
  only?: string;
  want: string[];
  waiting?: number[];
  /** The nearest remedy before. */
  nearest?: string;
}

const rows: Record<string, Row> = {
  'a replica that holds the only place of another moves, and leaves when its replacement serves': {
    before: [H100, site('a'), deployment('ml/any')],
    added: [site('b'), deployment('ml/only', only('a'))],
    want: ['~ml/any a/0 p', 'ml/any b/0 p'],
    waiting: [1],
    nearest:
      'move 1 replica of ml/any from a to b, without downtime: fleetwright lock DIR --rebalance ml/any; when the moved replicas serve, in one change: fleetwright lock DIR --finalize; fleetwright lock DIR',
  },
  'equal moves are one': {
    before: [H100, site('a', 2), deployment('ml/any', { replicas: 2 })],
    added: [
      site('b', 2),
      deployment('ml/z', { ...only('a'), engines: [engine('main', [ask('gpu', 8)], { workers: 1 })] }),
    ],
    want: ['~ml/any a/0 p', '~ml/any a/1 p', 'ml/any b/0 p', 'ml/any b/1 p'],
    waiting: [1],
    nearest:
      'move 2 replicas of ml/any from a to b, without downtime: fleetwright lock DIR --rebalance ml/any; when the moved replicas serve, in one change: fleetwright lock DIR --finalize; fleetwright lock DIR',
  },
  'a replica whose place another takes stops first, because both have no room there': {
    before: [
      H100,
      site('a'),
      site('b'),
      deployment('ml/x', { ...only('a', 'b'), spec: { priority: 1 } }),
      deployment('ml/y', only('b', 'c')),
    ],
    added: [site('c'), deployment('ml/z', only('a'))],
    want: ['~ml/x a/0 p', 'ml/x b/0 p', 'ml/y c/0 p'],
    waiting: [1],
    nearest:
      'move 1 replica of ml/x from a to b, without downtime, move 1 replica of ml/y from b to c, with downtime: fleetwright lock DIR --rebalance; when the moved replicas serve, in one change: fleetwright lock DIR --finalize; fleetwright lock DIR',
  },
  'each of several replicas has a place where one that stops left room for all': {
    before: [
      H100,
      site('a'),
      site('b'),
      deployment('ml/x', {
        replicas: 2,
        gpus: 4,
        ...only('a', 'b'),
        spec: { priority: 1, placement: { policy: 'Pack' } },
      }),
      deployment('ml/y', only('b', 'c')),
    ],
    added: [site('c'), deployment('ml/z', only('a'))],
    want: ['~ml/x a/0 p', '~ml/x a/1 p', 'ml/x b/0 p', 'ml/x b/1 p', 'ml/y c/0 p'],
    waiting: [1],
  },
  'replicas that spread over clusters stay on several, where another move does': {
    before: [H100, site('a', 2), site('b', 2), deployment('ml/any', only('a', 'b')), deployment('ml/s', SPREAD)],
    added: [deployment('ml/z', only('a'))],
    want: ['~ml/any a/0 p', 'ml/any b/0 p', 'ml/s a/0 p', 'ml/s b/0 p'],
    waiting: [1],
    nearest:
      'move 1 replica of ml/any from a to b, without downtime: fleetwright lock DIR --rebalance ml/any; when the moved replicas serve, in one change: fleetwright lock DIR --finalize; fleetwright lock DIR',
  },
  'replicas that spread over clusters end on one where no other move does, which is said': {
    before: [H100, site('a'), site('b', 2), deployment('ml/s', SPREAD)],
    added: [deployment('ml/z', only('a'))],
    want: ['~ml/s a/0 p', 'ml/s b/0 p', 'ml/s b/1 p'],
    waiting: [1],
    nearest:
      'move 1 replica of ml/s from a to b, without downtime (both replicas of ml/s are then on b): fleetwright lock DIR --rebalance ml/s; when the moved replicas serve, in one change: fleetwright lock DIR --finalize; fleetwright lock DIR',
  },
  'so do those that spread by the default policy': {
    before: [H100, site('a'), site('b', 2), deployment('ml/s', { replicas: 2 })],
    added: [deployment('ml/z', only('a'))],
    want: ['~ml/s a/0 p', 'ml/s b/0 p', 'ml/s b/1 p'],
    waiting: [1],
    nearest:
      'move 1 replica of ml/s from a to b, without downtime (both replicas of ml/s are then on b): fleetwright lock DIR --rebalance ml/s; when the moved replicas serve, in one change: fleetwright lock DIR --finalize; fleetwright lock DIR',
  },
  'but not where others would need more moves': {
    before: [
      H100,
      ...['a', 'b'].map((name) => site(name, 2)),
      ...['c', 'd'].map((name) => site(name)),
      deployment('ml/c', only('c')),
      deployment('ml/s', SPREAD),
      deployment('ml/x', only('a')),
    ],
    added: [deployment('ml/c', only('c', 'd')), deployment('ml/x', only('a', 'c')), deployment('ml/z', only('a'))],
    want: ['ml/c c/0 p', '~ml/s a/0 p', 'ml/s b/0 p', 'ml/s b/1 p', 'ml/x a/0 p'],
    waiting: [1],
  },
  'of several domains that are left, nothing is said': {
    before: [
      H100,
      site('a'),
      site('b', 2),
      site('c'),
      deployment('ml/s', { ...SPREAD, replicas: 3, ...only('a', 'b', 'c') }),
    ],
    added: [deployment('ml/z', only('a'))],
    want: ['~ml/s a/0 p', 'ml/s b/0 p', 'ml/s b/1 p', 'ml/s c/0 p'],
    waiting: [1],
    nearest:
      'move 1 replica of ml/s from a to b, without downtime: fleetwright lock DIR --rebalance ml/s; when the moved replicas serve, in one change: fleetwright lock DIR --finalize; fleetwright lock DIR',
  },
  'nor of a single replica': {
    before: [H100, site('a'), site('b'), deployment('ml/s', { ...SPREAD, replicas: 1 })],
    added: [deployment('ml/z', only('a'))],
    want: ['~ml/s a/0 p', 'ml/s b/0 p'],
    waiting: [1],
    nearest:
      'move 1 replica of ml/s from a to b, without downtime: fleetwright lock DIR --rebalance ml/s; when the moved replicas serve, in one change: fleetwright lock DIR --finalize; fleetwright lock DIR',
  },
  'only replicas of the named deployment move': {
    before: [H100, site('a'), deployment('ml/any')],
    added: [site('b'), deployment('ml/only', only('a')), deployment('ml/other', { replicas: 0 })],
    only: 'ml/other',
    want: ['ml/any a/0 p'],
  },
  'nothing moves where no move helps': {
    before: [H100, site('a'), deployment('ml/any', only('a'))],
    added: [deployment('ml/more', only('a'))],
    want: ['ml/any a/0 p'],
  },
  'a replica of a paused deployment does not move': {
    before: [H100, site('a'), deployment('ml/any', { spec: { paused: true } })],
    added: [site('b'), deployment('ml/only', only('a'))],
    want: ['ml/any a/0 p'],
  },
};

/** Resources, of which later ones take the place of those of the same kind and name. */
function replaced(before: readonly Resource[], added: readonly Resource[]): Resource[] {
  const all = [...before, ...added].map((one) => [`${one.kind} ${qualifiedNameOf(one)}`, one] as const);
  return [...new Map(all).values()];
}

test.each(Object.entries(rows))('rebalance: %s', (_, { before, added, only: name, want, waiting = [], nearest }) => {
  const unpaused = before.map((one) => ('paused' in one.spec ? { ...one, spec: { ...one.spec, paused: false } } : one));
  const previous = run(unpaused as Resource[]).placements;
  const model = modelOf(...replaced(before, added));
  const plain = schedule(model, previous);
  const remedies = plain.shortfalls.flatMap((one) => one.remedies).map((remedy) => formatRemedy(remedy));
  if (nearest) expect(remedies[0]).toBe(nearest);
  const result = schedule(model, previous, new PodMatcher(), name === undefined ? {} : { only: name });
  expect(placed(result)).toEqual(want);
  expect(result.shortfalls.flatMap((one) => one.waiting ?? [])).toEqual(waiting);
});

test('moves are no remedy for a replica that fits without any', () => {
  const model = modelOf(H100, site('a', 3), deployment('ml/s'), deployment('ml/z'));
  const { placements } = schedule(model, []);
  const rebalancer = new Rebalancer(scheduleState(model, placements, new PodMatcher()), placements);
  expect(model.deployments.map((one) => rebalancer.remedyFor(one))).toEqual([undefined, undefined]);
});

test('a search for moves that ends at its limit says so, and a shortage that is proved does not', () => {
  const names = Array.from({ length: 12 }, (_, i) => `c${i}`);
  const packed = { replicas: 60, gpus: 3, spec: { placement: { policy: 'Pack' as const } } };
  const clusters = names.map((name) =>
    cluster(name, Object.fromEntries(names.map((_, i) => [`p${i}`, 'h100 x 3'])), { labels: { region: name } }),
  );
  const workloads = names.flatMap((_, i) => [deployment(`ml/a${i}`, packed), deployment(`ml/b${i}`, packed)]);
  const previous = run([H100, ...clusters, ...workloads]).placements;
  const findMoves = (id: string, replicas: number, only?: string) => {
    const model = modelOf(H100, ...clusters, ...workloads, deployment(id, { replicas }));
    const { shortfalls } = schedule(model, previous, new PodMatcher(), only === undefined ? undefined : { only });
    const { limitedMoves, moved } = shortfalls.find((one) => one.deployment === id) ?? {};
    return { limitedMoves, moved };
  };
  expect(findMoves('ml/large', 40)).toEqual({ limitedMoves: true });
  expect(findMoves('ml/large', 40, 'ml/b11')).toEqual({ limitedMoves: true, moved: { deployment: 'ml/b11' } });
  // With more replicas than there are devices left, no moves help all of them.
  expect(findMoves('ml/large', 1_000)).toEqual({});
  const full = [H100, ...names.map((name) => site(name, 2)), deployment('ml/all', { replicas: 24 })];
  const proved = schedule(modelOf(...full, deployment('ml/more')), run(full).placements).shortfalls;
  expect(proved.map(({ limited: places, limitedMoves }) => [places, limitedMoves])).toEqual([[undefined, undefined]]);
});

test('what leaves for another deployment holds its place until the lock is final', () => {
  const model = modelOf(H100, site('a'), site('b'), deployment('ml/any'), deployment('ml/only', only('a')));
  const start = run([H100, site('a'), deployment('ml/any')]).placements;
  const empty = { placements: start, unplaced: new Map<string, number>(), shapes: [] };
  const moved = computeNextLock(model, schedule(model, start, new PodMatcher(), {}), empty);
  expect([...moved.unplaced]).toEqual([['ml/only', 1]]);
  const waiting = schedule(model, moved.placements);
  expect(bytes(waiting.placements)).toBe(bytes(moved.placements));
  expect(waiting.shortfalls.flatMap((one) => one.remedies).map((remedy) => formatRemedy(remedy))[0]).toBe(
    'remove the draining replicas of a with fleetwright lock DIR --finalize; in the same change: fleetwright lock DIR',
  );
  const settled = computeNextLock(model, waiting, moved, { finalize: true });
  expect(placed(schedule(model, settled.placements))).toEqual(['ml/any b/0 p', 'ml/only a/0 p']);
});

const workload = (id: string, of: string, more: object, cpu?: number) => ({
  id,
  priority: 0,
  tolerates: false,
  ...more,
  engines: [{ requests: [{ of, count: 1 }], copies: 1, workers: 0, ...(cpu && { cpu }) }],
});

test('a replica of the same run whose place another gets waits for its own, as the other would', () => {
  const clusters = [
    {
      name: 'c0',
      region: 'eu',
      pools: [
        { className: 'mixed', nodes: 1, packing: 'Spread' },
        { className: 'hopper', nodes: 1, packing: 'Spread' },
      ],
    },
  ];
  const classes = [
    { name: 'hopper', has: { Ada: 0, Hopper: 8 }, cpu: 16 },
    { name: 'mixed', has: { Ada: 2, Hopper: 2 } },
  ];
  const locked = workload('ns0/d0', 'Hopper', { replicas: 1, surge: 0 });
  const grown = workload('ns1/d0', 'Any', { replicas: 2, surge: 1 }, 5);
  const fleet = (...deployments: object[]) => ({ classes, clusters, deployments }) as unknown as FleetSpec;
  const result = expectFewestMoves({ first: fleet(locked), next: fleet(locked, grown) });
  expect(placed(result)).toEqual(['~ns0/d0 c0/0 p0', 'ns0/d0 c0/1 p1', 'ns1/d0 c0/0 p1']);
  expect(result.shortfalls.map(({ deployment, waiting }) => [deployment, waiting])).toEqual([['ns1/d0', 1]]);
});

test('after a rebalance no deployment lost a replica, promises hold, and no fewer moves would do', () => {
  fc.assert(
    fc.property(grownFleet, (fleets) => {
      expectFewestMoves(fleets);
    }),
    RUNS,
  );
});

function expectFewestMoves({ first, next }: { readonly first: FleetSpec; readonly next: FleetSpec }): Schedule {
  const previous = runFleet({ next: first, previous: [] }).placements;
  const model = modelOfFleet({ next });
  const before = runFleet({ next, previous });
  const result = schedule(model, previous, new PodMatcher(), {});
  expect(faults(next, result.placements)).toEqual([]);
  for (const { id } of model.deployments) {
    expect(countServing(result, id)).toBeGreaterThanOrEqual(countStaying(previous, id));
  }
  const staying = new Set(placed({ placements: result.placements }));
  const moves = placed({ placements: previous }).filter((line) => !staying.has(line)).length;
  expect([missing(result), moves]).toEqual(fewestMoves(model, previous, before));
  expect(bytes(schedule(model, result.placements).placements)).toBe(bytes(result.placements));
  return result;
}

function countStaying(placements: readonly Placement[], id: string): number {
  return placements.filter(({ deployment: own, draining }) => own === id && !draining).length;
}

function countServing({ placements }: Schedule, id: string): number {
  return countStaying(placements, id);
}

/** Missing replicas that wait for nothing. */
function missing({ shortfalls }: Schedule): number {
  return shortfalls.reduce((sum, one) => sum + one.missing - (one.waiting ?? 0), 0);
}
