import * as fc from 'fast-check';
import { countRoom } from '../../../src/scheduler/packing/packings';
import { normalizeFootprint, type PodFootprint } from '../../../src/scheduler/packing/pod-footprint';
import { countNodesWorstCase } from '../../../src/scheduler/packing/worst-case';
import { choices, someArrangementStrands } from '../adversary';
import { daily } from '../../daily';

/** A need as amounts by kind, as wants, or as the whole node. */
type Amounts = readonly number[] | PodFootprint;

interface Case {
  devices: number[];
  loads: { footprint: Amounts; pods: number }[];
  want: number;
}

function toNeed(amounts: Amounts): PodFootprint {
  if (amounts === 'node') return amounts;
  return amounts.flatMap((want, kind) => {
    if (typeof want !== 'number') return [want];
    return want > 0 ? [{ count: want, kinds: [kind] }] : [];
  });
}

function toLoads(loads: Case['loads']) {
  return loads.map(({ footprint, pods }) => ({ footprint: toNeed(footprint), pods }));
}

const cases: Record<string, Case> = {
  'no pods need no nodes': { devices: [8], loads: [], want: 0 },
  'a load of zero pods is no load': { devices: [8], loads: [{ footprint: [8], pods: 0 }], want: 0 },
  'pods that take whole nodes need a node each': {
    devices: [8],
    loads: [{ footprint: [8], pods: 3 }],
    want: 3,
  },
  'pods that share nodes evenly need as many nodes as they fill': {
    devices: [8],
    loads: [{ footprint: [2], pods: 8 }],
    want: 2,
  },
  'a pod of the whole node needs a node that no small pod can reach': {
    devices: [8],
    loads: [
      { footprint: [1], pods: 4 },
      { footprint: [8], pods: 1 },
    ],
    want: 5,
  },
  'a pod of half a node is kept out only where more than half is used': {
    devices: [8],
    loads: [
      { footprint: [1], pods: 9 },
      { footprint: [4], pods: 1 },
    ],
    want: 2,
  },
  'small pods that cannot add up to the limit exactly must overshoot it': {
    // Three used devices keep a pod of six out, but pods of two use four.
    devices: [8],
    loads: [
      { footprint: [2], pods: 5 },
      { footprint: [6], pods: 1 },
    ],
    want: 3,
  },
  'small pods that can only reach the limit above the node spoil nothing': {
    devices: [7],
    loads: [
      { footprint: [4], pods: 3 },
      { footprint: [2], pods: 1 },
    ],
    want: 3,
  },
  'a pod that takes any of two kinds weighs on either, but not with more than it wants': {
    devices: [4, 4],
    loads: [
      { footprint: [{ count: 4, kinds: [0, 1] }], pods: 1 },
      { footprint: [4, 0], pods: 1 },
    ],
    want: 2,
  },
  'a pod that takes any of two kinds is kept out only where both are used up': {
    // Pods of the one kind alone leave the other kind free.
    devices: [4, 4],
    loads: [
      { footprint: [{ count: 4, kinds: [0, 1] }], pods: 1 },
      { footprint: [2, 0], pods: 2 },
    ],
    want: 2,
  },
  'what two kinds share cannot weigh more than there is of it': {
    devices: [1, 4],
    loads: [
      { footprint: [{ count: 3, kinds: [0, 1] }], pods: 3 },
      { footprint: [1, 0], pods: 1 },
    ],
    want: 4,
  },
  'a pod whose needs cannot be reported makes every pod of the pool count a node': {
    devices: [8, 8],
    loads: [
      { footprint: [1, 0], pods: 4 },
      { footprint: 'node', pods: 1 },
    ],
    want: 5,
  },
  'pods of different kinds of device do not get in each other’s way': {
    devices: [8, 4],
    loads: [
      { footprint: [8, 0], pods: 2 },
      { footprint: [0, 4], pods: 2 },
    ],
    want: 2,
  },
  'a pod that needs two kinds is kept out by a lack of either': {
    devices: [8, 4],
    loads: [
      { footprint: [8, 4], pods: 1 },
      { footprint: [1, 0], pods: 2 },
      { footprint: [0, 1], pods: 1 },
    ],
    want: 4,
  },
  'a pod that weighs on two limits is counted once': {
    devices: [8, 8],
    loads: [
      { footprint: [5, 5], pods: 1 },
      { footprint: [2, 2], pods: 4 },
    ],
    want: 3,
  },
};

/** Needs that a node with these devices meets. */
const wants = (devices: number[]): fc.Arbitrary<PodFootprint> =>
  fc
    .array(
      fc.record({
        count: fc.integer({ min: 1, max: 4 }),
        kinds: fc.subarray([...devices.keys()], { minLength: 1 }),
      }),
      { minLength: 1, maxLength: 2 },
    )
    .map(normalizeFootprint)
    .filter((need) => choices(need, devices).length > 0);

describe('nodesNeeded', () => {
  test.each(Object.entries(cases))('%s', (_, { devices, loads, want }) => {
    expect(countNodesWorstCase(devices, toLoads(loads))).toBe(want);
    expect(countNodesWorstCase(devices, toLoads(loads.toReversed()))).toBe(want);
  });

  const node = fc.record({
    devices: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }),
    nodes: fc.integer({ min: 1, max: 3 }),
  });
  const scenario = node.chain(({ devices, nodes }) =>
    fc.record({
      devices: fc.constant(devices),
      nodes: fc.constant(nodes),
      loads: fc.array(fc.record({ footprint: wants(devices), pods: fc.integer({ min: 1, max: 3 }) }), {
        minLength: 1,
        maxLength: 3,
      }),
    }),
  );

  test('no arrangement of the other pods strands a pod that was promised a place', () => {
    fc.assert(
      fc.property(scenario, ({ devices, nodes, loads }) => {
        fc.pre(countNodesWorstCase(devices, loads) <= nodes);
        expect(someArrangementStrands(devices, nodes, loads)).toBe(false);
      }),
      { numRuns: daily(200) },
    );
  });

  test('what is refused can be stranded, where there is one kind and one size of pod next to the largest', () => {
    const oneKind = fc.record({
      count: fc.integer({ min: 1, max: 4 }),
      nodes: fc.integer({ min: 1, max: 3 }),
      size: fc.integer({ min: 1, max: 4 }),
      pods: fc.integer({ min: 0, max: 6 }),
      large: fc.integer({ min: 1, max: 2 }),
    });
    fc.assert(
      fc.property(oneKind, ({ count, nodes, size, pods, large }) => {
        fc.pre(size <= count);
        const loads = toLoads([
          { footprint: [size], pods },
          { footprint: [count], pods: large },
        ]);
        expect(someArrangementStrands([count], nodes, loads)).toBe(countNodesWorstCase([count], loads) > nodes);
      }),
      { numRuns: daily(300) },
    );
  });

  test('fewer pods never need more nodes', () => {
    fc.assert(
      fc.property(scenario, fc.nat(2), ({ devices, loads }, i) => {
        const fewer = loads.map((load, j) => (j === i % loads.length ? { ...load, pods: load.pods - 1 } : load));
        expect(countNodesWorstCase(devices, fewer)).toBeLessThanOrEqual(countNodesWorstCase(devices, loads));
      }),
    );
  });
});

describe('room', () => {
  test.each([
    ['an empty pool has room for its nodes', [], [8], 4, 4],
    ['small pods leave no room for a whole node', [{ footprint: [1], pods: 4 }], [8], 4, 0],
    [
      'there is room for as many small pods as keep the promise to a large one',
      [{ footprint: [8], pods: 1 }],
      [1],
      4,
      3,
    ],
    ['a pool without nodes has room for nothing', [], [1], 0, 0],
  ] as const)('%s', (_, loads, need, nodes, want) => {
    expect(countRoom({ packing: 'Spread', amounts: [8], nodes }, toLoads([...loads]), toNeed(need))).toBe(want);
  });
});
