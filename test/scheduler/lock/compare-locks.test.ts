import * as fc from 'fast-check';
import { PodMatcher } from '../../../src/scheduler/devices/match-pod';
import { checkClusterLock, isSameLock, compareLockedDeployments } from '../../../src/scheduler/lock/compare-locks';
import type { Lock } from '../../../src/scheduler/lock/lock';
import type { PreviousRevision } from '../../../src/fleet/fleet';
import type { Placement } from '../../../src/scheduler/placement';
import { bytes, history, modelOfFleet, runFleet, RUNS } from '../corpus';
import { lockOf } from './build';

test('what was decided holds on every cluster', () => {
  fc.assert(
    fc.property(history, (one) => {
      const model = modelOfFleet(one);
      const lock = lockOf([...runFleet({ ...one, previous: runFleet(one).placements }).placements]);
      const outOfDate = model.clusters.filter(
        ({ name }) => checkClusterLock(model, lock, name, new PodMatcher()).changed.length > 0,
      );
      expect(outOfDate.map(({ name }) => name)).toEqual([]);
    }),
    RUNS,
  );
});

test('a cluster is refused where something cannot stay there, and never where the whole fleet is not', () => {
  fc.assert(
    fc.property(history, (one) => {
      const model = modelOfFleet(one);
      const { placements, evictions } = runFleet(one);
      // A place that is given up for a new replica is so because of what is on other clusters.
      const forced = evictions.filter(({ reason }) => !('gap' in reason && reason.gap === 'no-room'));
      const touched = new Set(forced.map(({ placement }) => placement.cluster));
      const changed = bytes(placements) !== bytes(one.previous);
      for (const { name } of model.clusters) {
        const outOfDate = checkClusterLock(model, lockOf([...one.previous]), name, new PodMatcher()).changed.length > 0;
        if (touched.has(name)) expect(outOfDate).toBe(true);
        if (outOfDate) expect(changed).toBe(true);
      }
    }),
    RUNS,
  );
});

function line(deployment: string, cluster: string): Placement {
  return { deployment, index: 0, cluster, pools: { main: 'h100' }, shape: 'abc' };
}

test('the deployments for which two locks differ are named, whatever of them differs, and no others', () => {
  const before: Lock = {
    placements: [line('ml/same', 'us'), line('ml/moved', 'us'), line('ml/gone', 'us'), line('ml/shape', 'us')],
    unplaced: new Map([['ml/short', 1]]),
    shapes: [],
  };
  const after: Lock = {
    placements: [line('ml/same', 'us'), line('ml/moved', 'eu'), line('ml/new', 'us'), line('ml/shape', 'us')],
    unplaced: new Map([['ml/short', 2]]),
    shapes: [{ deployment: 'ml/shape', shape: 'abc', text: '{}' } as PreviousRevision],
  };
  expect(compareLockedDeployments(before, after)).toEqual(['ml/gone', 'ml/moved', 'ml/new', 'ml/shape', 'ml/short']);
  expect(compareLockedDeployments(before, before)).toEqual([]);
});

test('a lock that is not the same differs for some deployment', () => {
  fc.assert(
    fc.property(history, (one) => {
      const [before, after] = [lockOf([...one.previous]), lockOf([...runFleet(one).placements])];
      expect(compareLockedDeployments(before, after).length > 0).toBe(!isSameLock(before, after));
    }),
    RUNS,
  );
});
