import type { Resource } from '../../src/api/kinds';
import { findDrains } from '../../src/plan/drains';
import { formatDrain } from '../../src/report/plan/drain-text';
import { PodMatcher } from '../../src/scheduler/devices/match-pod';
import { cluster, deployment, modelOf, nodeClass, run } from '../scheduler/build';

const H100 = nodeClass('h100');
const nodes = (count: number) => ({ a: `h100 x ${count}` });
const taint = (effect: string) => ({ taints: [{ key: 'drain', effect }] });
const drained = (name: string, options = {}) => cluster(name, nodes(9), { ...taint('NoExecute'), ...options });
const lost = (name: string) => cluster(name, nodes(9), { taints: [{ key: 'lost', effect: 'NoExecute' }] });
const q = (replicas: number, options = {}) => deployment('ml/q', { replicas, ...options });
const tolerant = deployment('ml/t', { template: { tolerations: [{ operator: 'Exists' }] } });

const cases: Record<string, { before: Resource[]; resources: Resource[]; want: string[] }> = {
  'a drain can finish when every replica has its replacement': {
    before: [H100, cluster('eu', nodes(9)), q(2)],
    resources: [H100, drained('eu'), cluster('us', nodes(2)), q(2)],
    want: ['drain of eu: can finish, because its 2 replicas have a replacement'],
  },
  'it cannot where the others have no room': {
    before: [H100, cluster('eu', nodes(9)), q(3)],
    resources: [H100, drained('eu'), cluster('us', nodes(1)), q(3)],
    want: [
      'drain of eu: cannot finish, 2 of 3 replicas cannot move: ml/q eu/1 has no replacement; ml/q eu/2 has no replacement',
    ],
  },
  'of two clusters each is reported, and no replica that is missing twice': {
    before: [H100, cluster('eu', nodes(9)), cluster('us', nodes(9)), q(2)],
    resources: [H100, drained('eu'), drained('us'), cluster('zz', nodes(1)), q(2)],
    want: [
      'drain of eu: can finish, because its 1 replica has a replacement',
      'drain of us: cannot finish, 1 of 1 replica cannot move: ml/q us/0 has no replacement',
    ],
  },
  'it cannot where a deployment is paused': {
    before: [H100, cluster('eu', nodes(9)), q(1)],
    resources: [H100, drained('eu'), cluster('us', nodes(9)), q(1, { spec: { paused: true } })],
    want: ['drain of eu: cannot finish, 1 of 1 replica cannot move: ml/q eu/0 is paused'],
  },
  'nor where the cluster itself is': {
    before: [H100, cluster('eu', nodes(9)), q(1)],
    resources: [H100, drained('eu', { paused: true }), cluster('us', nodes(9)), q(1)],
    want: ['drain of eu: cannot finish, 1 of 1 replica cannot move: ml/q eu/0 is paused'],
  },
  'many are counted': {
    before: [H100, cluster('eu', nodes(9)), q(9)],
    resources: [H100, drained('eu'), q(9)],
    want: [
      `drain of eu: cannot finish, 9 of 9 replicas cannot move: ${[0, 1, 2, 3, 4, 5, 6, 7].map((i) => `ml/q eu/${i} has no replacement; `).join('')}1 more`,
    ],
  },
  'a taint that all replicas tolerate drains nothing': {
    before: [H100, cluster('eu', nodes(9)), tolerant],
    resources: [H100, drained('eu'), tolerant],
    want: [],
  },
  'nor does one that only keeps new ones away': {
    before: [H100, cluster('eu', nodes(9)), q(1)],
    resources: [H100, cluster('eu', nodes(9), taint('NoSchedule')), q(1)],
    want: [],
  },
  'what tolerates it, but drains for another reason, is not said to stay': {
    before: [H100, cluster('eu', nodes(9)), tolerant, q(1)],
    resources: [
      H100,
      drained('eu'),
      cluster('us', nodes(2), { labels: { zone: 'z' } }),
      deployment('ml/t', {
        template: { tolerations: [{ operator: 'Exists' }], clusterSelector: { matchLabels: { zone: 'z' } } },
      }),
      q(1),
    ],
    want: ['drain of eu: can finish, because its 1 replica has a replacement'],
  },
  'of a lost cluster, the replicas are named that have no place elsewhere': {
    before: [H100, cluster('eu', nodes(9)), q(2)],
    resources: [H100, lost('eu'), cluster('us', nodes(1)), q(2)],
    want: ['eu is lost: 1 replica does not serve, and has no place elsewhere: ml/q eu/1'],
  },
  'one without such replicas is not mentioned': {
    before: [H100, cluster('eu', nodes(9)), q(2)],
    resources: [H100, lost('eu'), cluster('us', nodes(2)), q(2)],
    want: [],
  },
  'one with replicas of a paused deployment says so, whatever they tolerate': {
    before: [H100, cluster('eu', nodes(9)), q(1), tolerant],
    resources: [H100, lost('eu'), cluster('us', nodes(9)), q(1, { spec: { paused: true } }), tolerant],
    want: ['eu is lost: 1 replica does not serve, and has no place elsewhere: ml/q eu/0 is paused'],
  },
  'what tolerates the taint is said to stay next to what leaves': {
    before: [H100, cluster('eu', nodes(9)), tolerant, q(1)],
    resources: [H100, drained('eu'), cluster('us', nodes(2)), tolerant, q(1)],
    want: ['drain of eu: can finish, because its 1 replica has a replacement; ml/t tolerates the taint and stays'],
  },
};

test.each(Object.entries(cases))('%s', (_, { before, resources, want }) => {
  const previous = run(before).placements;
  const first = run(resources, previous);
  const model = modelOf(...resources);
  const described = (schedule: typeof first) => findDrains(model, schedule, new PodMatcher()).map(formatDrain);
  expect(described(first)).toEqual(want);
  expect(described(run(resources, first.placements))).toEqual(want);
});
