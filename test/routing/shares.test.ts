import type { Resource } from '../../src/api/kinds';
import { aGrant, anEndpoint } from '../api/build';
import { aDoor, aModel, anAdapter, aSite, aSplit, routed, sharesOf, to, withAdapters } from './build';

interface Case {
  resources: Resource[];
  want: string[][];
}

const east = aSite('east');
const west = aSite('west');
const door = aDoor(['east']);
const llama = aModel('ml/llama', { replicas: 3, replicaLabels: { app: 'chat' } });

const cases: Record<string, Case> = {
  'an entry is spread over clusters by the replicas that each holds': {
    resources: [east, west, door, llama, aSplit('ml/chat', [to({ app: 'chat' })])],
    want: [['0 2 0.llama.chat.ml.east', '0 1 0.llama.chat.ml.west']],
  },
  'entries share by weight, and the first that selects a replica has it': {
    resources: [
      east,
      west,
      door,
      llama,
      aSplit('ml/chat', [
        to({ 'fleetwright.dev/cluster': 'west' }, { weight: 20 }),
        to({ app: 'chat' }, { weight: 80 }),
      ]),
    ],
    want: [['0 4 0.llama.chat.ml.east', '0 1 0.llama.chat.ml.west']],
  },
  'labels of the alias group mean ours': {
    resources: [
      east,
      west,
      door,
      llama,
      aSplit('ml/chat', [to({ 'modelplane.ai/deployment': 'llama', 'modelplane.ai/cluster': 'west' })]),
    ],
    want: [['0 1 0.llama.chat.ml.west']],
  },
  'one of several replicas on a cluster stands for itself, and so do the others': {
    resources: [
      east,
      west,
      door,
      llama,
      aSplit('ml/chat', [
        to({ 'fleetwright.dev/cluster': 'east', 'fleetwright.dev/replica-index': '1' }),
        to({ app: 'chat' }, { weight: 3 }),
      ]),
    ],
    want: [['0 3 0.llama.chat.ml.west', '0 3 r0.0.llama.chat.ml.east', '0 2 r1.0.llama.chat.ml.east']],
  },
  'two deployments on one cluster are members of their own': {
    resources: [
      east,
      door,
      aModel('ml/a', { replicaLabels: { app: 'chat' } }),
      aModel('ml/b', { replicaLabels: { app: 'chat' } }),
      aSplit('ml/chat', [to({ app: 'chat' })]),
    ],
    want: [['0 1 0.a.chat.ml.east', '0 1 0.b.chat.ml.east']],
  },
  'weights of a tier are its own': {
    resources: [
      east,
      west,
      door,
      llama,
      anEndpoint('ml/saas', { labels: { app: 'saas' } }),
      aSplit('ml/chat', [to({ app: 'chat' }), to({ app: 'saas' }, { tier: 1, weight: 7 })]),
    ],
    want: [['0 2 0.llama.chat.ml.east', '0 1 0.llama.chat.ml.west', '1 1 1.saas.chat.ml.egress']],
  },
  'a canary by header has a rule of its own before the rest, and may share replicas with it': {
    resources: [
      east,
      door,
      aModel('ml/a', { replicaLabels: { app: 'chat' } }),
      aModel('ml/b', { replicaLabels: { app: 'canary' } }),
      aSplit('ml/chat', [
        to({ app: 'chat' }, { weight: 9 }),
        to({ app: 'canary' }),
        to({ app: 'canary' }, { match: { headers: { 'X-Canary': '1' } } }),
      ]),
    ],
    want: [['0 1 0.b.chat.ml.east'], ['0 9 0.a.chat.ml.east', '0 1 0.b.chat.ml.east']],
  },
  'narrower matches stand first': {
    resources: [
      east,
      door,
      aModel('ml/a', { replicaLabels: { app: 'a' } }),
      aModel('ml/b', { replicaLabels: { app: 'b' } }),
      aSplit('ml/chat', [
        to({ app: 'a' }, { match: { headers: { x: '1' } } }),
        to({ app: 'b' }, { match: { headers: { x: '1', y: '2' } } }),
      ]),
    ],
    want: [['0 1 0.b.chat.ml.east'], ['0 1 0.a.chat.ml.east']],
  },
  'a canary that nothing serves leaves its requests to the rest': {
    resources: [
      east,
      door,
      aModel('ml/a', { replicaLabels: { app: 'a' } }),
      aModel('ml/b', { replicaLabels: { app: 'b' }, replicas: 0 }),
      aSplit('ml/chat', [to({ app: 'a' }), to({ app: 'b' }, { match: { headers: { x: '1' } } })]),
    ],
    want: [['0 1 0.a.chat.ml.east']],
  },
  'replicas on a cluster without a gateway are in no rotation': {
    resources: [east, aSite('west', { gateway: 'None' }), door, llama, aSplit('ml/chat', [to({ app: 'chat' })])],
    want: [['0 1 0.llama.chat.ml.east']],
  },
  'another namespace takes a grant': {
    resources: [
      east,
      door,
      aGrant('ml/web', 'web', { kind: 'ModelDeployment', matchLabels: { app: 'chat' } }),
      aModel('ml/a', { replicaLabels: { app: 'chat', tier: 'x' } }),
      aModel('ml/b', { replicaLabels: { tier: 'x' } }),
      aModel('other/c', { replicaLabels: { app: 'chat', tier: 'x' } }),
      aSplit('web/chat', [to({ tier: 'x' })]),
    ],
    want: [['0 1 0.a.ml.chat.web.east']],
  },
  'equal names in two namespaces are two deployments': {
    resources: [
      east,
      door,
      aGrant('other/ml', 'ml', { kind: 'ModelDeployment' }),
      aModel('ml/a', { replicaLabels: { app: 'chat' } }),
      aModel('other/a', { replicaLabels: { app: 'chat' } }),
      aSplit('ml/chat', [to({ app: 'chat' })]),
    ],
    want: [['0 1 0.a.chat.ml.east', '0 1 0.a.other.chat.ml.east']],
  },
  'an adapter that only some have gets a rule with those': {
    resources: [
      east,
      door,
      aModel('ml/a', { replicaLabels: { app: 'chat' }, ...withAdapters('sql', 'law') }),
      aModel('ml/b', { replicaLabels: { app: 'chat' }, ...withAdapters('law') }),
      ...['sql', 'law'].map(anAdapter),
      aSplit('ml/chat', [to({ app: 'chat' })]),
    ],
    want: [['0 1 0.a.chat.ml.east'], ['0 1 0.a.chat.ml.east', '0 1 0.b.chat.ml.east']],
  },
};

describe('requests to a service', () => {
  test.each(Object.entries(cases))('%s', (_, { resources, want }) => {
    const [service] = routed(...resources).services;
    expect(service && sharesOf(service)).toEqual(want);
    expect(routed(...resources.toReversed())).toEqual(routed(...resources));
  });
});
