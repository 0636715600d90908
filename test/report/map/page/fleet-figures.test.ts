import type { Resource } from '../../../../src/api/kinds';
import type { PlanMessageData } from '../../../../src/report/map/map-data';
import {
  countGpus,
  countPoolDevices,
  countPoolNodes,
  fullnessOf,
  type GpuUse,
  hasScaledCopies,
  mostOf,
  sumAmounts,
  titleOfMessages,
} from '../../../../src/report/map/page/fleet-figures';
import { countUnusedNodes } from '../../../../src/report/map/page/free-devices';
import { ask, cluster, deployment, device, engine, fleetOf, nodeClass } from '../../../scheduler/build';
import { mapOf } from '../drawn';

const H100 = nodeClass('h100');

const NICS = Object.assign(device('nic', { count: 16, className: 'mrdma.google.com' }), { driver: 'dra.net' });

const NONE: GpuUse = { total: 0, used: 0, rollouts: 0, whole: 0, shared: 0, addable: 0, lost: 0 };

const cases: Record<string, { resources: Resource[]; want: Partial<GpuUse> }> = {
  'nodes that no arrangement uses are free as whole nodes': {
    resources: [H100, cluster('us', { a: 'h100 x 3' }), deployment('ml/q')],
    want: { total: 24, used: 8, whole: 16 },
  },
  'the rest of a node, and nodes on which a cluster may put pods, are shared': {
    resources: [
      H100,
      cluster('us', { a: 'h100 x 6' }),
      deployment('ml/p', { gpus: 1, replicas: 3 }),
      deployment('ml/q', { gpus: 8 }),
    ],
    want: { total: 48, used: 11, whole: 16, shared: 21 },
  },
  'what only rollouts use is not in use': {
    resources: [
      H100,
      cluster('us', { a: 'h100 x 3' }),
      deployment('ml/q', { engines: [engine('main', [ask('gpu', 8)])], spec: { rollout: { surge: 1 } } }),
    ],
    want: { total: 24, used: 8, rollouts: 8, whole: 8 },
  },
  'what an autoscaler can add is neither free nor of the total': {
    resources: [
      H100,
      cluster('us', { a: 'h100 x 1' }, { pool: { minNodeCount: 1, maxNodeCount: 3 } }),
      deployment('ml/q', { replicas: 2 }),
    ],
    want: { total: 16, used: 16, addable: 8 },
  },
  'network cards are no GPUs': {
    resources: [nodeClass('h100', device('gpu'), NICS), cluster('us', { a: 'h100 x 1' })],
    want: { total: 8, whole: 8 },
  },
  'a fleet without nodes has none': { resources: [H100, cluster('us', {})], want: {} },
};

test.each(Object.entries(cases))('GPUs: %s', (_, { resources, want }) => {
  const map = mapOf(fleetOf(...resources));
  const figures = countGpus(
    map,
    map.clusters.flatMap(({ pools }) => pools),
  );
  expect(figures).toEqual({ ...NONE, ...want });
  expect(fullnessOf(figures)).toBeCloseTo(figures.total === 0 ? 0 : (figures.used + figures.rollouts) / figures.total);
});

test.each([
  ['a fixed number', 2, false],
  ['bounds', { min: 1, max: 3 }, true],
] as const)('pods that may not run count as in use where copies have %s', (_, copies, want) => {
  const scaled = deployment('ml/q', { engines: [engine('main', [ask('gpu', 1)], { copies })] });
  expect(hasScaledCopies(mapOf(fleetOf(H100, cluster('us', { a: 'h100 x 1' }, { monitoring: {} }), scaled)))).toBe(
    want,
  );
});

test.each([
  ['pods of all sizes', 6, [1, 8], 2],
  ['nodes that an autoscaler adds', { minNodeCount: 1, maxNodeCount: 3 }, [8, 8], 1],
  ['a full pool', 1, [8], 0],
] as const)('nodes that are always free of pods: %s', (_, nodes, gpus, want) => {
  const pool = typeof nodes === 'number' ? {} : nodes;
  const map = mapOf(
    fleetOf(
      H100,
      cluster('us', { a: `h100 x ${typeof nodes === 'number' ? nodes : 1}` }, { pool }),
      ...gpus.map((each, at) => deployment(`ml/q${at}`, { gpus: each, replicas: each === 8 ? 1 : 3 })),
    ),
  );
  expect(map.clusters.flatMap(({ pools }) => pools.map(countUnusedNodes))).toEqual([want]);
});

test.each([
  ['the nodes that pods need run, and the others can be added', 1, { running: 8, addable: 16, runningNodes: 1 }],
  ['without pods, only the fewest nodes run', 0, { running: 8, addable: 16, runningNodes: 1 }],
  ['pods on all nodes leave none to add', 3, { running: 24, addable: 0, runningNodes: 3 }],
])('devices of an autoscaled pool: %s', (_, replicas, want) => {
  const us = cluster('us', { a: 'h100 x 1' }, { pool: { minNodeCount: 1, maxNodeCount: 3 } });
  const map = mapOf(fleetOf(H100, us, deployment('ml/q', { gpus: 8, replicas })));
  const [pool] = map.clusters[0]!.pools;
  expect(countPoolDevices(map.pools[pool!.facts]!, pool!)).toEqual(want);
});

const AUTOSCALED = cluster('us', { a: 'h100 x 1' }, { monitoring: {}, pool: { minNodeCount: 1, maxNodeCount: 5 } });

/** An engine that adds copies with the load. */
const SCALED = engine('main', [ask('gpu', 8, 'true')], { copies: { min: 1, max: 4 } });

const nodes: Record<string, { resources: Resource[]; want: ReturnType<typeof countPoolNodes> }> = {
  'an autoscaler runs at least what the replicas need': {
    resources: [H100, AUTOSCALED, deployment('ml/q', { replicas: 2 })],
    want: { least: 2, most: 5 },
  },
  'of copies that are added with the load, only the fewest need nodes, as in the cost': {
    resources: [H100, AUTOSCALED, deployment('ml/q', { engines: [SCALED] })],
    want: { least: 1, most: 5 },
  },
  'without an autoscaler all nodes run': {
    resources: [H100, cluster('us', { a: 'h100 x 3' })],
    want: { least: 3, most: 3 },
  },
};

test.each(Object.entries(nodes))('nodes: %s', (_, { resources, want }) => {
  const map = mapOf(fleetOf(...resources));
  const pools = map.clusters.flatMap((one) => one.pools);
  expect(countPoolNodes(map, pools)).toEqual(want);
});

test.each<[string, PlanMessageData['kind'][], string]>([
  ['warnings are counted without notes and drains', ['warning', 'note', 'drain', 'denied'], 'Warnings (2)'],
  ['warnings that a change does not bring are not counted', ['known', 'note'], 'Warnings (none new)'],
  ['and others are, next to them', ['warning', 'known'], 'Warnings (1)'],
  ['notes alone are not called warnings', ['note', 'note'], 'Notes (2)'],
  ['nothing is not counted', [], 'Warnings'],
])('%s', (_, kinds, want) => {
  expect(titleOfMessages(kinds.map((kind) => ({ kind, text: 'x', at: [] })))).toBe(want);
});

test('costs add up, and what is unknown stays known to be missing', () => {
  expect(sumAmounts([])).toBe(0);
  expect(sumAmounts([100, 20])).toBe(120);
  expect(sumAmounts([100, [1, 5, 0, 0]])).toEqual([101, 105, 0, 0]);
  expect(sumAmounts([100, null])).toEqual([100, 100, 1, 1]);
  expect(sumAmounts([null, null])).toBeNull();
  expect(sumAmounts([100, [5, 5, 0, 0, 1]])).toEqual([105, 105, 0, 0, 1]);
  expect([7, [1, 5, 0, 0] as const, null, undefined].map(mostOf)).toEqual([7, 5, undefined, undefined]);
});
