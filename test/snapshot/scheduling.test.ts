import { assemble } from '../../src/fleet/fleet';
import { compileFleet } from '../../src/plan/compile-fleet';
import { PodMatcher } from '../../src/scheduler/devices/match-pod';
import { findOvercommitted } from '../../src/scheduler/overcommitted';
import { schedule } from '../../src/scheduler/schedule';
import type { Placement } from '../../src/scheduler/placement';
import { cluster, deployment, nodeClass } from '../scheduler/build';

/** A cluster of four nodes with eight GPUs, some of them lost, and deployments whose replicas take a node each. */
function fleet(lost: number, replicas: Record<string, number>, nodes = 4) {
  const deployments = Object.entries(replicas).map(([name, count]) => deployment(`ml/${name}`, { replicas: count }));
  const declared = assemble([nodeClass('h100'), cluster('us', { p: `h100 x ${nodes}` }), ...deployments]);
  return compileFleet({ ...declared, lost: [{ cluster: 'us', pool: 'p', nodes: lost }] }, () => '');
}

/** What four replicas of `a` have on the whole cluster. */
const FULL = schedule(fleet(0, { a: 4 })).placements;

const lines = (placements: readonly Placement[]): string[] =>
  placements.map(({ deployment: id, index, draining }) => `${id}/${index}${draining ? ' draining' : ''}`);

test('new replicas are kept off lost nodes', () => {
  const { placements, shortfalls } = schedule(fleet(1, { a: 4 }));
  expect(placements).toHaveLength(3);
  expect(shortfalls).toMatchObject([
    { missing: 1, rejections: [{ reason: { filter: 'capacity', nodes: 3, missingNodes: 1 } }] },
  ]);
});

test('a replica that was placed before nodes were lost stays', () => {
  const { placements, evictions, shortfalls } = schedule(fleet(3, { a: 4 }), FULL);
  expect(placements).toEqual(FULL);
  expect(evictions).toEqual([]);
  expect(shortfalls).toEqual([]);
});

test('a pool that is on lost nodes takes nothing new', () => {
  const { placements } = schedule(fleet(3, { a: 2, b: 1 }), FULL.slice(0, 2));
  expect(lines(placements)).toEqual(['ml/a/0', 'ml/a/1']);
});

test('what is declared away is evicted though nodes are lost too', () => {
  const { placements } = schedule(fleet(1, { a: 4 }, 2), FULL);
  expect(lines(placements)).toEqual(['ml/a/0', 'ml/a/1']);
});

test('nodes that come back take replicas again', () => {
  const short = schedule(fleet(1, { a: 4 })).placements;
  expect(schedule(fleet(0, { a: 4 }), short).placements).toEqual(FULL);
});

/** The pools that stand on lost nodes, each with the replicas that do. */
function standing(lost: number, placements: readonly Placement[], replicas: Record<string, number>) {
  const found = findOvercommitted(fleet(lost, replicas), placements, new PodMatcher());
  return found.map((one) => [one.pool.name, ...lines(one.placements)]);
}

describe('what is on lost nodes', () => {
  test('is as little as has to go', () => {
    expect(standing(2, FULL, { a: 4 })).toEqual([['p', 'ml/a/2', 'ml/a/3']]);
  });

  test('is nothing where the rest suffices', () => {
    expect(standing(2, FULL.slice(0, 2), { a: 2 })).toEqual([]);
  });

  test('is nothing where no node is lost, whatever the pool has promised', () => {
    expect(standing(0, [...FULL, { ...FULL[0]!, index: 9 }], { a: 4 })).toEqual([]);
  });

  test('is first what is draining', () => {
    const placements = FULL.map((one) => (one.index === 0 ? { ...one, draining: true as const } : one));
    expect(standing(1, placements, { a: 4 })).toEqual([['p', 'ml/a/0 draining']]);
  });
});
