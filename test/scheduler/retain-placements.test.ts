import { ask, cache, cluster, deployment, device, engine, nodeClass } from './build';
import { type Change, checkChange } from './history';

const H100 = nodeClass('h100');
const taint = (effect: string) => ({ taints: [{ key: 'drain', value: 'now', effect }] });
const region = (name: string) => ({ labels: { region: name } });
const inRegion = (name: string) => ({ template: { clusterSelector: { matchLabels: { region: name } } } });
const eu = cluster('eu', { a: 'h100 x 2' }, region('eu'));
const us = cluster('us', { a: 'h100 x 2' }, region('us'));
/** Clusters that measure the load by which engines scale. */
const measured = (name: string, pool = 'h100 x 2') => cluster(name, { a: pool }, { monitoring: {} });
const two = deployment('ml/q', { replicas: 2 });
const cheapest = deployment('ml/q', { spec: { placement: { policy: 'Cheapest' } } });

/** Nodes with a synthetic device, and others on which it can be claimed. */
const FABRIC = nodeClass('synthetic', device('gpu'), device('port', { className: 'fabric', synthetic: true }));
const REAL = nodeClass('real', device('gpu'), device('port', { className: 'fabric' }));

/** A gang whose leader asks for a port alone. */
const guided = deployment('ml/q', { engines: [guidedEngine()] });

function guidedEngine(): Record<string, unknown> {
  const gang = engine('main', [ask('gpu', 8)], { workers: 1 }) as { members: Record<string, unknown>[] };
  const [leader, worker] = gang.members;
  const devices = [ask('port', 1, 'device.driver == "fabric"')];
  return { ...gang, members: [{ ...leader, nodeSelector: { devices } }, worker] };
}

const between = (min: number, max: number) =>
  deployment('ml/q', { engines: [engine('main', [ask('gpu', 8)], { copies: { min, max } })] });

const staying: Record<string, Change> = {
  'a replica stays when the bounds of its copies change and there is room': {
    before: [H100, measured('us'), between(1, 1)],
    resources: [H100, measured('eu'), measured('us'), between(2, 2)],
    want: ['ml/q us/0 a'],
  },
  'a replica moves when there is no room for a higher bound of its copies': {
    before: [H100, measured('us'), between(1, 2)],
    resources: [H100, measured('us'), measured('west', 'h100 x 3'), between(1, 3)],
    want: ['ml/q west/0 a'],
    evicted: ['ml/q us/0 rejected'],
  },
  'a replica stays when an earlier cluster appears': {
    before: [H100, us, deployment('ml/q')],
    resources: [H100, eu, us, deployment('ml/q')],
    want: ['ml/q us/0 a'],
  },
  'a replica stays when a better pool appears': {
    before: [
      H100,
      nodeClass('small', device('gpu', { memory: '40Gi' })),
      cluster('us', { z: 'h100 x 2' }),
      deployment('ml/q'),
    ],
    resources: [
      H100,
      nodeClass('small', device('gpu', { memory: '40Gi' })),
      cluster('us', { a: 'small x 2', z: 'h100 x 2' }),
      deployment('ml/q'),
    ],
    want: ['ml/q us/0 z'],
  },
  'a replica of Cheapest stays on large devices when a pool of small ones appears, and no price is known': {
    before: [H100, cluster('us', { z: 'h100 x 1' }), cheapest],
    resources: [
      H100,
      nodeClass('l4', device('gpu', { memory: '24Gi' })),
      cluster('us', { a: 'l4 x 1', z: 'h100 x 1' }),
      cheapest,
    ],
    want: ['ml/q us/0 z'],
  },
  'a replica stays when a deployment of higher priority comes that no longer fits': {
    before: [H100, cluster('us', { a: 'h100 x 1' }), deployment('ml/q')],
    resources: [
      H100,
      cluster('us', { a: 'h100 x 1' }),
      deployment('ml/q'),
      deployment('ml/z', { spec: { priority: 9 } }),
    ],
    want: ['ml/q us/0 a'],
  },
  'a replica stays on a cluster that takes no new ones': {
    before: [H100, eu, deployment('ml/q')],
    resources: [H100, cluster('eu', { a: 'h100 x 2' }, taint('NoSchedule')), us, deployment('ml/q', { replicas: 2 })],
    want: ['ml/q eu/0 a', 'ml/q us/0 a'],
  },
  'a replica stays when the selector of its cache is narrowed': {
    before: [
      H100,
      cluster('eu', { a: 'h100 x 2' }, { storage: true }),
      cache('ml/w'),
      deployment('ml/q', { template: { modelCacheRef: { name: 'w' } } }),
    ],
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 2' }, { storage: true }),
      cache('ml/w', { region: 'us' }),
      deployment('ml/q', { template: { modelCacheRef: { name: 'w' } } }),
    ],
    want: ['ml/q eu/0 a'],
  },
  'a selector that changed and still matches moves nothing': {
    before: [H100, us, deployment('ml/q')],
    resources: [H100, eu, us, deployment('ml/q', { engines: [engine('main', [ask('gpu', 8, 'true')])] })],
    want: ['ml/q us/0 a'],
  },
  'a device attribute that changed and still matches moves nothing': {
    before: [H100, us, deployment('ml/q')],
    resources: [nodeClass('h100', device('gpu', { memory: '81559Mi' })), eu, us, deployment('ml/q')],
    want: ['ml/q us/0 a'],
  },
  'a member that holds no device stays where it is when a pool appears on which it would hold one': {
    before: [FABRIC, cluster('us', { a: 'synthetic x 2' }), guided],
    resources: [FABRIC, REAL, cluster('us', { a: 'synthetic x 2', b: 'real x 2' }), guided],
    want: ['ml/q us/0 a'],
  },
  'an index stays free when the replica before it leaves': {
    before: [H100, eu, us, deployment('ml/q', { replicas: 4 })],
    resources: [H100, eu, us, deployment('ml/q', { replicas: 4 })],
    edit: (previous) => previous.filter(({ cluster, index }) => cluster !== 'eu' || index !== 0),
    want: ['ml/q eu/0 a', 'ml/q eu/1 a', 'ml/q us/0 a', 'ml/q us/1 a'],
  },
};

const draining: Record<string, Change> = {
  'a drained replica serves on until it is finalized, next to its replacement': {
    before: [H100, eu, deployment('ml/q')],
    resources: [H100, cluster('eu', { a: 'h100 x 2' }, taint('NoExecute')), us, deployment('ml/q')],
    want: ['~ml/q eu/0 a', 'ml/q us/0 a'],
    evicted: ['ml/q eu/0 rejected'],
  },
  'a replica whose deployment selects other clusters now does so too': {
    before: [H100, eu, us, deployment('ml/q', inRegion('eu'))],
    resources: [H100, eu, us, deployment('ml/q', inRegion('us'))],
    want: ['~ml/q eu/0 a', 'ml/q us/0 a'],
    evicted: ['ml/q eu/0 rejected'],
  },
  'a draining replica is charged': {
    before: [H100, eu, deployment('ml/q', { replicas: 2 })],
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 2' }, taint('NoExecute')),
      deployment('ml/q', { replicas: 2 }),
      deployment('ml/r', { template: { tolerations: [{ operator: 'Exists' }] } }),
    ],
    want: ['~ml/q eu/0 a', '~ml/q eu/1 a'],
    evicted: ['ml/q eu/0 rejected', 'ml/q eu/1 rejected'],
  },
  'a draining replica counts again when its cluster is open again and a replica is missing': {
    before: [H100, eu, deployment('ml/q')],
    resources: [H100, eu, us, deployment('ml/q')],
    edit: (previous) => previous.map((placement) => ({ ...placement, draining: true })),
    want: ['ml/q eu/0 a'],
  },
  'a draining replica goes on draining where its deployment may have no further one': {
    before: [H100, eu, deployment('ml/q')],
    resources: [H100, eu, deployment('ml/q', { replicas: 2, spec: { placement: { maxPerCluster: 1 } } })],
    edit: (previous) => [
      { ...previous[0]!, draining: true },
      { ...previous[0]!, index: 1 },
    ],
    want: ['~ml/q eu/0 a', 'ml/q eu/1 a'],
  },
  'a draining replica goes on draining when none is missing': {
    before: [H100, eu, us, two],
    resources: [H100, eu, us, deployment('ml/q')],
    edit: (previous) => previous.map((p) => (p.cluster === 'eu' ? { ...p, draining: true } : p)),
    want: ['~ml/q eu/0 a', 'ml/q us/0 a'],
  },
  'the index of a draining replica is not given away': {
    before: [H100, eu, deployment('ml/q')],
    resources: [H100, eu, deployment('ml/q', { replicas: 1 })],
    edit: (previous) =>
      [...previous, { ...previous[0]!, index: 1 }].map((p) => (p.index === 0 ? { ...p, draining: true } : p)),
    want: ['~ml/q eu/0 a', 'ml/q eu/1 a'],
  },
};

const evicting: Record<string, Change> = {
  'the replicas of a deployment that is gone go': {
    before: [H100, eu, two],
    resources: [H100, eu],
    want: [],
    evicted: ['ml/q eu/0 deployment-gone', 'ml/q eu/1 deployment-gone'],
  },
  'a cluster that is gone is a reason to place again': {
    before: [H100, eu, deployment('ml/q')],
    resources: [H100, us, deployment('ml/q')],
    want: ['ml/q us/0 a'],
    evicted: ['ml/q eu/0 cluster-gone'],
  },
  'a pool that is removed is a reason to place again, first on the same cluster': {
    before: [H100, cluster('us', { a: 'h100 x 2' }), deployment('ml/q')],
    resources: [H100, eu, cluster('us', { b: 'h100 x 2' }), deployment('ml/q')],
    want: ['ml/q us/0 b'],
    evicted: ['ml/q us/0 pool-gone'],
  },
  'an engine of another shape is placed again, first where it was': {
    before: [H100, us, deployment('ml/q')],
    resources: [H100, eu, us, deployment('ml/q', { gpus: 4 })],
    want: ['ml/q us/0 a'],
    evicted: ['ml/q us/0 shape'],
  },
  'devices that no longer match evict': {
    before: [H100, us, deployment('ml/q')],
    resources: [
      H100,
      nodeClass('gone', device('gpu', { count: 4 })),
      eu,
      cluster('us', { a: 'gone x 2' }),
      deployment('ml/q'),
    ],
    want: ['ml/q eu/0 a'],
    evicted: ['ml/q us/0 rejected'],
  },
  'what a merge put into a full pool is evicted, the later of equal priority first': {
    before: [H100, cluster('eu', { a: 'h100 x 2' }), deployment('ml/a'), deployment('ml/b')],
    resources: [H100, cluster('eu', { a: 'h100 x 1' }), us, deployment('ml/a'), deployment('ml/b')],
    want: ['ml/a eu/0 a', 'ml/b us/0 a'],
    evicted: ['ml/b eu/0 rejected'],
  },
  'the lower priority first': {
    before: [H100, cluster('eu', { a: 'h100 x 2' }), deployment('ml/a'), deployment('ml/b', { spec: { priority: 1 } })],
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 1' }),
      us,
      deployment('ml/a'),
      deployment('ml/b', { spec: { priority: 1 } }),
    ],
    want: ['ml/a us/0 a', 'ml/b eu/0 a'],
    evicted: ['ml/a eu/0 rejected'],
  },
  'what is draining before what stays': {
    before: [H100, cluster('eu', { a: 'h100 x 2' }), deployment('ml/a'), deployment('ml/b')],
    resources: [H100, cluster('eu', { a: 'h100 x 1' }), us, deployment('ml/a'), deployment('ml/b')],
    edit: (previous) => previous.map((p) => (p.deployment === 'ml/a' ? { ...p, draining: true } : p)),
    want: ['ml/a us/0 a', 'ml/b eu/0 a'],
    evicted: ['ml/a eu/0 rejected'],
  },
};

describe('schedule from a previous state', () => {
  describe('keeps', () => void test.each(Object.entries(staying))('%s', (_, row) => checkChange(row)));
  describe('lets leave', () => void test.each(Object.entries(draining))('%s', (_, row) => checkChange(row)));
  describe('evicts', () => void test.each(Object.entries(evicting))('%s', (_, row) => checkChange(row)));
});
