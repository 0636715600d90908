import type { Resource } from '../../src/api/kinds';
import { formatRouteChanges } from '../../src/report/diff/route-changes-text';
import { terminalLines } from '../../src/report/document/write-terminal';
import { aMember, parsed } from '../api/build';
import { aDoor, aModel, aSite, aSplit, H100, to } from '../routing/build';
import { diff } from './build';

const us = aSite('us');
const eu = aSite('eu');
const door = aDoor(['us'], { hostname: 'models.example.com', tls: { issuer: { name: 'acme' } } });

/** Replicas of a deployment on one cluster, with the label of its track. */
const model = (track: string, replicas: number, on = 'us'): Resource =>
  aModel(`ml/${track}`, { replicas, on: [on], replicaLabels: { track } });
const service = (...weights: number[]): Resource =>
  aSplit(
    'ml/chat',
    weights.map((weight, i) => to({ track: ['stable', 'next'][i] ?? '' }, { weight })),
  );
const fleet = (...more: Resource[]): Resource[] => [H100, us, eu, door, ...more];

/** The lines about routes. */
function lines(before: Resource[], after: Resource[]): string[] {
  return terminalLines(formatRouteChanges(diff(before, after).routes)).map((line) => line.trim());
}

/** A replica that takes a node, on one of two clusters, behind a service with a timeout. */
const movable = (nodeCount: number, request: string): Resource[] => [
  H100,
  aSite('us', { pools: { h100: nodeCount } }),
  aSite('ap', { pools: { h100: 1 } }),
  door,
  aModel('ml/stable', {
    replicas: 1,
    replicaLabels: { track: 'stable' },
    engines: [{ name: 'main', members: [aMember({ gpus: 8 })] }],
  }),
  aSplit('ml/chat', [to({ track: 'stable' })], { timeouts: { request } }),
];

const both = [model('stable', 2), model('next', 1)];

const cases: Record<string, { before: Resource[]; after: Resource[]; want: string[] }> = {
  'nothing, where nothing changed': {
    before: fleet(...both, service(9, 1)),
    after: fleet(...both, service(9, 1)),
    want: [],
  },
  'nothing, where weights mean the same': {
    before: fleet(...both, service(1, 1)),
    after: fleet(...both, service(7, 7)),
    want: [],
  },
  'shares move from one deployment to another': {
    before: fleet(...both, service(9, 1)),
    after: fleet(...both, service(1, 1)),
    want: [
      '~ routes of ml/chat   https://models.example.com/ml/chat/; because ModelService ml/chat endpoints[0].weight: 9 -> 1 (ModelService ml/chat spec.endpoints.0.weight)',
      '~ ml/next on us: 10 % -> 50 %',
      '~ ml/stable on us: 90 % -> 50 %',
    ],
  },
  'a service that is new': {
    before: fleet(...both),
    after: fleet(...both, service(1)),
    want: [
      '+ routes of ml/chat   https://models.example.com/ml/chat/, without authentication; because ModelService ml/chat is new (ModelService ml/chat )',
      '+ ml/stable on us: 100 %, 2 replicas',
      '+ cluster gateway on us',
      '+ ingress gateway default on us',
    ],
  },
  'a service that is gone': {
    before: fleet(...both, service(1)),
    after: fleet(...both),
    want: [
      '- routes of ml/chat   https://models.example.com/ml/chat/; because ModelService ml/chat is gone (ModelService ml/chat )',
      '- ml/stable on us: was 100 %, 2 replicas',
      '- cluster gateway on us',
      '- ingress gateway default on us',
    ],
  },
  'replicas that move take their share with them': {
    before: fleet(model('stable', 2, 'eu'), service(1)),
    after: [H100, us, aSite('ap'), door, model('stable', 2, 'ap'), service(1)],
    want: [
      expect.stringMatching(
        /InferenceCluster eu is gone .* ModelDeployment ml\/stable clusterSelector\.matchExpressions/,
      ),
      '~ ml/stable: on other clusters',
      '+ on ap: 100 %, 2 replicas',
      '- on eu: was 100 %, 2 replicas',
      '+ cluster gateway on ap; because InferenceCluster ap is new (InferenceCluster ap )',
      '- cluster gateway on eu; because InferenceCluster eu is gone (InferenceCluster eu )',
    ],
  },
  'replicas that serve until others do share with them': {
    before: fleet(model('stable', 2), service(1)),
    after: fleet(model('stable', 2, 'eu'), service(1)),
    want: [
      expect.stringMatching(/; because ModelDeployment ml\/stable clusterSelector\.matchExpressions\[0\]\.values/),
      '~ ml/stable: 100 %, 2 -> 4 replicas',
      '+ on eu: 50 %, 2 replicas',
      '~ on us: 100 % -> 50 %',
      '+ cluster gateway on eu; because ModelDeployment ml/stable clusterSelector.matchExpressions[0].values: -us +eu (ModelDeployment ml/stable spec.template.spec.clusterSelector.matchExpressions.0.values)',
    ],
  },
  'the edit that moves a replica is a cause next to an edit of the service': {
    before: movable(2, '30s'),
    after: movable(0, '60s'),
    want: [
      expect.stringMatching(
        /; because ModelService ml\/chat .*timeouts\.request: 30s -> 60s .*; InferenceCluster us nodePools\[h100\]\.nodeCount: 2 -> 0 /,
      ),
      expect.stringContaining('timeouts.request'),
      '~ ml/stable: on other clusters',
      '+ on ap: 100 %, 1 replica',
      '- on us: was 100 %, 1 replica',
      expect.stringContaining('+ cluster gateway on ap'),
      expect.stringContaining('- cluster gateway on us'),
    ],
  },
  'more replicas of one of two are no other share, and are reported': {
    before: fleet(...both, service(1, 1)),
    after: fleet(model('stable', 3), model('next', 1), service(1, 1)),
    want: [
      expect.stringContaining('because ModelDeployment ml/stable spec.replicas: 2 -> 3'),
      '~ ml/stable on us: 50 %, 2 -> 3 replicas',
    ],
  },
  'more nodes are no cause of it': {
    before: fleet(...both, service(1, 1)),
    after: [H100, aSite('us', { pools: { h100: 5 } }), eu, door, model('stable', 3), model('next', 1), service(1, 1)],
    want: [
      expect.stringMatching(/; because ModelDeployment ml\/stable spec\.replicas: 2 -> 3 \([^;]*$/),
      '~ ml/stable on us: 50 %, 2 -> 3 replicas',
    ],
  },
  'one rule of two to the same deployment is distinguished': {
    before: fleet(
      ...both,
      aSplit('ml/chat', [to({ track: 'next' }), to({ track: 'next' }, { match: { headers: { 'x-track': 'next' } } })]),
    ),
    after: fleet(...both, aSplit('ml/chat', [to({ track: 'next' })])),
    want: [expect.any(String), '- ml/next on us with x-track: next: was 100 %, 1 replica'],
  },
  'a tier is a field of a member': {
    before: fleet(...both, aSplit('ml/chat', [to({ track: 'stable' }), to({ track: 'next' })])),
    after: fleet(...both, aSplit('ml/chat', [to({ track: 'stable' }), to({ track: 'next' }, { tier: 1 })])),
    want: [
      expect.stringContaining('endpoints[1].tier: 0 -> 1'),
      '~ ml/next on us: 50 % -> 100 %, tier 0 -> 1',
      '~ ml/stable on us: 50 % -> 100 %',
    ],
  },
  'a rule for some requests is distinguished': {
    before: fleet(...both, service(1)),
    after: fleet(
      ...both,
      aSplit('ml/chat', [
        to({ track: 'stable' }),
        to({ track: 'next' }, { match: { headers: { 'x-track': 'next' } } }),
      ]),
    ),
    want: [expect.any(String), '+ ml/next on us with x-track: next: 100 %, 1 replica'],
  },
  'another host of a gateway is one of every service behind it': {
    before: fleet(...both, service(1)),
    after: [
      H100,
      us,
      eu,
      aDoor(['us'], { hostname: 'llm.example.com', tls: { issuer: { name: 'acme' } } }),
      ...both,
      service(1),
    ],
    want: [
      '~ routes of ml/chat   https://llm.example.com/ml/chat/; because InferenceGateway default spec.hostname: models.example.com -> llm.example.com (InferenceGateway default spec.hostname)',
      "gateways['default on us'].url: https://models.example.com/ml/chat/ -> https://llm.example.com/ml/chat/",
      '~ ingress gateway default on us; because InferenceGateway default spec.hostname: models.example.com -> llm.example.com (InferenceGateway default spec.hostname)',
      'hostname: models.example.com -> llm.example.com',
      'address: models.example.com -> llm.example.com',
      'tls.dnsNames: -models.example.com +llm.example.com',
    ],
  },
  'another host of an edge comes from its cluster, and more nodes there do not': {
    before: fleet(...both, service(1)),
    after: [
      H100,
      aSite('us', { gateway: { hostname: 'e.example.com' }, pools: { h100: 5 } }),
      eu,
      door,
      ...both,
      service(1),
    ],
    want: [
      '~ cluster gateway on us; because InferenceCluster us gateway.hostname: edge.us.example.com -> e.example.com (InferenceCluster us spec.gateway.hostname)',
      'hostname: edge.us.example.com -> e.example.com',
      'serverName: edge.us.example.com -> e.example.com',
      'tls.dnsNames: -edge.us.example.com +e.example.com',
    ],
  },
  'an endpoint outside the fleet': {
    before: fleet(...both, service(1)),
    after: fleet(
      ...both,
      parsed('ModelEndpoint', 'ml/saas', { url: 'https://api.example.com/v1' }, { labels: { track: 'next' } }),
      aSplit('ml/chat', [to({ track: 'stable' }), to({ track: 'next' }, { tier: 1 })]),
    ),
    want: [
      expect.stringContaining('ModelEndpoint ml/saas is new'),
      'models: ["Qwen/Qwen3-8B"] -> []',
      '+ ml/next on us: 50 %, 1 replica, only while nothing of tier 0 serves',
      '+ endpoint ml/saas: 50 %, only while nothing of tier 0 serves',
      '+ egress gateway on us',
    ],
  },
};

describe('what happens to routes, and because of which line', () => {
  test.each(Object.entries(cases))('%s', (_, { before, after, want }) => {
    expect(lines(before, after)).toEqual(want);
  });
});
