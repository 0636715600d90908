import * as fc from 'fast-check';
import { PodMatcher } from '../../../src/scheduler/devices/match-pod';
import { checkClusterLock } from '../../../src/scheduler/lock/staleness';
import { bytes, history, modelOfFleet, runFleet, RUNS } from '../corpus';
import { lockOf } from './build';

test('what was decided holds on every cluster', () => {
  fc.assert(
    fc.property(history, (one) => {
      const model = modelOfFleet(one);
      const lock = lockOf([...runFleet({ ...one, previous: runFleet(one).placements }).placements]);
      const stale = model.clusters.filter(({ name }) => checkClusterLock(model, lock, name, new PodMatcher()).stale);
      expect(stale.map(({ name }) => name)).toEqual([]);
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
        const { stale } = checkClusterLock(model, lockOf([...one.previous]), name, new PodMatcher());
        if (touched.has(name)) expect(stale).toBe(true);
        if (stale) expect(changed).toBe(true);
      }
    }),
    RUNS,
  );
});
