import * as fc from 'fast-check';
import { decide } from '../../src/plan/decide';
import { compile } from '../../src/scheduler/compile';
import { EMPTY_LOCK } from '../../src/scheduler/lock';
import { schedule } from '../../src/scheduler/schedule';
import { applyScenario } from '../../src/what-if/apply';
import type { Step } from '../../src/what-if/scenario';
import { whatIf } from '../../src/what-if/what-if';
import { worldOf } from '../../src/what-if/world';
import { fleetOf, placed } from '../scheduler/build';
import { edited } from './edit';
import { type FleetSpec, fleetSpec, resourcesOf } from '../scheduler/fleets';

/** FLEETWRIGHT_RUNS=1000 for the long run. */
const RUNS = { numRuns: Number(process.env.FLEETWRIGHT_RUNS ?? 0) || 25, seed: 11 };

/** Steps that name what a fleet has, so that every one does something. */
function stepsOf({ clusters, deployments }: FleetSpec): fc.Arbitrary<Step[]> {
  const pools = clusters.flatMap(({ name, pools }) =>
    pools.map((_, i) => ({ cluster: name, pool: `p${i}` })),
  );
  const one: fc.Arbitrary<Step>[] = [
    fc.constantFrom(...clusters).map(({ name }): Step => ({ kind: 'drain', cluster: name })),
    fc.constantFrom(...clusters).map(({ name }): Step => ({ kind: 'lose', cluster: name })),
    fc
      .constantFrom(...clusters)
      .map(({ region }): Step => ({ kind: 'lose-domain', label: 'region', value: region })),
  ];
  if (pools.length > 0) {
    const pool = fc.constantFrom(...pools);
    const amount = fc.integer({ min: 1, max: 3 });
    one.push(pool.map((where): Step => ({ kind: 'remove-pool', ...where })));
    one.push(fc.tuple(pool, amount).map(([where, nodes]): Step => ({ kind: 'add-nodes', ...where, nodes })));
    one.push(fc.tuple(pool, amount).map(([where, perHour]): Step => ({ kind: 'price', ...where, perHour })));
  }
  if (deployments.length > 0) {
    const scaled = fc.tuple(fc.constantFrom(...deployments), fc.constantFrom(0, 2, 3, 5));
    one.push(scaled.map(([{ id }, replicas]): Step => ({ kind: 'scale', deployment: id, replicas })));
  }
  return fc.array(fc.oneof(...one), { minLength: 1, maxLength: 3 });
}

const story = fleetSpec.chain((spec) => fc.record({ spec: fc.constant(spec), steps: stepsOf(spec) }));

test('a scenario leads where the declarations would, changed by hand and compiled anew', () => {
  fc.assert(
    fc.property(story, ({ spec, steps }) => {
      const resources = resourcesOf(spec);
      const decision = decide(fleetOf(...resources), () => '', EMPTY_LOCK);
      const { model } = applyScenario(worldOf(decision), { name: '', steps });
      const previous = decision.schedule.placements;
      const ours = schedule(model, previous, decision.matcher);
      // What is priced, enlarged or drained comes before what goes: what is gone needs no change.
      const order = ['price', 'add-nodes', 'scale', 'remove-pool', 'drain', 'lose', 'lose-domain'];
      const inOrder = steps.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
      const anew = compile(fleetOf(...inOrder.reduce(edited, resources)), () => '');
      const theirs = schedule(anew, previous);
      expect(placed(ours)).toEqual(placed(theirs));
      expect(ours.shortfalls).toEqual(theirs.shortfalls);
      const [outcome] = whatIf(decision, [{ name: '', steps }]);
      const before = new Map(
        decision.schedule.shortfalls.map(({ deployment, missing }) => [deployment, missing]),
      );
      const worse = theirs.shortfalls.filter(
        ({ deployment, missing }) => missing > (before.get(deployment) ?? 0),
      );
      const told = outcome!.deployments.filter(
        ({ deployment, shortfall }) => (shortfall?.missing ?? 0) > (before.get(deployment) ?? 0),
      );
      expect(told.map(({ deployment, shortfall }) => [deployment, shortfall!.missing])).toEqual(
        worse.map(({ deployment, missing }) => [deployment, missing]),
      );
    }),
    RUNS,
  );
});
