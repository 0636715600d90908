import type { Lock } from '../../src/scheduler/lock/lock';
import { isSameLock } from '../../src/scheduler/lock/compare-locks';
import { isSamePlacement, type Placement } from '../../src/scheduler/placement';

const ONE: Placement = {
  deployment: 'ml/a',
  cluster: 'eu',
  index: 0,
  pools: { main: 'a', side: 'b' },
  shape: '1',
};

const others: Record<string, { other: Placement | undefined; same?: true }> = {
  'that says the same': { other: structuredClone(ONE), same: true },
  'that names its pools in another order': { other: { ...ONE, pools: { side: 'b', main: 'a' } }, same: true },
  'that is not there': { other: undefined },
  'of another deployment': { other: { ...ONE, deployment: 'ml/b' } },
  'on another cluster': { other: { ...ONE, cluster: 'us' } },
  'with another number': { other: { ...ONE, index: 1 } },
  'of another shape': { other: { ...ONE, shape: '2' } },
  'that leaves': { other: { ...ONE, draining: true } },
  'on another pool': { other: { ...ONE, pools: { main: 'a', side: 'c' } } },
  'with a pool more': { other: { ...ONE, pools: { ...ONE.pools, third: 'b' } } },
  'with a pool fewer': { other: { ...ONE, pools: { main: 'a' } } },
};

test.each(Object.entries(others))('a placement and one %s', (_, { other, same = false }) => {
  expect(isSamePlacement(ONE, other)).toBe(same);
  expect(isSameLock(lockOf(ONE), lockOf(...(other ? [other] : [])))).toBe(same);
});

function lockOf(...placements: Placement[]): Lock {
  return { placements, unplaced: new Map(), shapes: [] };
}
