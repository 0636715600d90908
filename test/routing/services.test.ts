import type { Resource } from '../../src/api/kinds';
import type { ModelDeployment } from '../../src/api/model-deployment';
import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import type { RoutedService } from '../../src/routing/routing';
import { aGrant, anEndpoint, anEngine, byPath, type Doc } from '../api/build';
import {
  aDoor,
  aModel,
  anAdapter,
  aSite,
  aSplit,
  decided,
  H100,
  routed,
  to,
  warned,
  withAdapters,
  wrong,
} from './build';

const east = aSite('east');
const door = aDoor(['east']);
const both = { app: 'chat' };

/** A service over all that is labelled `app: chat`. */
function over(targets: readonly Resource[], service: Doc = {}): RoutedService | undefined {
  return routed(east, door, ...targets, aSplit('ml/chat', [to(both)], service)).services[0];
}

function asked(name: string, healthCheck: Doc): Resource {
  return aModel(name, { replicaLabels: both, healthCheck });
}

describe('fronts ask the members of a service', () => {
  const cases: Record<string, { targets: Resource[]; want: RoutedService['health'] }> = {
    'as often as the most impatient wants, and as patiently as the slowest': {
      targets: [
        asked('ml/a', { interval: '3s', timeout: '2s', healthyThreshold: 4, unhealthyThreshold: 9 }),
        asked('ml/b', { interval: '30s', timeout: '7s', healthyThreshold: 2, unhealthyThreshold: 5 }),
      ],
      want: {
        interval: 3,
        timeout: 7,
        healthyThreshold: 4,
        unhealthyThreshold: 5,
        expectedStatuses: [200],
      },
    },
    'and take all good answers, and that of an egress': {
      targets: [asked('ml/a', { expectedStatuses: [204] }), asked('ml/b', { expectedStatuses: [301, 204] })],
      want: {
        interval: 10,
        timeout: 5,
        healthyThreshold: 1,
        unhealthyThreshold: 3,
        expectedStatuses: [200, 204, 301],
      },
    },
    'also where it is not declared': {
      targets: [anEndpoint('ml/saas', { labels: both })],
      want: {
        interval: 10,
        timeout: 5,
        healthyThreshold: 1,
        unhealthyThreshold: 3,
        expectedStatuses: [200],
      },
    },
  };
  test.each(Object.entries(cases))('%s', (_, { targets, want }) => {
    expect(over(targets)?.health).toEqual(want);
  });

  test('and gateways without traffic ask at that interval too', () => {
    const { fronts, edges } = routed(
      east,
      door,
      asked('ml/a', { interval: '3s' }),
      asked('ml/b', { interval: '30s' }),
      aSplit('ml/chat', [to(both)]),
    );
    expect([fronts[0]?.idleCheckInterval, edges[0]?.idleCheckInterval]).toEqual([3, 3]);
  });
});

describe('a service answers to', () => {
  const llama = aModel('ml/llama', { replicaLabels: both });
  const cases: Record<string, { targets: Resource[]; service?: Doc; want: string[] }> = {
    'the model of its engines': { targets: [llama], want: ['Qwen/Qwen3-8B'] },
    'what it declares, and the adapters of its engines': {
      targets: [
        aModel('ml/llama', { replicaLabels: both, ...withAdapters('sql', 'law') }),
        ...['sql', 'law'].map(anAdapter),
      ],
      service: { servedModelName: 'qwen3' },
      want: ['law', 'qwen3', 'sql'],
    },
    'the models of its endpoints too': {
      targets: [llama, anEndpoint('ml/saas', { labels: both, models: ['b', 'Qwen/Qwen3-8B'] })],
      want: ['Qwen/Qwen3-8B', 'b'],
    },
    'no name that an endpoint has for itself': {
      targets: [llama, anEndpoint('ml/saas', { labels: both, models: ['b'], model: { as: 'b' } })],
      want: ['Qwen/Qwen3-8B'],
    },
    'no one knows what, where one of them does not say': {
      targets: [llama, anEndpoint('ml/saas', { labels: both })],
      want: [],
    },
  };
  test.each(Object.entries(cases))('%s', (_, { targets, service, want }) => {
    expect(over(targets, service)?.models).toEqual(want);
  });
});

const pair = aModel('ml/pair', {
  replicaLabels: both,
  serving: { mode: 'PrefillDecode' },
  engines: [
    anEngine('prefill', { phase: 'Prefill', runtime: 'vLLM' }),
    anEngine('decode', { phase: 'Decode', runtime: 'vLLM' }),
  ],
});

test('a pair is asked where its decoding engine answers, and chosen by what it has cached', () => {
  const [backend] = routed(east, door, pair, aSplit('ml/chat', [to(both)])).edges[0]?.backends ?? [];
  expect(backend?.picker).toEqual({ kind: 'PrefixCache', mode: 'PrefillDecode', blockSize: 16 });
  expect(backend?.target.selector).toMatchObject({ 'llm-d.ai/role': 'decode' });
  expect(backend?.health).toMatchObject({ interval: 10 });
});

test('a service may choose otherwise for a pair', () => {
  const service = aSplit('ml/chat', [to(both)], { picker: 'LeastRequest' });
  const [backend] = routed(east, door, pair, service).edges[0]?.backends ?? [];
  expect(backend?.picker).toEqual({ kind: 'LeastRequest' });
});

test('edges wait as long as the most patient front, and end no answer', () => {
  const other = { ...aDoor(['east'], { timeouts: { idle: '2h', connect: '1s', request: '1m' } }) };
  const second = { ...other, metadata: { ...other.metadata, name: 'second' } };
  const [edge] = routed(
    east,
    aDoor(['east'], { timeouts: { idle: '1m', connect: '9s' } }),
    second,
    asked('ml/a', {}),
    aSplit('ml/chat', [to(both)]),
  ).edges;
  expect(edge?.backends[0]?.timeouts).toEqual({ idle: 7200, connect: 9 });
});

test('egresses take the largest request that a front takes', () => {
  const large = aDoor(['east'], { maxRequestBody: '64Mi' });
  const second = { ...aDoor(['east']), metadata: { ...large.metadata, name: 'second' } };
  const saas = anEndpoint('ml/saas', { labels: both });
  const [egress] = routed(east, large, second, saas, aSplit('ml/chat', [to(both)])).egresses;
  expect(egress?.maxRequestBody).toBe(64 * 2 ** 20);
});

test('headers are compared without regard to the size of their letters', () => {
  const model = aModel('ml/a', { replicaLabels: both });
  const match = { match: { headers: { 'X-B': 'One', 'x-a': '2' } } };
  const [service] = routed(east, door, model, aSplit('ml/chat', [to(both, match)])).services;
  expect(service?.rules.map(({ headers }) => headers)).toEqual([
    [
      { name: 'x-a', value: '2' },
      { name: 'x-b', value: 'One' },
    ],
  ]);
});

test('a session stays with its member and its pod', () => {
  const sticky = { sessionAffinity: { header: 'X-Session' } };
  expect(over([asked('ml/a', {})], sticky)?.affinity).toBe('x-session');
});

test('a grant for one kind opens nothing of the other', () => {
  const model = aModel('ml/a', { replicaLabels: both });
  const endpoint = anEndpoint('ml/saas', { labels: both });
  const grant = aGrant('ml/web', 'web', { kind: 'ModelEndpoint' });
  const [service] = routed(east, door, model, endpoint, grant, aSplit('web/chat', [to(both)])).services;
  expect(service?.rules[0]?.members.map(({ kind }) => kind)).toEqual(['External']);
});

test('replicas of the second tier make no failure domains', () => {
  const sites = [aSite('east', inRegion('us')), aSite('west', inRegion('eu'))];
  const models = ['east', 'west'].map((name) => aModel(`ml/${name}`, { on: [name], replicaLabels: { app: name } }));
  const entries = [to({ app: 'east' }), to({ app: 'west' }, { tier: 1 })];
  const service = aSplit('ml/chat', entries, { failureDomains: { min: 2 } });
  expect(warned(...sites, door, ...models, service)).toEqual([expect.stringContaining('its replicas are in us only')]);
});

test('an edge for its cluster alone serves the front next to it', () => {
  const site = aSite('east', { gateway: { reach: 'Cluster' } });
  expect(wrong(site, door, asked('ml/a', {}), aSplit('ml/chat', [to(both)]))).toEqual([]);
});

test('a credential begins as its endpoint says', () => {
  const credential = { secretRef: { name: 'key' }, scheme: 'Token' };
  const saas = anEndpoint('ml/saas', { labels: both, provider: 'OpenAI', credential });
  const [backend] = routed(east, door, saas, aSplit('ml/chat', [to(both)])).egresses[0]?.backends ?? [];
  expect(backend?.credential?.scheme).toBe('Token');
});

function inRegion(name: string): Doc {
  return { labels: { 'topology.kubernetes.io/region': name } };
}

test('a replica that is being replaced serves until it is finalized', () => {
  const [declared, changed] = [sized(1), sized(2)];
  const before = decided(east, door, declared, aSplit('ml/chat', [to(both)]));
  const { deployment = '', shape = '' } = before.lock.placements[0] ?? {};
  const former = [{ deployment, shape, declared, text: '{}' }];
  const fleet = assemble([H100, east, door, changed, aSplit('ml/chat', [to(both)])]);
  const { routing } = decide(fleet, byPath, before.lock, { notes: [], warnings: [], former });
  expect(routing.services[0]?.rules[0]?.members.map(({ replicas }) => replicas)).toEqual([[0, 1]]);
});

function sized(gpus: number): ModelDeployment {
  const engines = [anEngine('main', { gpus })];
  return aModel('ml/llama', { on: ['east'], replicaLabels: both, engines });
}
