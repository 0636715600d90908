import type { Resource } from '../../src/api/kinds';
import { findBlockedPods } from '../../src/diff/blocked-pods';
import type { ApplyMode } from '../../src/diff/serving-during-change';
import { describeBlocked } from '../../src/report/diff/blocked-text';
import { numberEdits } from '../../src/report/pull-request/edit-list';
import { aClass, aCluster, aDeployment, aMember, type Doc } from '../api/build';
import { change, state } from './build';

const site = (name: string, nodeCount = 2, more: Doc = {}): Resource =>
  aCluster(name, { pools: { h100: { nodeCount } }, monitoring: {}, ...more });
const model = (id: string, { gpus = 8, on = 'us', copies, ...more }: Doc = {}): Resource =>
  aDeployment(id, {
    engines: [
      {
        name: 'main',
        members: [aMember({ gpus })],
        ...(copies !== undefined && { copies, scaling: { on: [{ queue: 4 }] } }),
      },
    ],
    clusterSelector: { matchLabels: { 'fleetwright.dev/cluster': on } },
    ...more,
  });

const SITES = [aClass('h100'), site('us'), site('eu')];
const BIG = SITES.map((one, i) => (i === 0 ? one : site(i === 1 ? 'us' : 'eu', 4)));
const LOST = [aClass('h100'), site('us', 2, { taints: [{ key: 'lost', effect: 'NoExecute' }] }), site('eu')];

const NEW_FOR_OLD =
  'the new pods of ml/new wait for devices of the old pods of ml/old, which Argo CD prunes only when all new pods are ready';

interface Row {
  sites?: Resource[];
  before: Resource[];
  after: Resource[];
  later?: Resource[];
  applied?: ApplyMode;
  want: string[];
}

const rows: Record<string, Row> = {
  'a deployment that takes the devices of one that is removed': {
    before: [model('ml/old', { replicas: 2 })],
    after: [model('ml/new')],
    want: [
      `Argo CD never finishes this change: on us/h100, ${NEW_FOR_OLD} (edits 1 and 3). Make edit 3 in an earlier change, and edit 1 when these pods are gone`,
    ],
  },
  'replicas that are added in place of those of another deployment': {
    before: [model('ml/a', { replicas: 2 }), model('ml/b', { gpus: 4, replicas: 0 })],
    after: [model('ml/a', { replicas: 1 }), model('ml/b', { gpus: 4, replicas: 2 })],
    want: [expect.stringContaining('the new pods of ml/b wait for devices of the old pods of ml/a') as string],
  },
  'pods on several clusters, once': {
    before: [model('ml/old', { replicas: 2 }), model('ml/far', { replicas: 2, on: 'eu' })],
    after: [model('ml/new', { replicas: 4, clusterSelector: undefined })],
    want: [
      expect.stringContaining('on eu/h100, the new pods of ml/new wait') as string,
      expect.stringContaining('on us/h100, the new pods of ml/new wait') as string,
    ],
  },
  'the same pods on two clusters, with both pools': {
    before: [model('ml/old', { replicas: 4, clusterSelector: undefined })],
    after: [model('ml/new', { replicas: 4, clusterSelector: undefined })],
    want: [expect.stringContaining(`on eu/h100, us/h100, ${NEW_FOR_OLD}`) as string],
  },
  'none where there is room for both': {
    sites: BIG,
    before: [model('ml/old', { replicas: 2 })],
    after: [model('ml/new')],
    want: [],
  },
  'none where the same edit adds the nodes': {
    before: [model('ml/old', { replicas: 2 })],
    later: BIG,
    after: [model('ml/new')],
    want: [],
  },
  'none on a cluster that is lost': {
    before: [model('ml/old', { replicas: 2 })],
    later: LOST,
    after: [model('ml/new', { replicas: 2, on: 'eu' })],
    want: [],
  },
  'none where nothing waits for what goes': {
    before: [model('ml/old', { replicas: 2 })],
    after: [model('ml/new', { on: 'eu' })],
    want: [],
  },
  'none for copies that an autoscaler may have added': {
    before: [model('ml/old', { copies: { min: 1, max: 2 } }), model('ml/kept', { gpus: 4, replicas: 0 })],
    after: [model('ml/kept', { gpus: 4, replicas: 2 })],
    want: [],
  },
  'none with a tool that waits for nothing': {
    before: [model('ml/old', { replicas: 2 })],
    after: [model('ml/new')],
    applied: 'atOnce',
    want: [],
  },
  'none with a stack, which does not wait for new replicas': {
    before: [model('ml/old', { replicas: 2 })],
    after: [model('ml/new')],
    applied: 'withWaves',
    want: [],
  },
  'replicas of a stack that grow into the devices of others': {
    before: [model('ml/a', { gpus: 4, replicas: 2 }), model('ml/b', { gpus: 4 })],
    after: [model('ml/a', { replicas: 2 })],
    applied: 'withWaves',
    want: [
      'The Pulumi stack refuses this change: on us/h100, the new pods of ml/a wait for devices of the old pods of ml/b, which it deletes only when all new pods are ready (edits 1 and 2). Make edit 2 in an earlier change, and edit 1 when these pods are gone',
    ],
  },
};

test.each(Object.entries(rows))('waits without end: %s', (_, row) => {
  const { sites = SITES, before, after, later = sites, applied = 'perCluster', want } = row;
  const earlier = state('main', [...sites, ...before]);
  const changed = change(earlier, [...later, ...after]);
  const states = { before: earlier.decision, after: changed.later.decision, applied };
  const { cite } = numberEdits(changed.diff.declarations, () => undefined);
  const texts = findBlockedPods(changed.diff, states).map((one) =>
    Object.values(describeBlocked(one, cite)).join('. '),
  );
  expect(texts).toEqual(want);
});
