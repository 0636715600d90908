import * as fc from 'fast-check';
import { PodMatcher } from '../../src/scheduler/devices/match-pod';
import { groupByDeployment, type Placement, sortPlacements } from '../../src/scheduler/placement';
import type { Remedy } from '../../src/scheduler/remedy';
import { retainLock } from '../../src/scheduler/retained-lock';
import { scheduleState } from '../../src/scheduler/schedule';
import { placed, run } from './build';
import { faults } from './checker';
import { bytes, history, modelOfFleet, runFleet, RUNS } from './corpus';
import { overlooked, untrue, withheld } from './exhaustive';
import { type FleetSpec, fleetSpec, resourcesOf } from './fleets';
import { fewestMoved, MOST_CHOSEN, moved, shrunk } from './moves';

test('no pool is promised more than it has, and every pod has its devices, whatever was there before', () => {
  fc.assert(
    fc.property(history, (one) => {
      const { deployments: workloads } = modelOfFleet(one);
      const shapes = new Map(workloads.map(({ id, shape }) => [id, shape]));
      const isFormer = ({ deployment, shape }: Placement): boolean => shapes.get(deployment) !== shape;
      const { placements } = runFleet(one);
      expect(placements.filter((placement) => isFormer(placement) && !placement.draining)).toEqual([]);
      expect(faults(one.next, placements, one.before, isFormer)).toEqual([]);
    }),
    RUNS,
  );
});

test('the order of declarations and of the lock does not change a byte', () => {
  fc.assert(
    fc.property(history, fc.infiniteStream(fc.nat(1000)), (one, random) => {
      const shuffled = <T>(items: readonly T[]): T[] =>
        items
          .map((item) => ({ item, key: random.next().value ?? 0 }))
          .sort((a, b) => a.key - b.key)
          .map(({ item }) => item);
      const { next, previous, before } = one;
      const former = before ? shuffled(resourcesOf(before)) : [];
      expect(bytes(run(shuffled(resourcesOf(next)), shuffled(previous), former).placements)).toBe(
        bytes(runFleet(one).placements),
      );
    }),
    RUNS,
  );
});

test('scheduling a schedule changes nothing', () => {
  fc.assert(
    fc.property(history, (one) => {
      const first = runFleet(one);
      const second = runFleet({ ...one, previous: first.placements });
      expect(placed(second)).toEqual(placed(first));
      expect(second.evictions).toEqual([]);
      expect(second.shortfalls.map(({ deployment, missing }) => [deployment, missing])).toEqual(
        first.shortfalls.map(({ deployment, missing }) => [deployment, missing]),
      );
    }),
    RUNS,
  );
});

test('a replica of earlier engines keeps its line, but for that it is draining', () => {
  fc.assert(
    fc.property(history, (one) => {
      const shapes = new Map(modelOfFleet(one).deployments.map(({ id, shape }) => [id, shape]));
      const lines = new Set(placed({ placements: one.previous }));
      const former = runFleet(one).placements.filter(({ deployment, shape }) => shapes.get(deployment) !== shape);
      expect(placed({ placements: former }).filter((line) => !lines.has(line.replace('~', '')))).toEqual([]);
    }),
    RUNS,
  );
});

test('adding clusters, pools and nodes moves nothing and takes nothing away', () => {
  fc.assert(
    fc.property(history, fleetSpec, fc.nat(2), (one, other, extra) => {
      const { next: fleet } = one;
      const before = runFleet(one).placements;
      const added = other.clusters.map((cluster) => ({ ...cluster, name: `a${cluster.name}` }));
      const larger: FleetSpec = {
        ...fleet,
        clusters: [...added, ...fleet.clusters.map((cluster) => grown(cluster, extra))],
      };
      const after = new Set(placed(runFleet({ ...one, next: larger, previous: before })));
      expect(placed({ placements: before }).filter((line) => !after.has(line))).toEqual([]);
    }),
    RUNS,
  );
});

function grown(cluster: FleetSpec['clusters'][number], extra: number): FleetSpec['clusters'][number] {
  const pools = cluster.pools.map((pool) => ({ ...pool, nodes: pool.nodes + extra }));
  return { ...cluster, pools: [...pools, { className: 'hopper', nodes: extra, packing: 'Spread' }] };
}

test('removing a cluster that holds nothing changes nothing', () => {
  fc.assert(
    fc.property(history, (one) => {
      const { next: fleet } = one;
      const before = runFleet(one).placements;
      const used = new Set(before.map(({ cluster }) => cluster));
      const smaller = { ...fleet, clusters: fleet.clusters.filter(({ name }) => used.has(name)) };
      fc.pre(smaller.clusters.length < fleet.clusters.length);
      expect(placed(runFleet({ ...one, next: smaller, previous: before }))).toEqual(placed({ placements: before }));
    }),
    RUNS,
  );
});

test('a replica without a place has none, given what was placed before it: every choice of pools is tried', () => {
  fc.assert(
    fc.property(history, (one) => {
      expect(overlooked(one)).toEqual([]);
    }),
    RUNS,
  );
});

test('nor has it one where replicas of earlier engines of its deployment were gone', () => {
  fc.assert(
    fc.property(history, (one) => {
      expect(withheld(one)).toEqual([]);
    }),
    RUNS,
  );
});

test('every reason is true when it is looked at alone', () => {
  fc.assert(
    fc.property(history, (one) => {
      expect(untrue(one)).toEqual([]);
    }),
    RUNS,
  );
});

test('where only nodes were lost, no more replicas move than have to', () => {
  const lost = fc.array(fc.nat(2), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(history, lost, ({ next }, nodes) => {
      const { placements } = runFleet({ next, previous: [] });
      if (placements.length > MOST_CHOSEN) return;
      const fleet = shrunk(next, nodes);
      expect(moved(fleet, placements)).toEqual(fewestMoved(fleet, placements));
    }),
    RUNS,
  );
});

test('the nodes that a shortfall asks for do place one more replica, and one node fewer does not', () => {
  fc.assert(
    fc.property(history, ({ next: fleet }) => {
      const { placements, shortfalls } = runFleet({ next: fleet, previous: [] });
      const found = shortfalls.flatMap(({ deployment, missing, remedies }) =>
        remedies.flatMap((remedy) => (remedy.kind === 'nodes' ? [{ deployment, missing, nearest: remedy }] : [])),
      );
      const [first] = found;
      if (!first) return;
      const { deployment, missing, nearest } = first;
      const missingWith = (nodes: number): number => {
        const only = {
          ...fleet,
          clusters: fleet.clusters.map((cluster) =>
            cluster.name === nearest.cluster ? withNodes(cluster, { ...nearest, nodes }) : cluster,
          ),
        };
        const others = only.deployments.map((d) =>
          d.id === deployment ? d : { ...d, replicas: held(placements, d.id) },
        );
        const next = runFleet({ next: { ...only, deployments: others }, previous: placements });
        return next.shortfalls.find((other) => other.deployment === deployment)?.missing ?? 0;
      };
      expect(missingWith(nearest.nodes)).toBeLessThan(missing);
      expect(missingWith(nearest.nodes - 1)).toBe(missing);
    }),
    RUNS,
  );
});

function held(placements: readonly Placement[], id: string): number {
  return placements.filter(({ deployment }) => deployment === id).length;
}

function withNodes(
  cluster: FleetSpec['clusters'][number],
  { pool, nodes, newPool }: Extract<Remedy, { kind: 'nodes' }>,
): FleetSpec['clusters'][number] {
  const pools = cluster.pools.map((spec, i) =>
    pool === `p${i}` && !newPool ? { ...spec, nodes: spec.nodes + nodes } : spec,
  );
  const own = cluster.pools.filter((_, i) => newPool && pool === `p${i}`);
  return { ...cluster, pools: [...pools, ...own.map((spec) => ({ ...spec, nodes }))] };
}

test('what is known of a lock for other clusters does not change what stays of it', () => {
  const matcher = new PodMatcher();
  fc.assert(
    fc.property(history, (one) => {
      const model = modelOfFleet(one);
      const known = retainLock(model, one.previous, matcher);
      const larger = model.clusters.map((cluster, i) =>
        i === 1 ? { ...cluster, pools: cluster.pools.map((pool) => ({ ...pool, nodes: pool.nodes + 1 })) } : cluster,
      );
      const other = { ...model, clusters: larger.slice(0, -1) };
      const [reused, anew] = [known, undefined].map((from) => scheduleState(other, one.previous, matcher, from));
      expect(bytes(reused?.placements() ?? [])).toBe(bytes(anew?.placements() ?? []));
      expect(reused?.evictions()).toEqual(anew?.evictions());
      expect(reused?.unsettled()).toEqual(anew?.unsettled());
    }),
    RUNS,
  );
});

test('a deployment that is settled has the replicas that it wants, those of its lines', () => {
  fc.assert(
    fc.property(history, (one) => {
      const state = scheduleState(modelOfFleet(one), one.previous, new PodMatcher());
      const unsettled = new Set(state.unsettled());
      const settled = state.model.deployments.filter((deployment) => !unsettled.has(deployment));
      const placements = groupByDeployment(state.placements());
      const lines = groupByDeployment(sortPlacements(one.previous));
      for (const deployment of settled) {
        const { id, replicas } = deployment;
        expect([state.staying(deployment).length, state.draining(deployment).length]).toEqual([replicas, 0]);
        expect(placements.get(id)).toEqual(lines.get(id));
      }
    }),
    RUNS,
  );
});
