import { formatDiagnostic } from '../../../src/base/diagnostic';
import { assemble } from '../../../src/fleet/fleet';
import { findWaveDeadlocks } from '../../../src/live/waves/wave-deadlocks';
import { decide } from '../../../src/plan/decide';
import type { LiveObject } from '../../../src/manifest/kubernetes/live-object';
import { renderCluster } from '../../../src/render/cluster';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { byPath } from '../../api/build';
import { ask, deployment, engine } from '../../scheduler/build';
import { check, CLASSES, edited, gang, NEW, OLD, ONE_MORE, type Row, US } from './build';

const SCALED = deployment('ml/scaled', { engines: [engine('main', [ask('gpu', 8)], { copies: { min: 1, max: 2 } })] });

function withCopies(objects: readonly LiveObject[], replicas: number): LiveObject[] {
  return objects.map((one) => {
    const isScaled = one.kind === 'Deployment' && one.metadata.name.startsWith('scaled');
    return isScaled ? { ...one, spec: { ...(one['spec'] as object), replicas } } : one;
  });
}

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
  'all of them are counted': {
    before: [OLD, deployment('ml/gone', { replicas: 2 })],
    after: [NEW, deployment('ml/next', { replicas: 2 })],
    pools: { h100: 'h100 x 4' },
    want: [
      'ml/new (1 pod), ml/next (2 pods) would wait for devices of ml/gone (2 pods), ml/old (2 pods), which is removed last. It has 4 nodes, and both need 3 more',
    ],
  },
  'copies that an autoscaler has added are counted': {
    before: [OLD, SCALED],
    after: [NEW, SCALED],
    pools: { h100: 'h100 x 4' },
    running: (objects) => withCopies(objects, 2),
    want: [
      'ml/new (1 pod) would wait for devices of ml/old (2 pods), which is removed last. It has 4 nodes, and both need 1 more',
    ],
  },
  'copies that an autoscaler could add are not waited for': {
    before: [OLD, SCALED],
    after: [NEW, SCALED],
    pools: { h100: 'h100 x 4' },
    running: (objects) => withCopies(objects, 1),
    want: [],
  },
  'what goes of another pool holds nothing here': {
    before: [OLD, deployment('ml/small', { gpus: 1 })],
    after: [OLD, deployment('ml/small', { gpus: 1 }), deployment('ml/tiny', { gpus: 1 })],
    pools: { h100: 'h100 x 2', l4: 'l4 x 2' },
    want: [],
  },
  'gangs, with all their pods': {
    before: [gang('ml/old')],
    after: [gang('ml/new')],
    pools: { h100: 'h100 x 3' },
    want: [
      'ml/new (2 pods) would wait for devices of ml/old (2 pods), which is removed last. It has 3 nodes, and both need 1 more',
    ],
  },
  'devices that a plugin counts': { before: [OLD], after: [NEW], dra: false, want: [ONE_MORE] },
  'nodes that a snapshot shows as lost have no room': {
    before: [deployment('ml/old')],
    after: [NEW],
    lost: [{ cluster: 'us', pool: 'h100', nodes: 1 }],
    want: [
      'ml/new (1 pod) would wait for devices of ml/old (1 pod), which is removed last. It has 1 node, and both need 1 more',
    ],
  },
  'pods whose devices no one knows hold a node': {
    before: [deployment('ml/old', { gpus: 1 })],
    after: [deployment('ml/new', { gpus: 1 })],
    pools: { h100: 'h100 x 1' },
    running: (objects) => edited(objects, '"deviceClassName":"gpu.nvidia.com"', '"deviceClassName":"other"'),
    want: [
      'ml/new (1 pod) would wait for devices of ml/old (1 pod), which is removed last. It has 1 node, and both need 1 more',
    ],
  },
  'and pods whose selectors no one can read': {
    before: [deployment('ml/old', { gpus: 1 })],
    after: [deployment('ml/new', { gpus: 1 })],
    pools: { h100: 'h100 x 1' },
    running: (objects) => edited(objects, '"expression":"', '"expression":"? '),
    want: [
      'ml/new (1 pod) would wait for devices of ml/old (1 pod), which is removed last. It has 1 node, and both need 1 more',
    ],
  },
  'not where nodes are lost, and nothing goes': {
    before: [OLD],
    after: [OLD],
    running: () => [],
    lost: [{ cluster: 'us', pool: 'h100', nodes: 1 }],
    want: [],
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
    running: (objects) => objects.map((one) => ({ ...one, metadata: { ...one.metadata, deletionTimestamp: 'now' } })),
    want: [],
  },
};

test.each(Object.entries(rows))('waves wait without effect: %s', (_, row) => check(row));

test('it is reported what to do', () => {
  const [first, next] = [OLD, NEW].map((one) => {
    const { fleet, replicas } = decide(assemble([...CLASSES, US, one]), byPath, EMPTY_LOCK);
    return {
      cluster: fleet.clusters[0]!,
      fleet,
      manifests: renderCluster(fleet.clusters[0]!, replicas, { fleet }),
    };
  });
  expect(findWaveDeadlocks(next!, first!.manifests).map(formatDiagnostic)).toEqual([
    `us: waves would block in pool 'h100': ${ONE_MORE}. Remove ml/old (2 pods) in one update and add the rest in the next, or turn waves off for this update.`,
  ]);
});
