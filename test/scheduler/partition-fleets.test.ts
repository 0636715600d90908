import * as fc from 'fast-check';
import { countNodesWorstCase } from '../../src/scheduler/packing/worst-case';
import type { Placement } from '../../src/scheduler/placement';
import { chargesOf } from './exhaustive';
import { ask, cluster, deployment, device, engine, modelOf, nodeClassWith, run } from './build';
import { daily } from '../daily';

const SLICES = 4;

/** A profile of the GPUs of a fleet: the compute that it takes, and the slices of each of its placements. */
interface Profile {
  readonly compute: number;
  readonly size: number;
  readonly starts: readonly number[];
}

interface Fleet {
  readonly gpus: number;
  readonly profiles: readonly Profile[];
  readonly pools: readonly number[];
  readonly deployments: readonly {
    readonly profile: number;
    readonly count: number;
    readonly replicas: number;
    readonly copies: number;
    readonly priority: number;
  }[];
}

const profile = fc
  .record({ compute: fc.integer({ min: 1, max: 3 }), size: fc.constantFrom(1, 1, 2, 2, 4) })
  .map(({ compute, size }): Profile => {
    const starts = Array.from({ length: SLICES / size }, (_, i) => i * size);
    return { compute, size, starts };
  });

const fleet: fc.Arbitrary<Fleet> = fc
  .record({ gpus: fc.integer({ min: 1, max: 3 }), profiles: fc.array(profile, { minLength: 1, maxLength: 3 }) })
  .chain(({ gpus, profiles }) =>
    fc.record({
      gpus: fc.constant(gpus),
      profiles: fc.constant(profiles),
      pools: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }),
      deployments: fc.array(
        fc.record({
          profile: fc.nat(profiles.length - 1),
          count: fc.constantFrom(1, 1, 1, 2),
          replicas: fc.integer({ min: 1, max: 5 }),
          copies: fc.constantFrom(1, 1, 2),
          priority: fc.integer({ min: 0, max: 1 }),
        }),
        { minLength: 1, maxLength: 4 },
      ),
    }),
  );

function amounts(compute: number, start: number, size: number) {
  const slices = Array.from({ length: size }, (_, i) => [`slice-${start + i}`, '1']);
  return { compute: String(compute), ...Object.fromEntries(slices) };
}

function resourcesOf({ gpus, profiles, pools, deployments }: Fleet, more = 0) {
  const devices = profiles.map(({ compute, size, starts }, p) =>
    device(`p${p}`, {
      memory: `${size}Gi`,
      attributes: { profile: { string: `p${p}` } },
      placements: starts.map((start) => amounts(compute, start, size)),
    }),
  );
  const counterSets = [{ name: 'gpu', count: gpus, counters: amounts(4, 0, SLICES) }];
  const sizes = Object.fromEntries(pools.map((nodes, i) => [`a${i}`, `mig x ${nodes + more}`]));
  return [
    nodeClassWith('mig', { counterSets }, ...devices),
    cluster('eu', sizes, { version: '1.36.0' }),
    ...deployments.map(({ profile: p, count, replicas, copies, priority }, d) =>
      deployment(`ml/d${d}`, {
        replicas,
        engines: [
          engine('main', [ask('gpu', count, `device.attributes["gpu.nvidia.com"].profile == "p${p}"`)], { copies }),
        ],
        spec: { allowPartial: true, priority },
      }),
    ),
  ];
}

/** The pools that are charged for more than they have, whatever the cluster chooses. */
function overcommitted(one: Fleet, placements: readonly Placement[]): string[] {
  const model = modelOf(...resourcesOf(one));
  const charges = placements.flatMap((placement) => chargesOf(model, placement));
  const pools = model.clusters.flatMap((site) => site.pools);
  return pools.flatMap((pool) => {
    const loads = charges
      .filter((charge) => charge.pool.name === pool.name)
      .map(({ footprint, pods }) => ({ footprint, pods }));
    return countNodesWorstCase(pool.node.counts, loads) > pool.nodes ? [pool.name] : [];
  });
}

test('no pool is charged for more partitions than it has room for', () => {
  fc.assert(
    fc.property(fleet, (one) => {
      expect(overcommitted(one, run(resourcesOf(one)).placements)).toEqual([]);
    }),
    { numRuns: daily(12) },
  );
});

test('the order of declarations does not matter', () => {
  fc.assert(
    fc.property(fleet, (one) => {
      expect(run(resourcesOf(one).toReversed()).placements).toEqual(run(resourcesOf(one)).placements);
    }),
    { numRuns: daily(8) },
  );
});

test('more nodes move no replica, and lose none', () => {
  fc.assert(
    fc.property(fleet, fc.integer({ min: 1, max: 2 }), (one, more) => {
      const before = run(resourcesOf(one)).placements;
      const after = run(resourcesOf(one, more), before).placements;
      expect(after).toEqual(expect.arrayContaining([...before]));
    }),
    { numRuns: daily(8) },
  );
});
