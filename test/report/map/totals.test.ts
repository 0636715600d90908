import * as fc from 'fast-check';
import type { Resource } from '../../../src/api/kinds';
import { REPLICA_MARKS } from '../../../src/report/map/map-data';
import { formatChangeCounts, formatMonth, MARK_WORDS } from '../../../src/report/map/page/display-text';
import { buildFleetView, isDraining } from '../../../src/report/map/page/fleet-view';
import { listChanges } from '../../../src/report/map/page/replica-changes';
import { formatTotal, OUTCOME_WORDS } from '../../../src/report/plan/total-line';
import { formatFleetCells } from '../../../src/report/pull-request/cost-cells';
import { aClass, aCluster, MACHINES } from '../../api/build';
import { daily } from '../../daily';
import { deployment } from '../../scheduler/build';
import { fleetSpec, resourcesOf } from '../../scheduler/fleets';
import { compared } from './drawn';

const REGIONS = ['us-central1', 'europe-west4', 'asia-south2'];
const POOLS = { nodeCount: fc.integer({ min: 1, max: 3 }), maxNodeCount: fc.constantFrom(undefined, 4) };

/** Clusters of a cloud, of which some have no known price. */
const priced: fc.Arbitrary<Resource[]> = fc
  .array(fc.record({ name: fc.constantFrom('x', 'y', 'z'), region: fc.constantFrom(...REGIONS), ...POOLS }), {
    maxLength: 3,
  })
  .map((clusters) => {
    const byName = new Map(clusters.map((one) => [one.name, one]));
    const made = [...byName.values()].map(({ name, region, nodeCount, maxNodeCount }) =>
      aCluster(name, {
        cluster: { source: 'GKE', gke: { region } },
        monitoring: {},
        pools: {
          made: { nodeCount, ...(maxNodeCount && { maxNodeCount }), zones: [`${region}-a`] },
        },
      }),
    );
    return [aClass('made', { provisioning: MACHINES.GKE }), ...made, deployment('ml/made', { gpus: 1 })];
  });

const fleet = fc.tuple(fleetSpec, priced).map(([spec, made]) => [...resourcesOf(spec), ...made]);

test('the figures of a map are those of the comparison and the plan', () => {
  fc.assert(
    fc.property(fleet, fleet, (before, after) => {
      const { earlier, later, diff, map } = compared(before, after);
      const { plan } = later.decision;
      const { cost } = map.states[1]!;
      const counts = formatChangeCounts(map.counts);
      expect(map.total).toBe(formatTotal(plan, diff));
      expect(formatTotal(plan, diff).split(/, \d+ unchanged|, \d+ do|[;.]/)[0]).toBe(
        `Total: ${counts === '' ? 'no replica changes' : counts}`,
      );
      const view = buildFleetView(map);
      const listed = [...listChanges(view).values()].flat().map(({ mark }) => mark);
      expect(REPLICA_MARKS.map((mark) => listed.filter((one) => one === mark).length)).toEqual(map.counts);

      const [was, is, difference] = formatFleetCells(diff.cost!, (one) => one).map((cell) =>
        cell.replaceAll('\\', '').replace(/^unknown: /, ''),
      );
      expect(map.states.map((one) => formatMonth(one.cost.total, cost.currency))).toEqual([was, is]);
      expect(withoutPercent(cost.change ?? '$0')).toBe(difference);

      const replicas = map.states.map(
        ({ clusters }) =>
          clusters.flatMap((place) => map.clusters[place]!.replicas.filter((one) => !isDraining(one))).length,
      );
      const placed = [earlier, later].map(({ decision }) =>
        decision.schedule.placements.filter((one) => !one.draining),
      );
      expect(replicas).toEqual(placed.map(({ length }) => length));
      const { unplaced, accepted } = plan.totals;
      expect(map.shortfalls.reduce((sum, { missing }) => sum + missing, 0)).toBe(unplaced + accepted);
    }),
    { numRuns: daily(6), seed: 7 },
  );
});

function withoutPercent(change: string): string {
  return change.replace(/ \([-+]\d+ %\)$/, '');
}

test('a map says what happens to replicas in the words of the total', () => {
  const { keep, ...words } = Object.fromEntries(Object.entries(MARK_WORDS).map(([mark, { text }]) => [mark, text]));
  expect(words).toEqual(OUTCOME_WORDS);
  expect(keep).toBe('kept');
});
