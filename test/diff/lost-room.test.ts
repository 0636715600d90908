import type { Resource } from '../../src/api/kinds';
import { findLostRoom } from '../../src/diff/lost-room';
import { createFurtherRoom, explainCluster } from '../../src/scheduler/explain-deployment';
import { aClass, aMember, gpus, request } from '../api/build';
import { aModel, aSite } from '../routing/build';
import { diff, state } from './build';

const H100 = aClass('h100');
const site = (name: string, nodeCount: number, change: object = {}) =>
  aSite(name, { pools: { h100: { nodeCount } }, ...change });
const L4 = aClass('l4', { devices: [gpus(1, { architecture: 'Ada Lovelace' })] });
const MIXED = aSite('eu', { pools: { h100: { nodeCount: 2 }, l4: { nodeCount: 2, className: 'l4' } } });
const ADA = 'device.attributes["gpu.nvidia.com"].architecture == "Ada Lovelace"';
const ON_L4 = aModel('ml/l4', {
  engines: [{ name: 'main', members: [aMember({ devices: [request('gpu', 1, ADA)] })] }],
});
const PACKED = aSite('us', { pools: { h100: { nodeCount: 3, packing: 'BinPack' } } });
const DRAINED = { taints: [{ key: 'gone', effect: 'NoExecute' }] };
const wide = (replicas: number, gpus = 8) =>
  aModel('ml/wide', { replicas, engines: [{ name: 'main', members: [aMember({ gpus })] }] });
const ON_US = aModel('ml/us', {
  replicas: 1,
  on: ['us'],
  engines: [{ name: 'main', members: [aMember({ gpus: 8 })] }],
});
const small = (replicas: number, change: object = {}) => aModel('ml/small', { replicas, ...change });

const surging = (tag: string, surge: number) => {
  const containers = [{ name: 'engine', image: `vllm/vllm-openai:${tag}`, args: ['Qwen/Qwen3-8B'] }];
  const engines = [{ name: 'main', members: [aMember({ gpus: 1, template: { spec: { containers } } })] }];
  return small(1, { rollout: { surge }, engines });
};

const copied = (tag: string, min: number, max: number) => {
  const containers = [{ name: 'engine', image: `vllm/vllm-openai:${tag}`, args: ['Qwen/Qwen3-8B'] }];
  const members = [aMember({ gpus: 1, template: { spec: { containers } } })];
  const engine = { name: 'main', members, copies: { min, max }, scaling: { on: [{ queue: 4 }] } };
  return small(1, { engines: [engine] });
};

interface Case {
  readonly before: Resource[];
  readonly after: Resource[];
  readonly want: string[];
}

const cases: Record<string, Case> = {
  'a small replica that takes the last node that was sure to be free leaves room for nothing, although devices are free':
    {
      before: [site('us', 3), wide(1), small(1)],
      after: [site('us', 3), wide(1), small(2)],
      want: [
        'ModelDeployment ml/small spec.replicas: no room for another replica of ml/small, ml/wide (before: on us)',
      ],
    },
  'what still has a place on other clusters is said': {
    before: [site('us', 3), site('eu', 1, DRAINED), wide(1), small(1)],
    after: [site('us', 3), site('eu', 1), wide(1), small(2, { on: ['us'] })],
    want: [expect.stringMatching(/: no room for another replica of ml\/small \(before: on us\)$/)],
  },
  'a surge takes the room, and not the image of the replica that restarts in its place': {
    before: [site('us', 3), wide(1), surging('v0.23.0', 0)],
    after: [site('us', 3), wide(1), surging('v0.24.0', 1)],
    want: [expect.stringMatching(/^ModelDeployment ml\/small spec.rollout.surge: no room for another replica of /)],
  },
  'the most copies take the room, and not the fewest': {
    before: [site('us', 1, { monitoring: {} }), copied('v0.23.0', 1, 4)],
    after: [site('us', 1, { monitoring: {} }), copied('v0.24.0', 2, 5)],
    want: [expect.stringMatching(/^ModelDeployment ml\/small \S+copies.max: no room for another replica of /)],
  },
  'each cluster that had room is named, also one that still has room for other deployments': {
    before: [L4, MIXED, site('us', 2), wide(2), ON_L4],
    after: [L4, MIXED, site('us', 2), wide(4), ON_L4],
    want: ['ModelDeployment ml/wide spec.replicas: no room for another replica of ml/wide (before: on eu and us)'],
  },
  'a deployment without a place on any cluster is named, where others have room': {
    before: [PACKED, wide(1), small(1)],
    after: [PACKED, wide(2), small(1)],
    want: ['ModelDeployment ml/wide spec.replicas: no room for another replica of ml/wide (before: on us)'],
  },
  'a pool that shrinks takes room': {
    before: [site('us', 3), wide(1)],
    after: [site('us', 1), wide(1)],
    want: [
      expect.stringMatching(/^InferenceCluster us .*: no room for another replica of ml\/wide \(before: on us\)$/),
    ],
  },
  'a change that leaves room for each of them is not warned of': {
    before: [site('us', 4), wide(1), small(1)],
    after: [site('us', 4), wide(1), small(2)],
    want: [],
  },
  'what draining replicas take for a while is not lost': {
    before: [site('us', 2), wide(1, 4)],
    after: [site('us', 2), wide(1, 8)],
    want: [],
  },
  'a cluster that is drained is not warned of': {
    before: [site('eu', 2), site('us', 2), wide(1)],
    after: [site('eu', 2, DRAINED), site('us', 2), wide(1)],
    want: [],
  },
  'a cluster that takes no new replicas leaves those that it has without another place': {
    before: [site('us', 3), wide(1)],
    after: [site('us', 3, { taints: [{ key: 'maintenance', effect: 'NoSchedule' }] }), wide(1)],
    want: ['InferenceCluster us spec.taints.0: no room for another replica of ml/wide (before: on us)'],
  },
  'a paused cluster takes no new replicas either': {
    before: [site('us', 3), wide(1)],
    after: [site('us', 3, { paused: true }), wide(1)],
    want: [expect.stringMatching(/: no room for another replica of ml\/wide/)],
  },
  'what a closed cluster has still fits on others': {
    before: [site('eu', 3), site('us', 3), wide(1)],
    after: [site('eu', 3), site('us', 3, { taints: [{ key: 'maintenance', effect: 'NoSchedule' }] }), wide(1)],
    want: [],
  },
  'a cluster whose pool is removed is not said to be full': {
    before: [
      site('eu', 4),
      aSite('us', { pools: { h100: 1, other: { nodeCount: 1, className: 'h100' } } }),
      wide(1),
      ON_US,
    ],
    after: [site('eu', 4), site('us', 1), wide(1), ON_US],
    want: [expect.stringMatching(/: no room for another replica of ml\/us \(before: on us\)$/)],
  },
  'what to do about room is said next to replicas without a place too': {
    before: [site('us', 3), wide(1), ON_US],
    after: [site('us', 3), wide(3), ON_US],
    want: [expect.stringMatching(/: no room for another replica of ml\/us \(before: on us\)$/)],
  },
  'a cluster without room before and after is not warned of': {
    before: [site('us', 1), wide(1)],
    after: [site('us', 1), wide(2)],
    want: [],
  },
};

function compare(before: Resource[], after: Resource[]) {
  const [was, is] = [
    [H100, ...before],
    [H100, ...after],
  ] as const;
  const earlier = state('main', was);
  const later = state('here', is, earlier.decision.lock, earlier);
  return { change: diff(was, is), before: earlier.decision, after: later.decision };
}

test.each(Object.entries(cases))('%s', (_, { before, after, want }) => {
  const { change, ...states } = compare(before, after);
  const found = findLostRoom(change, { ...states, at: 'fleet' });
  expect(found.map(({ at, message }) => `${at}: ${message}`)).toEqual(want);
  const hints = found.filter(({ hint }) => hint?.includes('has the reasons. Keep the room'));
  expect(hints).toEqual(found.slice(0, 1));
});

const scaled = (max: number, change: object = {}) => {
  const members = [aMember({ gpus: 1 })];
  const engine = { name: 'main', members, copies: { min: 1, max }, scaling: { on: [{ queue: 4 }] } };
  return small(1, { engines: [engine], ...change });
};

test('of several edits that take room all are named, and none that gives some', () => {
  const { change, ...states } = compare(
    [site('us', 4, { monitoring: {} }), site('eu', 1), scaled(8, { on: ['us'] })],
    [site('us', 3, { monitoring: {} }), site('eu', 2), scaled(16, { on: ['us'] })],
  );
  const [found] = findLostRoom(change, { ...states, at: 'fleet' });
  expect([found?.at, ...(found?.alsoAt ?? [])]).toEqual([
    'InferenceCluster us spec.nodePools.0.nodeCount',
    'ModelDeployment ml/small spec.template.spec.engines.0.copies.max',
  ]);
});

test('there is room for what an explanation of the cluster has no reasons against', () => {
  const { after } = compare([], [site('us', 3), site('eu', 1), wide(1), small(3, { on: ['us'] })]);
  const room = createFurtherRoom(after, after.schedule.placements);
  for (const cluster of after.model.clusters) {
    const explained = explainCluster(after.model, after.schedule.placements, cluster).deployments;
    const open = after.model.deployments.filter((one) => room.has(one, cluster)).map(({ id }) => id);
    expect(open.sort()).toEqual(
      explained.filter(({ rejections }) => rejections.length === 0).map((one) => one.deployment),
    );
  }
});
