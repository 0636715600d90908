import * as fc from 'fast-check';
import { formatLock } from '../../src/scheduler/lock';
import type { Placement } from '../../src/scheduler/types';
import { placed, run } from './build';
import { faults } from './checker';
import { fleetSpec, type FleetSpec, resourcesOf } from './fleets';

const RUNS = { numRuns: 400 };

function bytes(placements: readonly Placement[]): string {
  return formatLock({ placements, unplaced: new Map() });
}

/** A fleet, and the placements that some earlier form of it led to. */
const history = fc.tuple(fleetSpec, fleetSpec).map(([first, next]) => {
  return { next, previous: run(resourcesOf(first)).placements };
});

test('no pool is promised more than it has, and every pod has its devices', () => {
  fc.assert(
    fc.property(fleetSpec, (fleet) => {
      expect(faults(fleet, run(resourcesOf(fleet)).placements)).toEqual([]);
    }),
    RUNS,
  );
});

test('nor when the fleet changed since the lock was written', () => {
  fc.assert(
    fc.property(history, ({ next, previous }) => {
      expect(faults(next, run(resourcesOf(next), previous).placements)).toEqual([]);
    }),
    RUNS,
  );
});

test('the order of declarations and of the lock does not change a byte', () => {
  fc.assert(
    fc.property(history, fc.infiniteStream(fc.nat(1000)), ({ next, previous }, random) => {
      const shuffled = <T>(items: readonly T[]): T[] =>
        items
          .map((item) => ({ item, key: random.next().value ?? 0 }))
          .sort((a, b) => a.key - b.key)
          .map(({ item }) => item);
      const resources = resourcesOf(next);
      expect(bytes(run(shuffled(resources), shuffled(previous)).placements)).toBe(
        bytes(run(resources, previous).placements),
      );
    }),
    RUNS,
  );
});

test('scheduling a schedule changes nothing', () => {
  fc.assert(
    fc.property(history, ({ next, previous }) => {
      const first = run(resourcesOf(next), previous);
      const second = run(resourcesOf(next), first.placements);
      expect(placed(second)).toEqual(placed(first));
      expect(second.evictions).toEqual([]);
      expect(second.shortfalls.map(({ deployment, missing }) => [deployment, missing])).toEqual(
        first.shortfalls.map(({ deployment, missing }) => [deployment, missing]),
      );
    }),
    RUNS,
  );
});

test('adding clusters, pools and nodes moves nothing and takes nothing away', () => {
  fc.assert(
    fc.property(fleetSpec, fleetSpec, fc.nat(2), (fleet, other, extra) => {
      const before = run(resourcesOf(fleet)).placements;
      const added = other.clusters.map((cluster) => ({ ...cluster, name: `a${cluster.name}` }));
      const larger: FleetSpec = {
        ...fleet,
        clusters: [...added, ...fleet.clusters.map((cluster) => grown(cluster, extra))],
      };
      const after = new Set(placed(run(resourcesOf(larger), before)));
      expect(placed({ placements: before }).filter((line) => !after.has(line))).toEqual([]);
    }),
    RUNS,
  );
});

function grown(cluster: FleetSpec['clusters'][number], extra: number): FleetSpec['clusters'][number] {
  const pools = cluster.pools.map((pool) => ({ ...pool, nodes: pool.nodes + extra }));
  return { ...cluster, pools: [...pools, { className: 'hopper', nodes: extra }] };
}

test('removing a cluster that holds nothing changes nothing', () => {
  fc.assert(
    fc.property(fleetSpec, (fleet) => {
      const before = run(resourcesOf(fleet)).placements;
      const used = new Set(before.map(({ cluster }) => cluster));
      const smaller = { ...fleet, clusters: fleet.clusters.filter(({ name }) => used.has(name)) };
      fc.pre(smaller.clusters.length < fleet.clusters.length);
      expect(placed(run(resourcesOf(smaller), before))).toEqual(placed({ placements: before }));
    }),
    RUNS,
  );
});

test('the nodes that a shortfall asks for do place one more replica, and one node fewer does not', () => {
  fc.assert(
    fc.property(fleetSpec, (fleet) => {
      const { placements, shortfalls } = run(resourcesOf(fleet));
      const found = shortfalls.flatMap(({ deployment, missing, remedies }) =>
        remedies.flatMap((remedy) =>
          remedy.kind === 'nodes' ? [{ deployment, missing, nearest: remedy }] : [],
        ),
      );
      fc.pre(found.length > 0);
      const [{ deployment, missing, nearest }] = found as [(typeof found)[number]];
      const missingWith = (nodes: number): number => {
        const only = {
          ...fleet,
          clusters: fleet.clusters.map((cluster) =>
            cluster.name === nearest.cluster ? withNodes(cluster, nearest.pool, nodes) : cluster,
          ),
        };
        const others = only.deployments.map((d) =>
          d.id === deployment ? d : { ...d, replicas: held(placements, d.id) },
        );
        const next = run(resourcesOf({ ...only, deployments: others }), placements);
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
  pool: string,
  nodes: number,
): FleetSpec['clusters'][number] {
  const pools = cluster.pools.map((spec, i) =>
    pool === `p${i}` ? { ...spec, nodes: spec.nodes + nodes } : spec,
  );
  return { ...cluster, pools };
}
