import * as fc from 'fast-check';
import type { Survival } from '../../../src/analyze/survive/survival';
import { survive } from '../../../src/analyze/survive/survive';
import type { Resource } from '../../../src/api/kinds';
import { compileFleet } from '../../../src/plan/compile-fleet';
import { decide } from '../../../src/plan/decide';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { schedule } from '../../../src/scheduler/schedule';
import type { Placement } from '../../../src/scheduler/placement';
import { fleetOf } from '../../scheduler/build';
import { type FleetSpec, fleetSpec, resourcesOf } from '../../scheduler/fleets';
import { edited } from '../what-if/edit';

/** FLEETWRIGHT_BRUTE=1000 for the long run. */
const RUNS = { numRuns: Number(process.env.FLEETWRIGHT_BRUTE ?? 0) || 15, seed: 5 };

const decided = (spec: FleetSpec) => decide(fleetOf(...resourcesOf(spec)), () => '', EMPTY_LOCK);

function counts(placements: readonly Placement[]): Map<string, number> {
  const all = new Map<string, number>();
  for (const { deployment, draining } of placements) {
    if (!draining) all.set(deployment, (all.get(deployment) ?? 0) + 1);
  }
  return all;
}

/** Replicas that serve after some resources are gone, the rest compiled anew; those asked for, and limits, may differ. */
function after(
  resources: Resource[],
  lost: ReadonlySet<string>,
  previous: readonly Placement[],
  { most, limits = [] }: { most?: Map<string, number>; limits?: Survival['limits'] | [] } = {},
): Map<string, number> {
  const left = [...lost].reduce((all, cluster) => edited(all, { kind: 'lose', cluster }), resources);
  const model = compileFleet(fleetOf(...left), () => '');
  const workloads = model.deployments.map((one) => ({
    ...one,
    replicas: most ? (most.get(one.id) ?? 0) : one.replicas,
    placement: {
      ...one.placement,
      ...Object.fromEntries(
        limits.flatMap(({ deployment, field, to }) => (deployment === one.id ? [[field, to]] : [])),
      ),
    },
  }));
  return counts(schedule({ ...model, deployments: workloads }, previous).placements);
}

test('every loss leaves what declarations without the cluster would leave', () => {
  fc.assert(
    fc.property(fleetSpec, fc.constantFrom(undefined, 'region'), (spec, label) => {
      const decision = decided(spec);
      const { placements } = decision.schedule;
      const before = counts(placements);
      for (const { lost, clusters, deployments } of survive(decision, label).losses) {
        const gone = new Set(
          label === undefined ? [lost] : spec.clusters.filter((one) => one.region === lost).map(({ name }) => name),
        );
        expect(new Set(clusters)).toEqual(gone);
        const atOnce = counts(placements.filter(({ cluster }) => !gone.has(cluster)));
        const later = after(resourcesOf(spec), gone, placements);
        const hit = [...before].filter(([id, replicas]) => (atOnce.get(id) ?? 0) < replicas);
        expect(deployments.map(({ deployment, before, atOnce, after }) => [deployment, before, atOnce, after])).toEqual(
          hit.map(([id, replicas]) => [id, replicas, atOnce.get(id) ?? 0, Math.min(replicas, later.get(id) ?? 0)]),
        );
      }
    }),
    RUNS,
  );
});

/** Small enough that every smaller set can be placed again. */
const MOST_TOTAL = 2;

test('the nodes that are reported are enough, and where that is said no fewer are', () => {
  fc.assert(
    fc.property(fleetSpec, (spec) => {
      const decision = decided(spec);
      const { placements } = decision.schedule;
      const before = counts(placements);
      const { extra, stranded, losses, limits } = survive(decision);
      const without = new Map(stranded.map(({ lost, deployment, replicas }) => [`${lost} ${deployment}`, replicas]));
      const suffices = (nodes: readonly { cluster: string; pool: string; nodes: number }[]): boolean => {
        const more = nodes.reduce((all, one) => edited(all, { kind: 'add-nodes', ...one }), resourcesOf(spec));
        return losses.every(({ lost }) => {
          const later = after(more, new Set([lost]), placements, { most: before, ...(limits && { limits }) });
          return [...before].every(
            ([id, replicas]) => replicas - (later.get(id) ?? 0) <= (without.get(`${lost} ${id}`) ?? 0),
          );
        });
      };
      if (!extra) return;
      expect(suffices([])).toBe(false);
      expect(suffices(extra.nodes)).toBe(true);
      expect(extra.atLeast).toBeLessThanOrEqual(extra.total);
      expect(extra.method).toBe(extra.atLeast === extra.total ? 'exact' : 'heuristic');
      if (extra.total > MOST_TOTAL) return;
      const pools = spec.clusters.flatMap(({ name, pools }) =>
        pools.map((_, i) => ({ cluster: name, pool: `p${i}`, nodes: 1 })),
      );
      if (extra.total === 2) for (const one of pools) expect(suffices([one])).toBe(false);
    }),
    RUNS,
  );
});
