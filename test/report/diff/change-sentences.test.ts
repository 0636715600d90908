import { formatDownFor, formatObjectTotals, formatReplicaAction } from '../../../src/report/diff/change-sentences';
import { formatTotal, outcomeOf } from '../../../src/report/plan/total-line';
import { aClass, aCluster, aDeployment } from '../../api/build';
import { diff, state } from '../../diff/build';

const rolled = {
  action: 'roll' as const,
  cluster: 'us',
  index: 0,
  pools: { main: 'h100' },
  reason: { kind: 'shape' as const, downtime: 'no-room' as const },
  causes: [],
};

test.each([
  ['has no reason for a downtime that it does not have', {}, 'rolled in place, its engines changed'],
  ['says why it stops', { down: true as const }, expect.stringContaining(', and there is no room to run the old and')],
])('a replica of other engines that rolls %s', (_, change, want) => {
  expect(formatReplicaAction({ ...rolled, ...change })).toEqual(want);
});

const DOWN = { least: 3, most: 12, budget: 60 };
const NODES = 'about 3 to 12 minutes plus the time to create nodes and stage its cache while nodes are recreated';
const MANIFESTS = 'about 3 to 12 minutes plus the time to stage its cache when manifests are applied';

test.each([
  ['stops once is down for that time', {}, 'for about 3 to 12 minutes'],
  [
    'waits for a cache is down for as long as that takes',
    { waits: ['cache' as const] },
    'for about 3 to 12 minutes plus the time to stage its cache',
  ],
  [
    'keeps its cluster waits for a cache with other tools than Argo CD',
    { waits: ['nodes' as const, 'cache' as const], stagesFirst: true as const },
    'for about 3 to 12 minutes plus the time to create nodes, and to stage its cache (not with Argo CD)',
  ],
  [
    'stops twice waits for nodes once, and says which stop is first',
    { waits: ['nodes' as const, 'cache' as const], twice: 'nodes-first' as const },
    `twice: ${NODES}, then ${MANIFESTS}`,
  ],
  [
    'restarts with smaller requests stops with its nodes after that',
    { waits: ['nodes' as const, 'cache' as const], twice: 'manifests-first' as const },
    `twice: ${MANIFESTS}, then ${NODES}`,
  ],
])('a replica that %s', (_, more, want) => {
  expect(formatDownFor({ ...DOWN, ...more })).toBe(want);
});

const lost = { action: 'roll' as const, cluster: 'us', index: 0, pools: { main: 'h100' }, nodes: 'replace' as const };
const pool = { field: 'spec.nodePools[h100]', path: [], before: {}, where: 'c.yaml:1:1' };

test.each([
  ['its cluster', { action: 'removed' as const }, 'stops for good: its cluster is removed'],
  ['its node pool', { action: 'changed' as const, field: pool }, 'stops for good: its node pool is removed'],
])('a replica that keeps its line without %s does not roll', (_, cause, want) => {
  const causes = [{ id: 'InferenceCluster us', where: 'c.yaml:1:1', ...cause }];
  expect(formatReplicaAction({ ...lost, down: true, causes })).toBe(want);
  expect(outcomeOf({ ...lost, down: true, causes })).toBe('remove');
});

test.each([
  ['is named by its cluster where both have the same name', 'l4', 'to l4 of eu,'],
  ['is named alone otherwise', 'h100', 'to h100,'],
])('the pool of other nodes to which a replica moves %s', (_, main, want) => {
  const from = { cluster: 'us', index: 0, pools: { main: 'l4' } };
  const move = {
    action: 'move',
    cluster: 'eu',
    index: 1,
    pools: { main },
    from,
    otherNodes: true,
    causes: [],
  } as const;
  expect(formatReplicaAction(move)).toContain(`moved from us/0 on l4 ${want}`);
});

test('objects that no tool prunes are not counted as deleted', () => {
  const place = [aClass('h100'), aCluster('us', { pools: { h100: 1 }, namespaces: 'Managed' })];
  const { objects } = diff([...place, aDeployment('ml/q')], place);
  expect(formatObjectTotals(objects)).toBe('3 deleted, 2 not pruned (no cost, nothing to do)');
  const left = objects.filter(({ neverPruned }) => neverPruned).map(({ kind }) => kind);
  expect(left).toEqual(['Namespace', 'ResourceClaimTemplate']);
});

test('the total leaves out objects that no tool prunes', () => {
  const place = [aClass('h100'), aCluster('us', { pools: { h100: 1 }, namespaces: 'Managed' })];
  expect(formatTotal(state('here', place).decision.plan, diff([...place, aDeployment('ml/q')], place))).toMatch(
    /; objects: 3 deleted[;.]/,
  );
});
