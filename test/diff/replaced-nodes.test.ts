import { findReplacedNodes } from '../../src/diff/replaced-nodes';
import { losesItsPool } from '../../src/diff/pool-disruption';
import { aClass, aCluster, aDeployment, type Doc, MACHINES } from '../api/build';
import { diff, state } from './build';

const gpus = (count: number): Doc => ({
  devices: [{ name: 'gpu', driver: 'gpu.nvidia.com', deviceClassName: 'gpu.nvidia.com', count }],
});
const dc = (options: Doc = {}) =>
  aCluster('dc', { pools: { h100: { nodeCount: 1 }, spare: { nodeCount: 1 } }, ...options });
const gke = dc({
  source: 'GKE',
  cluster: { source: 'GKE', gke: { region: 'us-central1' } },
  pools: { h100: { nodeCount: 1, zones: ['us-central1-a'] } },
});
const model = aDeployment('ml/q');

const WARNED =
  'other devices are declared for the nodes of dc/h100, which Fleetwright does not replace. Replace the nodes before you apply this: pods may otherwise find no node when they restart. That stops all pods on them: ml/q is down then';

const cases: Record<string, { name?: string; was: Doc; is: Doc; cluster?: typeof gke; want: string[] }> = {
  'other devices of a pool with replicas need other nodes': { was: gpus(8), is: gpus(4), want: [WARNED] },
  'another price needs none': { was: gpus(8), is: { ...gpus(8), price: { perHour: 2, currency: 'USD' } }, want: [] },
  'other machines are part of the comparison': {
    was: { ...gpus(8), provisioning: { provider: 'GKE', gke: { ...MACHINES.GKE.gke, machineType: 'a' } } },
    is: { ...gpus(4), provisioning: { provider: 'GKE', gke: { ...MACHINES.GKE.gke, machineType: 'b' } } },
    want: [],
  },
  'nodes that Fleetwright creates are replaced': {
    was: { ...gpus(8), provisioning: { provider: 'GKE', gke: MACHINES.GKE.gke } },
    is: { ...gpus(4), provisioning: { provider: 'GKE', gke: MACHINES.GKE.gke } },
    cluster: gke,
    want: [],
  },
};

test.each(Object.entries(cases))('%s', (_, { was, is, cluster = dc(), want }) => {
  const [before, after] = [was, is].map((h100) => [aClass('h100', h100), aClass('spare', gpus(1)), cluster, model]);
  const earlier = state('main', before ?? []);
  const later = state('here', after ?? [], earlier.decision.lock, earlier);
  const change = { before: earlier.decision, after: later.decision, at: 'fleet' };
  const found = findReplacedNodes(diff(before ?? [], after ?? []), change);
  expect(found.map(({ message, hint }) => `${message}. ${hint}`)).toEqual(want);
});

test('a pool without replicas needs no warning', () => {
  const resources = (spare: Doc) => [aClass('h100', gpus(8)), aClass('spare', spare), dc(), model];
  const earlier = state('main', resources(gpus(1)));
  const later = state('here', resources(gpus(2)), earlier.decision.lock, earlier);
  const used = later.decision.schedule.placements.map(({ pools }) => Object.values(pools));
  const change = { before: earlier.decision, after: later.decision, at: 'fleet' };
  const found = findReplacedNodes(diff(resources(gpus(1)), resources(gpus(2))), change);
  expect({ used, found }).toEqual({ used: [['h100']], found: [] });
});

test.each([
  ['that keeps a removed pool has no place', 'l4', true],
  ['that gets another pool of its cluster has one', 'h100', false],
])('a replica %s', (_, pool, want) => {
  const field = { path: ['spec', 'nodePools', 'l4'], field: 'spec.nodePools[l4]', before: {}, where: 'a' };
  const causes = [{ id: 'InferenceCluster us', action: 'changed' as const, field, where: 'a' }];
  const change = { action: 'roll', cluster: 'us', index: 0, pools: { main: pool }, nodes: 'replace' } as const;
  expect(losesItsPool({ ...change, causes } as unknown as Parameters<typeof losesItsPool>[0])).toBe(want);
});
