import type { Resource } from '../../src/api/kinds';
import { diffStates } from '../../src/diff/fleet-diff';
import { findLostShares } from '../../src/diff/lost-shares';
import { findServiceWarnings } from '../../src/diff/service-warnings';
import { aClass, aMember } from '../api/build';
import { aDoor, aModel, aSite, aSplit, to } from '../routing/build';
import { diff, state } from './build';
import { findings, NEWER } from './gate-fleet';

const H100 = aClass('h100');
const us = aSite('us');
const eu = aSite('eu');
const door = aDoor(['us']);
const replicas = (name: string, count: number, change: object = {}) =>
  aModel(`ml/${name}`, { replicas: count, replicaLabels: { app: name }, ...change });
const container = { name: 'engine', image: 'lmsysorg/sglang:v0.5.14', args: ['--model-path=Qwen/Qwen3-8B'] };
const OTHER = { name: 'main', members: [aMember({ gpus: 1, template: { spec: { containers: [container] } } })] };
const service = aSplit('ml/chat', [
  to({ app: 'a' }, { weight: 80 }),
  to({ app: 'b' }, { weight: 20 }),
  to({ app: 'c' }, { tier: 1 }),
]);
const three = (second: number, third: number) =>
  aSplit('ml/chat', [
    to({ app: 'a' }, { weight: 50 }),
    to({ app: 'b' }, { weight: second }),
    to({ app: 'd' }, { weight: third }),
  ]);
const weighted = (a: number, other: number) =>
  aSplit('ml/chat', [to({ app: 'a' }, { weight: a }), to({ app: 'b' }, { weight: other })]);
const forHeader = aSplit('ml/chat', [to({ app: 'a' }, { match: { headers: { 'x-canary': '1' } } }), to({ app: 'b' })]);
const monitored = aSite('us', { monitoring: {} });
const copied = (copies: { min: number; max: number }) =>
  replicas('a', 1, {
    engines: [{ name: 'main', members: [aMember({ gpus: 1 })], copies, scaling: { on: [{ queue: 4 }] } }],
  });
const b = replicas('b', 2, { on: ['us'] });
const c = replicas('c', 1, { on: ['us'] });

interface Case {
  readonly before: Resource[];
  readonly after: Resource[];
  readonly shares?: string[];
  readonly fewer?: string[];

  /** What the gate says of the first deployment without a serving replica. */
  readonly effects?: string[];
}

const cases: Record<string, Case> = {
  'requests to a cluster that goes with its replicas go to the other targets, with their number': {
    before: [us, eu, replicas('a', 2), b, service],
    after: [us, replicas('a', 1), b, service],
    shares: [
      'ml/chat: 40 % of the requests lose their replicas (ml/a on eu) with the change; they go to ml/a on us, ml/b on us (3 replicas)',
    ],
    fewer: ['ml/chat: ml/a gets 80 % of the requests with 1 replica instead of 2: each gets 2 times as many'],
  },
  'a replica that moves with downtime leaves its share to the other targets': {
    before: [us, eu, replicas('a', 1, { on: ['eu'] }), b, service],
    after: [us, replicas('a', 1), b, service],
    shares: [
      'ml/chat: 80 % of the requests lose their replicas (ml/a on eu) with the change; they go to ml/b on us (2 replicas)',
    ],
  },
  'a deployment whose only replica restarts leaves its share to the other targets': {
    before: [us, replicas('a', 1), b, service],
    after: [us, replicas('a', 1, { engines: [NEWER] }), b, service],
    shares: [
      'ml/chat: 80 % of the requests lose their replicas (ml/a on us) with the change; they go to ml/b on us (2 replicas)',
    ],
    effects: [
      'During the rollout, other targets get its 80 % of the requests for the service ml/chat: ml/b on us (2 replicas), 5 times what it gets today, and what it cannot take gets 429',
    ],
  },
  'the share of a deployment that restarts while another one moves with downtime is that of both': {
    before: [us, eu, replicas('a', 1, { on: ['us'] }), replicas('d', 1, { on: ['eu'] }), b, three(25, 25)],
    after: [us, replicas('a', 1, { on: ['us'], engines: [NEWER] }), replicas('d', 1), b, three(25, 25)],
    shares: [
      'ml/chat: 75 % of the requests lose their replicas (ml/a on us, ml/d on eu) with the change; they go to ml/b on us (2 replicas)',
    ],
    effects: [
      'During the rollout, other targets get its 75 % of the requests for the service ml/chat: ml/b on us (2 replicas), 4 times what it gets today, and what it cannot take gets 429',
    ],
  },
  'members of one deployment are named together': {
    before: [us, eu, replicas('a', 1, { on: ['us'] }), replicas('b', 2), service],
    after: [us, eu, replicas('a', 1, { on: ['us'], engines: [NEWER] }), replicas('b', 2), service],
    shares: [
      'ml/chat: 80 % of the requests lose their replicas (ml/a on us) with the change; they go to ml/b on eu and us (2 replicas)',
    ],
    effects: [
      'During the rollout, other targets get its 80 % of the requests for the service ml/chat: ml/b on eu and us (2 replicas), 5 times what it gets today, and what it cannot take gets 429',
    ],
  },
  'requests with a header are a part of their own': {
    before: [us, replicas('a', 1), b, forHeader],
    after: [us, replicas('a', 1, { engines: [NEWER] }), b, forHeader],
    shares: [
      'ml/chat: 100 % of the requests with x-canary: 1 lose their replicas (ml/a on us) with the change; no other target gets them: they fail',
    ],
    effects: ['all requests for the service ml/chat with x-canary: 1 fail'],
  },
  'members that restart in the same change are counted': {
    before: [us, eu, replicas('a', 1, { on: ['eu'] }), b, service],
    after: [us, replicas('a', 1, { on: ['us'] }), replicas('b', 2, { on: ['us'], engines: [NEWER] }), service],
    shares: [
      'ml/chat: 80 % of the requests lose their replicas (ml/a on eu) with the change; they go to ml/b on us (2 replicas, of which 1 restarts at a time)',
    ],
  },
  'members of which a replica goes with the change are counted': {
    before: [us, eu, replicas('a', 1, { on: ['eu'] }), b, service],
    after: [us, replicas('a', 1, { on: ['us'] }), replicas('b', 1, { on: ['us'] }), service],
    shares: [
      'ml/chat: 80 % of the requests lose their replicas (ml/a on eu) with the change; they go to ml/b on us (2 replicas, of which 1 goes with it)',
    ],
    fewer: ['ml/chat: ml/b gets 20 % of the requests with 1 replica instead of 2: each gets 2 times as many'],
  },
  'requests without another target of tier 0 go to tier 1': {
    before: [us, replicas('a', 1), c, service],
    after: [us, replicas('a', 1, { engines: [NEWER] }), c, service],
    shares: [
      'ml/chat: 100 % of the requests lose their replicas (ml/a on us) with the change; they go to ml/c on us (tier 1)',
    ],
    effects: ['all requests for the service ml/chat go to tier 1, ml/c on us during the rollout'],
  },
  'requests without another target fail': {
    before: [us, replicas('a', 1), service],
    after: [us, replicas('a', 1, { engines: [NEWER] }), service],
    shares: [
      'ml/chat: 100 % of the requests lose their replicas (ml/a on us) with the change; no other target gets them: they fail',
    ],
    effects: ['all requests for the service ml/chat fail'],
  },
  'replicas that restart one after the other take no share away': {
    before: [us, eu, replicas('a', 2), b, service],
    after: [us, eu, replicas('a', 2, { engines: [NEWER] }), b, service],
  },
  'a replica that gets 1.5 times what any replica gets today is a warning': {
    before: [us, replicas('a', 3), replicas('b', 1, { on: ['us'] }), weighted(95, 5)],
    after: [us, replicas('a', 3), replicas('b', 1, { on: ['us'] }), weighted(50, 50)],
    fewer: [
      'ml/chat: ml/b gets 50 % of the requests with 1 replica: 1.6 times what a replica of ml/a gets today (31.7 %)',
    ],
  },
  'several replicas that each get 1.5 times what any replica gets today are a warning': {
    before: [us, eu, replicas('a', 6), b, weighted(95, 5)],
    after: [us, eu, replicas('a', 6), b, weighted(50, 50)],
    fewer: [
      'ml/chat: ml/b gets 50 % of the requests with 2 replicas: each gets 1.6 times what a replica of ml/a gets today (15.8 %)',
    ],
  },
  'a replica that gets less than 1.5 times what any replica gets today is none': {
    before: [us, replicas('a', 3), replicas('b', 1, { on: ['us'] }), weighted(95, 5)],
    after: [us, replicas('a', 3), replicas('b', 1, { on: ['us'] }), weighted(55, 45)],
  },
  'a replica of another engine shows half of its load: what gets more than that, and than today, is a warning': {
    before: [us, replicas('a', 1), replicas('b', 1, { on: ['us'], engines: [OTHER] }), weighted(80, 20)],
    after: [us, replicas('a', 1), replicas('b', 1, { on: ['us'], engines: [OTHER] }), weighted(35, 65)],
    fewer: ['ml/chat: ml/b gets 65 % of the requests with 1 replica: 3.3 times as many as today (20 %)'],
  },
  'what gets less than that is none, such as the first steps of a new engine': {
    before: [us, replicas('a', 1), replicas('b', 1, { on: ['us'], engines: [OTHER] }), weighted(95, 5)],
    after: [us, replicas('a', 1), replicas('b', 1, { on: ['us'], engines: [OTHER] }), weighted(80, 20)],
  },
  'nor is a step of the same engine of another version': {
    before: [us, replicas('a', 1), replicas('b', 1, { on: ['us'], engines: [NEWER] }), weighted(80, 20)],
    after: [us, replicas('a', 1), replicas('b', 1, { on: ['us'], engines: [NEWER] }), weighted(35, 65)],
  },
  'a replica whose share stays is the measure for others too': {
    before: [us, replicas('a', 1), b, replicas('d', 2, { on: ['us'] }), three(25, 25)],
    after: [us, replicas('a', 1), b, replicas('d', 2, { on: ['us'] }), three(40, 10)],
  },
  'a rise has one decimal': {
    before: [us, replicas('a', 3), b, service],
    after: [us, replicas('a', 2), b, service],
    fewer: ['ml/chat: ml/a gets 80 % of the requests with 2 replicas instead of 3: each gets 1.5 times as many'],
  },
  'one replica less of many is no great rise for the others': {
    before: [us, replicas('a', 4), b, service],
    after: [us, replicas('a', 3), b, service],
  },
  'fewer replicas whose autoscaler can add as many copies as go are no warning': {
    before: [monitored, replicas('a', 4), b, service],
    after: [monitored, copied({ min: 1, max: 4 }), b, service],
  },
  'fewer replicas that have fewer copies however many an autoscaler adds are a warning': {
    before: [monitored, replicas('a', 4), b, service],
    after: [monitored, copied({ min: 1, max: 3 }), b, service],
    fewer: ['ml/chat: ml/a gets 80 % of the requests with 1 replica instead of 4: each gets 4 times as many'],
  },
  'a share that goes with its replicas is no rise for the others': {
    before: [us, replicas('a', 2), b, service],
    after: [
      us,
      replicas('a', 1),
      b,
      aSplit('ml/chat', [to({ app: 'a' }, { weight: 10 }), to({ app: 'b' }, { weight: 90 })]),
    ],
    fewer: ['ml/chat: ml/b gets 90 % of the requests with 2 replicas; until now ml/a got 80 % with 2 replicas'],
  },
};

test.each(Object.entries(cases))('%s', (_, { before, after, shares = [], fewer = [] }) => {
  const common = [H100, door];
  const earlier = state('main', [...common, ...before]);
  const later = state('here', [...common, ...after], earlier.decision.lock, earlier);
  const change = diff([...common, ...before], [...common, ...after]);
  const context = { before: earlier.decision, after: later.decision, at: 'fleet' };
  expect(findLostShares(change, context).map(({ message }) => message)).toEqual(shares);
  const found = findServiceWarnings(change, context).filter(({ code }) => code === 'fewer-replicas');
  expect(found.map(({ code, message }) => [code, message])).toEqual(fewer.map((text) => ['fewer-replicas', text]));
});

test.each<[string, { b: number; split: Resource; want: string[] }]>([
  ['no loss of a replica', { b: 2, split: service, want: [] }],
  [
    'no reason to keep silent about a step to another deployment',
    {
      b: 2,
      split: weighted(10, 90),
      want: ['ml/chat: ml/b gets 90 % of the requests with 2 replicas; until now ml/a got 80 % with 3 replicas'],
    },
  ],
  [
    'no reason to keep silent about more than a replica that stays can get',
    {
      b: 1,
      split: weighted(35, 65),
      want: [
        'ml/chat: ml/b gets 65 % of the requests with 1 replica: 1.6 times what a replica of ml/a gets without the draining ones (40.0 %)',
      ],
    },
  ],
])('to finalize a draining replica is %s', (_, { b: count, split, want }) => {
  const drained = aSite('eu', { taints: [{ key: 'gone', effect: 'NoExecute' }] });
  const common = [H100, door, us, replicas('a', 2), replicas('b', count, { on: ['us'] })];
  const earlier = state('main', [...common, eu, service]);
  const draining = state('main', [...common, drained, service], earlier.decision.lock, earlier);
  const { lock } = draining.decision;
  const placements = lock.placements.filter((one) => !one.draining);
  expect(placements).toHaveLength(lock.placements.length - 1);
  const finalized = state('here', [...common, drained, split], { ...lock, placements }, draining);
  const change = diffStates(draining, finalized, draining.decision);
  const context = { before: draining.decision, after: finalized.decision, at: 'fleet' };
  const found = findServiceWarnings(change, context).filter(({ code }) => code === 'fewer-replicas');
  expect(found.map(({ message }) => message)).toEqual(want);
});

const recreated = (name: string, count: number, change: object = {}) =>
  replicas(name, count, { rollout: { strategy: 'Recreate' }, ...change });

test.each<[string, Resource[], string]>([
  [
    'where another target gets the requests',
    [b],
    "Check their load: 'rollout: Recreate' of ml/a accepts that the replicas stop",
  ],
  ['where the requests fail', [], "'rollout: Recreate' of ml/a accepts that; tell clients when"],
])('a lost share that Recreate accepts is no reason to let new replicas serve first, %s', (_, others, advice) => {
  const all = [H100, door, us, ...others, service];
  const [before, after] = [
    [...all, recreated('a', 1)],
    [...all, recreated('a', 1, { engines: [NEWER] })],
  ];
  const earlier = state('main', before);
  const later = state('here', after, earlier.decision.lock, earlier);
  const context = { before: earlier.decision, after: later.decision, at: 'fleet' };
  const [found] = findLostShares(diff(before, after), context);
  expect(found?.message).toContain('lose their replicas');
  expect(found?.hint).toContain(advice);
  expect(found?.hint).not.toContain('serve first');
});

const outages = Object.entries(cases).flatMap(([row, { effects, ...states }]) => {
  return effects ? [{ row, effects, ...states }] : [];
});

test.each(outages)('the gate says of an outage: $row', ({ before, after, effects }) => {
  const common = [H100, door];
  const [first = ''] = findings([...common, ...before], [...common, ...after]);
  const [, effect] = first.split('. ');
  expect([effect]).toEqual(effects.map((text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`));
});
