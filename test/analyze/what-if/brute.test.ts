import * as fc from 'fast-check';
import { applyScenario, toSimulatedFleet } from '../../../src/analyze/what-if/apply-scenario';
import type { Step, StepOf } from '../../../src/analyze/what-if/scenario';
import { type Outcome, whatIf } from '../../../src/analyze/what-if/what-if';
import { compileFleet } from '../../../src/plan/compile-fleet';
import { decide } from '../../../src/plan/decide';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { schedule } from '../../../src/scheduler/schedule';
import type { Placement } from '../../../src/scheduler/placement';
import { fleetOf, placed } from '../../scheduler/build';
import { type FleetSpec, fleetSpec, resourcesOf } from '../../scheduler/fleets';
import { edited } from './edit';

/** FLEETWRIGHT_BRUTE=1000 for the long run. */
const RUNS = { numRuns: Number(process.env.FLEETWRIGHT_BRUTE ?? 0) || 15, seed: 11 };

/** Steps that name what a fleet has, so that every one does something. */
function stepsOf({ clusters, deployments }: FleetSpec): fc.Arbitrary<Step[]> {
  const pools = clusters.flatMap(({ name, pools }) => pools.map((_, i) => ({ cluster: name, pool: `p${i}` })));
  const one: fc.Arbitrary<Step>[] = [
    fc.constantFrom(...clusters).map(({ name }): Step => ({ kind: 'drain', cluster: name })),
    fc.constantFrom(...clusters).map(({ name }): Step => ({ kind: 'lose', cluster: name })),
    fc.constantFrom(...clusters).map(({ region }): Step => ({ kind: 'lose-domain', label: 'region', value: region })),
  ];
  // A pool has at least 0 nodes, so that the order of two changes of it can matter.
  const pairs: fc.Arbitrary<Step[]>[] = [];
  if (pools.length > 0) {
    const pool = fc.constantFrom(...pools);
    const amount = fc.integer({ min: 1, max: 3 });
    one.push(pool.map((where): Step => ({ kind: 'remove-pool', ...where })));
    const change = fc.constantFrom(-2, -1, 1, 2, 3);
    one.push(fc.tuple(pool, change).map(([where, nodes]): Step => ({ kind: 'add-nodes', ...where, nodes })));
    one.push(fc.tuple(pool, amount).map(([where, perHour]): Step => ({ kind: 'price', ...where, perHour })));
    pairs.push(
      fc
        .tuple(pool, fc.constantFrom(-3, -2), amount)
        .map(([where, ...changes]) => changes.map((nodes): Step => ({ kind: 'add-nodes', ...where, nodes }))),
    );
  }
  if (deployments.length > 0) {
    const scaled = fc.tuple(fc.constantFrom(...deployments), fc.constantFrom(0, 2, 3, 5));
    one.push(scaled.map(([{ id }, replicas]): Step => ({ kind: 'scale', deployment: id, replicas })));
  }
  const all = [...one.map((step) => step.map((found) => [found])), ...pairs];
  return fc.array(fc.oneof(...all), { minLength: 1, maxLength: 3 }).map((steps) => steps.flat());
}

/** What is priced, enlarged or drained comes before what goes: what is gone needs no change. */
const ORDER: readonly Step['kind'][] = ['price', 'add-nodes', 'scale', 'remove-pool', 'drain', 'lose', 'lose-domain'];

const inOrder = (steps: readonly Step[]): Step[] =>
  steps.toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || nodesOf(b) - nodesOf(a));

/** Nodes are added before others are removed. */
const nodesOf = (step: Step): number => (step.kind === 'add-nodes' ? step.nodes : 0);

const story = fleetSpec.chain((spec) => fc.record({ spec: fc.constant(spec), steps: stepsOf(spec) }));

test('a scenario leads where the declarations would, changed by hand and compiled again', () => {
  fc.assert(
    fc.property(story, ({ spec, steps }) => {
      const resources = resourcesOf(spec);
      const decision = decide(fleetOf(...resources), () => '', EMPTY_LOCK);
      const { model } = applyScenario(toSimulatedFleet(decision), { name: '', steps });
      const previous = decision.schedule.placements;
      const ours = schedule(model, previous, decision.matcher);
      const anew = compileFleet(fleetOf(...inOrder(steps).reduce(edited, resources)), () => '');
      const theirs = schedule(anew, previous);
      expect(placed(ours)).toEqual(placed(theirs));
      expect(ours.shortfalls).toEqual(theirs.shortfalls);
      const [outcome] = whatIf(decision, [{ name: '', steps }]);
      const before = new Map(decision.schedule.shortfalls.map(({ deployment, missing }) => [deployment, missing]));
      const worse = theirs.shortfalls.filter(({ deployment, missing }) => missing > (before.get(deployment) ?? 0));
      const reported = outcome!.deployments.filter(
        ({ deployment, shortfall }) => (shortfall?.missing ?? 0) > (before.get(deployment) ?? 0),
      );
      expect(reported.map(({ deployment, shortfall }) => [deployment, shortfall!.missing])).toEqual(
        worse.map(({ deployment, missing }) => [deployment, missing]),
      );
    }),
    RUNS,
  );
});

/** One pool as it is paid for: so many nodes, each at so much an hour, or no one knows. */
interface Paid {
  nodes: number;
  price: number | undefined;
}

type Pools = Map<string, Map<string, Paid>>;

/** The pools of each cluster, as they are declared. */
function poolsOf({ clusters, classes }: FleetSpec): Pools {
  return new Map(
    clusters.map(({ name, pools }) => [
      name,
      new Map(
        pools.map(({ className, nodes }, p) => [
          `p${p}`,
          { nodes, price: classes.find((one) => one.name === className)!.price },
        ]),
      ),
    ]),
  );
}

/** What each step does to what is paid. */
const PAID: { readonly [K in Step['kind']]: (pools: Pools, step: StepOf<K>, spec: FleetSpec) => void } = {
  price: (pools, { cluster, pool, perHour }) => {
    pools.get(cluster)!.get(pool)!.price = perHour;
  },
  'add-nodes': (pools, { cluster, pool, nodes }) => {
    const found = pools.get(cluster)!.get(pool)!;
    found.nodes = Math.max(0, found.nodes + nodes);
  },
  scale: () => undefined,
  'scale-engine': () => undefined,
  'remove-pool': (pools, { cluster, pool }) => void pools.get(cluster)!.delete(pool),
  drain: () => undefined,
  lose: (pools, { cluster }) => void pools.delete(cluster),
  'lose-domain': (pools, { value }, { clusters }) => {
    for (const { name, region } of clusters) if (region === value) pools.delete(name);
  },
};

function pay<K extends Step['kind']>(pools: Pools, step: StepOf<K>, spec: FleetSpec): void {
  const paid = PAID[step.kind as K] as (pools: Pools, step: StepOf<K>, spec: FleetSpec) => void;
  paid(pools, step, spec);
}

function bill(pools: Pools): { perHour: number; unknown: number } {
  const bought = [...pools.values()].flatMap((own) => [...own.values()]).filter(({ nodes }) => nodes > 0);
  return {
    perHour: bought.reduce((sum, { nodes, price = 0 }) => sum + nodes * price, 0),
    unknown: bought.filter(({ price }) => price === undefined).length,
  };
}

const amount = ({ perHour = 0, unknown }: { perHour?: number; unknown: number }) => ({ perHour, unknown });

test('what a scenario costs is the sum over the nodes that are bought', () => {
  fc.assert(
    fc.property(story, ({ spec, steps }) => {
      const decision = decide(fleetOf(...resourcesOf(spec)), () => '', EMPTY_LOCK);
      const [{ cost }] = whatIf(decision, [{ name: '', steps }]) as [Outcome];
      const pools = poolsOf(spec);
      expect(amount(cost.before.most)).toEqual(bill(pools));
      const before = bill(pools);
      for (const step of inOrder(steps)) pay(pools, step, spec);
      const after = bill(pools);
      expect(amount(cost.after.most)).toEqual(after);
      expect(cost.after.least).toEqual(cost.after.most);
      if (before.unknown + after.unknown > 0) return;
      expect(cost.delta.most.perHour).toBe(after.perHour - before.perHour);
    }),
    RUNS,
  );
});

/** A replica with all that makes it another where it differs. */
const name = ({ deployment, cluster, index, pools }: Placement): string =>
  `${deployment} ${cluster}/${index} ${JSON.stringify(pools)}`;

const without = (all: readonly string[], others: readonly string[]): string[] =>
  all.filter((one) => !others.includes(one)).sort();

/** The replicas that come and go in what is reported. */
function reported(deployments: Outcome['deployments']): Record<'come' | 'go', string[]> {
  const changes = deployments.flatMap((one) => one.changes);
  const come = changes.flatMap((one) =>
    one.action === 'place' || one.action === 'move' ? [name(one.replica.placement)] : [],
  );
  const go = changes.flatMap((one) => {
    if (one.action === 'draining') return [name(one.replica.placement)];
    return one.action === 'move' || one.action === 'remove' ? [name(one.from)] : [];
  });
  return { come, go };
}

test('every replica that comes, goes or moves is reported once, and each drain finishes as far as places go', () => {
  fc.assert(
    fc.property(story, ({ spec, steps }) => {
      const resources = resourcesOf(spec);
      const decision = decide(fleetOf(...resources), () => '', EMPTY_LOCK);
      const before = decision.schedule.placements;
      const anew = compileFleet(fleetOf(...inOrder(steps).reduce(edited, resources)), () => '');
      const { placements } = schedule(anew, before);
      const staying = placements.filter(({ draining }) => !draining);
      const draining = placements.filter((one) => one.draining);
      const [{ deployments, drains, totals }] = whatIf(decision, [{ name: '', steps }]) as [Outcome];

      const { come, go } = reported(deployments);
      expect(come.sort()).toEqual(without(staying.map(name), before.map(name)));
      expect(go.sort()).toEqual(without(before.map(name), staying.map(name)));
      expect(totals.draining).toBe(draining.length);
      expect(totals.keep).toBe(staying.length - come.length);

      const left = new Set(anew.clusters.map((site) => site.name));
      const tolerant = new Set(spec.deployments.flatMap(({ id, tolerates }) => (tolerates ? [id] : [])));
      const drained = new Set(steps.flatMap((one) => (one.kind === 'drain' ? [one.cluster] : [])));
      const leavingOf = (cluster: string) => draining.filter((one) => one.cluster === cluster).length;
      expect(drains.map(({ cluster, replicas }) => [cluster, replicas])).toEqual(
        [...drained]
          .filter((cluster) => left.has(cluster) && leavingOf(cluster) > 0)
          .sort()
          .map((cluster) => [cluster, leavingOf(cluster)]),
      );
      expect(draining.some(({ deployment }) => tolerant.has(deployment))).toBe(false);
      const stuck = anew.deployments.map(({ id, replicas }) => {
        const missing = replicas - staying.filter(({ deployment }) => deployment === id).length;
        return Math.min(missing, draining.filter(({ deployment }) => deployment === id).length);
      });
      expect(drains.flatMap((one) => one.stuck)).toHaveLength(stuck.reduce((sum, one) => sum + one, 0));
    }),
    RUNS,
  );
});
