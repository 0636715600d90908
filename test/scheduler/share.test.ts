import * as fc from 'fast-check';
import { Matcher } from '../../src/scheduler/matcher';
import { checkShare } from '../../src/scheduler/share';
import { bytes, history, modelOfFleet, RUNS, runFleet } from './corpus';
import { lockOf } from './lock-build';

test('what was decided holds on every cluster', () => {
  fc.assert(
    fc.property(history, (one) => {
      const model = modelOfFleet(one);
      const lock = lockOf([...runFleet({ ...one, previous: runFleet(one).placements }).placements]);
      const stale = model.sites.filter(({ name }) => checkShare(model, lock, name, new Matcher()).stale);
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
      for (const { name } of model.sites) {
        const { stale } = checkShare(model, lockOf([...one.previous]), name, new Matcher());
        if (touched.has(name)) expect(stale).toBe(true);
        if (stale) expect(changed).toBe(true);
      }
    }),
    RUNS,
  );
});
