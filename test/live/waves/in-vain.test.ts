import type { Resource } from '../../../src/api/kinds';
import { describe as line } from '../../../src/errors';
import { assemble, type LostNodes } from '../../../src/fleet';
import type { LiveObject } from '../../../src/live/live-object';
import { wavesInVain } from '../../../src/live/waves/in-vain';
import { decide } from '../../../src/plan/decide';
import { renderCluster } from '../../../src/render/cluster';
import { recordShape } from '../../../src/scheduler/former-shape';
import { EMPTY_LOCK, type Lock } from '../../../src/scheduler/lock';
import { byPath } from '../../api/build';
import { ask, cluster, deployment, device, engine, nodeClass } from '../../scheduler/build';

interface Row {
  /** Deployments that run. */
  before?: Resource[];

  /** Deployments that are to run. */
  after?: Resource[];

  /** The pools, before and after. */
  pools?: Record<string, string>;
  later?: Record<string, string>;
  dra?: boolean;
  lost?: LostNodes[];

  /** What happens to the lock, and to what runs, in between. */
  lock?: (lock: Lock) => Lock;
  running?: (objects: readonly LiveObject[]) => readonly LiveObject[];

  /** What is told, without the beginning and the end that are the same in all rows. */
  want: string[];
}

const CLASSES = [
  nodeClass('h100', device('gpu', { extendedResource: 'nvidia.com/gpu' })),
  nodeClass('l4', device('gpu', { count: 1, memory: '23034Mi', architecture: 'Ada Lovelace' })),
];

function gang(name: string): Resource {
  return deployment(name, { engines: [engine('main', [ask('gpu', 8)], { workers: 1 })] });
}

function surging(name: string, surge: number, more = {}): Resource {
  return deployment(name, { ...more, spec: { rollout: { surge } } });
}

const US = cluster('us', { h100: 'h100 x 2' });

/** `old` is on both nodes of the pool. */
const OLD = deployment('ml/old', { replicas: 2 });
const NEW = deployment('ml/new');

const ONE_MORE =
  'ml/new (1 pod) would wait for devices of ml/old (2 pods), which goes last. It has 2 nodes, and 1 more';

const rows: Record<string, Row> = {
  'what comes to a pool that is full until others go': { before: [OLD], after: [NEW], want: [ONE_MORE] },
  'not where there is room for both': { before: [OLD], after: [NEW], pools: { h100: 'h100 x 3' }, want: [] },
  'not where devices are left on a node': {
    before: [OLD, deployment('ml/half', { gpus: 4 })],
    after: [deployment('ml/other', { gpus: 4 }), OLD],
    pools: { h100: 'h100 x 3' },
    want: [],
  },
  'not where the pool grows enough in the same change': {
    before: [OLD],
    after: [NEW],
    later: { h100: 'h100 x 3' },
    want: [],
  },
  'not where nothing changes': { before: [OLD], after: [OLD], want: [] },
  'not where nothing runs yet': { after: [OLD], want: [] },
  'not where all goes': { before: [OLD], want: [] },
  'not where some goes, and its nodes with it': {
    before: [OLD],
    after: [deployment('ml/old')],
    later: { h100: 'h100 x 1' },
    want: [],
  },
  'not where an edit replaces pods in place': {
    before: [OLD],
    after: [surging('ml/old', 0, { replicas: 2, template: { tolerations: [{ operator: 'Exists' }] } })],
    want: [],
  },
  'one that goes for another of its own deployment': {
    before: [deployment('ml/a', { replicas: 1 }), NEW],
    after: [deployment('ml/a', { replicas: 2 })],
    want: [
      'ml/a (1 pod) would wait for devices of ml/new (1 pod), which goes last. It has 2 nodes, and 1 more',
    ],
  },
  'all of them are counted': {
    before: [OLD, deployment('ml/gone', { replicas: 2 })],
    after: [NEW, deployment('ml/next', { replicas: 2 })],
    pools: { h100: 'h100 x 4' },
    want: [
      'ml/new (1 pod), ml/next (2 pods) would wait for devices of ml/gone (2 pods), ml/old (2 pods), which goes last. It has 4 nodes, and 3 more',
    ],
  },
  'what goes of another pool holds nothing here': {
    before: [OLD, deployment('ml/small', { gpus: 1 })],
    after: [OLD, deployment('ml/small', { gpus: 1 }), deployment('ml/tiny', { gpus: 1 })],
    pools: { h100: 'h100 x 2', l4: 'l4 x 2' },
    want: [],
  },
  'a replica that grows in place beside another that goes': {
    before: [deployment('ml/a', { gpus: 4 }), deployment('ml/b', { gpus: 4 })],
    after: [deployment('ml/a', { gpus: 8 })],
    pools: { h100: 'h100 x 1' },
    want: ['ml/a (1 pod) would wait for devices of ml/b (1 pod), which goes last. It has 1 node, and 1 more'],
  },
  'not one that grows on devices of its own': {
    before: [deployment('ml/a', { gpus: 4 })],
    after: [deployment('ml/a', { gpus: 8 })],
    pools: { h100: 'h100 x 1' },
    want: [],
  },
  'a surge that is new where others go': {
    before: [deployment('ml/a'), NEW],
    after: [surging('ml/a', 1)],
    want: [
      'ml/a (1 pod) would wait for devices of ml/new (1 pod), which goes last. It has 2 nodes, and 1 more',
    ],
  },
  'not a surge that was there before': {
    before: [surging('ml/a', 1), NEW],
    after: [surging('ml/a', 1)],
    pools: { h100: 'h100 x 3' },
    later: { h100: 'h100 x 2' },
    want: [],
  },
  'the surge of what goes holds nothing': {
    before: [surging('ml/a', 1)],
    after: [NEW],
    want: [],
  },
  'not a replacement beside which the old one stays': {
    before: [deployment('ml/a', { gpus: 4 })],
    after: [deployment('ml/a', { gpus: 8 })],
    want: [],
  },
  'others beside an old one that is dropped in the same change': {
    before: [deployment('ml/a', { gpus: 4 })],
    after: [deployment('ml/a', { gpus: 8 }), NEW],
    lock: (lock) => ({ ...lock, placements: [] }),
    want: [
      'ml/a (1 pod), ml/new (1 pod) would wait for devices of ml/a (1 pod), which goes last. It has 2 nodes, and 1 more',
    ],
    running: (objects) => edited(objects, '"name":"a-0-main', '"name":"b-0-main'),
  },
  'gangs, with all their pods': {
    before: [gang('ml/old')],
    after: [gang('ml/new')],
    pools: { h100: 'h100 x 3' },
    want: [
      'ml/new (2 pods) would wait for devices of ml/old (2 pods), which goes last. It has 3 nodes, and 1 more',
    ],
  },
  'devices that a plugin counts': { before: [OLD], after: [NEW], dra: false, want: [ONE_MORE] },
  'nodes that a snapshot shows as lost have no room': {
    before: [deployment('ml/old')],
    after: [NEW],
    lost: [{ cluster: 'us', pool: 'h100', nodes: 1 }],
    want: [
      'ml/new (1 pod) would wait for devices of ml/old (1 pod), which goes last. It has 1 node, and 1 more',
    ],
  },
  'pods whose devices nobody knows hold a node': {
    before: [deployment('ml/old', { gpus: 1 })],
    after: [deployment('ml/new', { gpus: 1 })],
    pools: { h100: 'h100 x 1' },
    running: (objects) => edited(objects, '"deviceClassName":"gpu.nvidia.com"', '"deviceClassName":"other"'),
    want: [
      'ml/new (1 pod) would wait for devices of ml/old (1 pod), which goes last. It has 1 node, and 1 more',
    ],
  },
  'those of another cluster of the fleet are passed over': {
    before: [OLD],
    after: [NEW],
    running: (objects) => edited(objects, '"fleetwright.dev/cluster":"us"', '"fleetwright.dev/cluster":"eu"'),
    want: [],
  },
  'those that are being deleted are passed over': {
    before: [OLD],
    after: [NEW],
    running: (objects) =>
      objects.map((one) => ({ ...one, metadata: { ...one.metadata, deletionTimestamp: 'now' } })),
    want: [],
  },
};

function edited(objects: readonly LiveObject[], from: string, to: string): LiveObject[] {
  return JSON.parse(JSON.stringify(objects).replaceAll(from, to)) as LiveObject[];
}

test.each(Object.entries(rows))('waves wait in vain: %s', (_, row) => {
  const { before = [], after = [], pools = { h100: 'h100 x 2' }, later = pools, dra = true, want } = row;
  const { lock = (same: Lock) => same, running = (same: readonly LiveObject[]) => same } = row;
  const first = [...CLASSES, cluster('us', pools, { dra }), ...before];
  const former = assemble(first).deployments.flatMap((one) => recordShape(one) ?? []);
  const was = decide(assemble(first), byPath, EMPTY_LOCK);
  const next = {
    ...assemble([...CLASSES, cluster('us', later, { dra }), ...after]),
    ...(row.lost && { lost: row.lost }),
  };
  const is = decide(next, byPath, lock(was.lock), { notes: [], warnings: [], former });
  const objects = [was, is].map(({ fleet, replicas }) =>
    renderCluster(fleet.clusters[0]!, replicas, { fleet }),
  );
  const [live = [], manifests = []] = objects;
  const site = { cluster: next.clusters[0]!, fleet: next, manifests };
  const pool = "us: waves would wait in vain in pool 'h100': ";
  expect(wavesInVain(site, running(live)).map(line)).toEqual(
    want.map((text) => expect.stringContaining(`${pool}${text} would be needed for both. Take `) as string),
  );
});

test('it is told what to do', () => {
  const [first, next] = [OLD, NEW].map((one) => {
    const { fleet, replicas } = decide(assemble([...CLASSES, US, one]), byPath, EMPTY_LOCK);
    return {
      cluster: fleet.clusters[0]!,
      fleet,
      manifests: renderCluster(fleet.clusters[0]!, replicas, { fleet }),
    };
  });
  expect(wavesInVain(next!, first!.manifests).map(line)).toEqual([
    `us: waves would wait in vain in pool 'h100': ${ONE_MORE} would be needed for both. Take ml/old (2 pods) away in one update and add the rest in the next, or switch waves off for this one.`,
  ]);
});
