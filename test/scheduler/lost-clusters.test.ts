import * as fc from 'fast-check';
import type { Resource } from '../../src/api/kinds';
import type { CompiledFleet } from '../../src/scheduler/compiled-fleet';
import { checkClusterLock, isSameLock } from '../../src/scheduler/lock/compare-locks';
import { EMPTY_LOCK, type Lock } from '../../src/scheduler/lock/lock';
import { computeNextLock } from '../../src/scheduler/lock/next-lock';
import { isLost } from '../../src/scheduler/lost-clusters';
import { PodMatcher } from '../../src/scheduler/devices/match-pod';
import { type RebalanceOptions, schedule } from '../../src/scheduler/schedule';
import { daily } from '../daily';
import { cluster, deployment, modelOf, nodeClass, placed } from './build';

const H100 = nodeClass('h100');
const tainted = (key: string) => ({ taints: [{ key, effect: 'NoExecute' }] });
const site = (name: string, nodes: number, options = {}) => cluster(name, { a: `h100 x ${nodes}` }, options);
const lost = (name: string, nodes: number, options = {}) => site(name, nodes, { ...tainted('lost'), ...options });
const drained = (name: string, nodes: number) => site(name, nodes, tainted('drain'));
const q = (replicas: number, options: Parameters<typeof deployment>[1] = {}) =>
  deployment('ml/q', { replicas, ...options });
const paused = (replicas: number) => q(replicas, { spec: { paused: true } });
const tolerant = (replicas: number) => q(replicas, { template: { tolerations: [{ operator: 'Exists' }] } });

interface LockOptions {
  readonly finalize?: boolean;
  readonly rebalance?: RebalanceOptions;
}

/** The lock that accepts what has no place. */
function lockOf(resources: readonly Resource[], previous: Lock = EMPTY_LOCK, options: LockOptions = {}): Lock {
  return lockModel(modelOf(...resources), previous, options);
}

function lockModel(model: CompiledFleet, previous: Lock, { rebalance, ...options }: LockOptions = {}): Lock {
  const scheduled = schedule(model, previous.placements, new PodMatcher(), rebalance);
  const next = computeNextLock(model, scheduled, previous, { ...options, acceptUnplaced: true });
  expect(next.placements.filter((one) => one.lost)).toEqual([]);
  return next;
}

interface Case {
  /** The fleet of each lock, one after the other. */
  readonly fleets: readonly Resource[][];
  readonly options?: LockOptions;
  readonly want: readonly string[];
}

const dropped: Record<string, Case> = {
  'is dropped at once where another one replaces it': {
    fleets: [
      [H100, site('eu', 2), q(2)],
      [H100, lost('eu', 2), site('us', 2), q(2)],
    ],
    want: ['ml/q us/0 a', 'ml/q us/1 a'],
  },
  'keeps its place where it has no other': {
    fleets: [
      [H100, site('eu', 3), q(3)],
      [H100, lost('eu', 3), site('us', 1), q(3)],
    ],
    want: ['~ml/q eu/1 a', '~ml/q eu/2 a', 'ml/q us/0 a'],
  },
  'keeps it when draining replicas are finalized': {
    fleets: [
      [H100, site('eu', 1), q(1)],
      [H100, lost('eu', 1), q(1)],
      [H100, lost('eu', 1), q(1)],
    ],
    options: { finalize: true },
    want: ['~ml/q eu/0 a'],
  },
  'is dropped once there is room for another one': {
    fleets: [
      [H100, site('eu', 2), q(2)],
      [H100, lost('eu', 2), site('us', 1), q(2)],
      [H100, lost('eu', 2), site('us', 2), q(2)],
    ],
    want: ['ml/q us/0 a', 'ml/q us/1 a'],
  },
  'is dropped if a drain had replaced it before the loss': {
    fleets: [
      [H100, site('eu', 1), q(1)],
      [H100, drained('eu', 1), site('us', 1), q(1)],
      [H100, lost('eu', 1), site('us', 1), q(1)],
    ],
    want: ['ml/q us/0 a'],
  },
  'is dropped if its deployment asks for fewer': {
    fleets: [
      [H100, site('eu', 1), site('us', 1), q(2)],
      [H100, lost('eu', 1), site('us', 1), q(2)],
      [H100, lost('eu', 1), site('us', 1), q(1)],
    ],
    want: ['ml/q us/0 a'],
  },
  'is the last to be replaced, next to one that drains and serves': {
    fleets: [
      [H100, site('eu', 1), site('us', 1), q(2)],
      [H100, lost('eu', 1), drained('us', 1), site('west', 1), q(2)],
    ],
    want: ['~ml/q eu/0 a', '~ml/q us/0 a', 'ml/q west/0 a'],
  },
  'keeps its place where one that drains and is replaced is finalized': {
    fleets: [
      [H100, site('eu', 1), site('us', 1), q(2)],
      [H100, lost('eu', 1), drained('us', 1), site('west', 1), q(2)],
      [H100, lost('eu', 1), drained('us', 1), site('west', 1), q(2)],
    ],
    options: { finalize: true },
    want: ['~ml/q eu/0 a', 'ml/q west/0 a'],
  },
  'leaves, whatever it tolerates': {
    fleets: [
      [H100, site('eu', 1), tolerant(1)],
      [H100, lost('eu', 1), site('us', 1), tolerant(1)],
    ],
    want: ['ml/q us/0 a'],
  },
  'leaves, although its cluster is paused': {
    fleets: [
      [H100, site('eu', 1), q(1)],
      [H100, lost('eu', 1, { paused: true }), site('us', 1), q(1)],
    ],
    want: ['ml/q us/0 a'],
  },
};

const others: Record<string, Case> = {
  'takes no new replica, whatever it tolerates': {
    fleets: [[H100, lost('eu', 2), site('us', 1), tolerant(2)]],
    want: ['ml/q us/0 a'],
  },
  'keeps the lines of a paused deployment as they are': {
    fleets: [
      [H100, site('eu', 1), q(1)],
      [H100, lost('eu', 1), site('us', 1), paused(1)],
    ],
    want: ['ml/q eu/0 a'],
  },
  'that is back has the replicas again that have no place elsewhere': {
    fleets: [
      [H100, site('eu', 2), q(2)],
      [H100, lost('eu', 2), site('us', 1), q(2)],
      [H100, site('eu', 2), site('us', 1), q(2)],
    ],
    want: ['ml/q eu/1 a', 'ml/q us/0 a'],
  },
  'that is back has none that was replaced': {
    fleets: [
      [H100, site('eu', 1), q(1)],
      [H100, lost('eu', 1), site('us', 1), q(1)],
      [H100, site('eu', 1), site('us', 1), q(1)],
    ],
    want: ['ml/q us/0 a'],
  },
  'with the same key and another effect is not lost': {
    fleets: [
      [H100, site('eu', 1), q(1)],
      [H100, site('eu', 1, { taints: [{ key: 'lost', effect: 'NoSchedule' }] }), site('us', 1), q(1)],
    ],
    want: ['ml/q eu/0 a'],
  },
};

function check({ fleets, options, want }: Case): void {
  const last = fleets.at(-1) ?? [];
  const before = fleets.slice(0, -1).reduce((lock, resources) => lockOf(resources, lock), EMPTY_LOCK);
  const lock = lockOf(last, before, options);
  expect(placed(lock)).toEqual(want);
  expect(isSameLock(lockOf(last, lock), lock)).toBe(true);
  for (const { name } of modelOf(...last).clusters) {
    const { changed, evictions } = checkClusterLock(modelOf(...last), lock, name, new PodMatcher());
    expect({ changed, evictions }).toEqual({ changed: [], evictions: [] });
  }
}

describe('a replica of a lost cluster', () => {
  test.each(Object.entries(dropped))('%s', (_, one) => check(one));
});

describe('a cluster', () => {
  test.each(Object.entries(others))('%s', (_, one) => check(one));
});

const fate = fc.constantFrom('stays', 'stays', 'drained', 'lost', 'paused and lost');
const nodes = fc.integer({ min: 1, max: 3 });

/** Clusters whose fate changes from lock to lock, and deployments whose numbers do. */
const story = fc.record({
  clusters: fc.array(fc.record({ nodes, fates: fc.tuple(fate, fate, fate) }), { minLength: 1, maxLength: 4 }),
  deployments: fc.array(
    fc.record({
      replicas: fc.tuple(nodes, nodes, nodes),
      gpus: fc.constantFrom(4, 8),
      paused: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
      tolerates: fc.boolean(),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});

const TAINTS: Readonly<Record<string, object>> = {
  stays: {},
  drained: tainted('drain'),
  lost: tainted('lost'),
  'paused and lost': { ...tainted('lost'), paused: true },
};

function fleetAt({ clusters, deployments }: typeof story extends fc.Arbitrary<infer T> ? T : never, time: 0 | 1 | 2) {
  return [
    H100,
    ...clusters.map((one, i) => site(`c${i}`, one.nodes, TAINTS[one.fates[time]])),
    ...deployments.map(({ replicas, gpus, paused: pauses, tolerates }, i) =>
      deployment(`ml/d${i}`, {
        replicas: replicas[time],
        gpus,
        spec: { paused: pauses[time] },
        ...(tolerates && { template: { tolerations: [{ operator: 'Exists' as const }] } }),
      }),
    ),
  ];
}

test('no replica of a lost cluster counts, those with another one are gone, and a lock stays as it is', () => {
  let left = 0;
  fc.assert(
    fc.property(story, fc.boolean(), (events, rebalances) => {
      let lock = EMPTY_LOCK;
      for (const time of [0, 1, 2] as const) {
        const model = modelOf(...fleetAt(events, time));
        const { placements, shortfalls } = schedule(model, lock.placements);
        const names = new Set(model.clusters.filter(isLost).map(({ name }) => name));
        const onLost = placements.filter(({ cluster: name }) => names.has(name));
        expect(onLost.filter((one) => !one.lost || !one.draining)).toEqual([]);
        const missing = new Map(shortfalls.map((one) => [one.deployment, one.missing]));
        for (const { id, paused: isPaused } of model.deployments) {
          const own = onLost.filter(({ deployment: name }) => name === id).length;
          if (!isPaused) expect(own).toBeLessThanOrEqual(missing.get(id) ?? 0);
        }
        lock = lockModel(model, lock, rebalances ? { rebalance: {} } : {});
        expect(isSameLock(lockModel(model, lock), lock)).toBe(true);
        left += onLost.length;
      }
    }),
    { numRuns: daily(60), seed: 7 },
  );
  expect(left).toBeGreaterThan(daily(10));
});
