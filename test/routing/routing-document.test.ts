import { terminalLines } from '../../src/report/document/write-terminal';
import { formatServices } from '../../src/report/plan/plan-text';
import { formatRoutingFiles, routingDocument } from '../../src/routing/routing-document';
import { anEndpoint } from '../api/build';
import { aDoor, aModel, aSite, aSplit, routed, to } from './build';

const sites = [aSite('east'), aSite('west')];
const door = aDoor(['east'], { hostname: 'models.example.com' });
const llama = aModel('ml/llama', { replicas: 3, replicaLabels: { app: 'chat' } });
const canary = aModel('ml/canary', { replicaLabels: { app: 'canary' } });
const saas = anEndpoint('ml/saas', { labels: { app: 'saas' }, models: ['Qwen/Qwen3-8B'] });
const chat = aSplit('ml/chat', [
  to({ app: 'chat' }, { weight: 3 }),
  to({ app: 'canary' }, { weight: 2 }),
  to({ app: 'saas' }, { tier: 1 }),
  to({ app: 'canary' }, { match: { headers: { 'x-canary': '1' } } }),
]);
const routing = routed(...sites, door, llama, canary, saas, chat);
const document = routingDocument(routing);

describe('a routing for machines', () => {
  test('lists services by key, with where they are and what they answer to', () => {
    const urls = [{ gateway: 'default', cluster: 'east', url: 'http://models.example.com/ml/chat/' }];
    expect(document.services).toEqual([{ key: 'ml/chat', urls, models: ['Qwen/Qwen3-8B'], webSocket: false }]);
  });

  test('says of a service that requests may become WebSockets', () => {
    const talking = aSplit('ml/chat', [to({ app: 'chat' })], { webSocket: true });
    expect(routingDocument(routed(...sites, door, llama, talking)).services).toMatchObject([{ webSocket: true }]);
  });

  test('says of a route all that another owner needs to send requests there', () => {
    const route = document.routes.find(({ cluster, replicas }) => cluster === 'west' && replicas.length === 2);
    expect(route).toEqual({
      id: 'ml/chat 0.llama.chat.ml.west.fleetwright.internal',
      service: 'ml/chat',
      deployment: 'ml/llama',
      cluster: 'west',
      replicas: [0, 1],
      host: 'edge.west.example.com',
      localHost: 'fleetwright-edge.fleetwright-system.svc.cluster.local',
      port: 443,
      protocol: 'https',
      virtualHost: '0.llama.chat.ml.west.fleetwright.internal',
      path: '/ml/chat/',
      tier: 0,
      share: '2/5',
      sharePerReplica: '1/5',
      health: {
        path: '/ml/chat/-/ready',
        interval: 10,
        timeout: 5,
        healthyThreshold: 1,
        unhealthyThreshold: 3,
        expectedStatuses: [200],
      },
      engineHealth: {
        path: '/health',
        interval: 10,
        timeout: 5,
        healthyThreshold: 1,
        unhealthyThreshold: 3,
        expectedStatuses: [200],
      },
      target: { namespace: 'ml', service: expect.stringMatching(/^llama-/), port: 8000 },
    });
  });

  test('says of a canary what requests have to carry, and of one replica which it is', () => {
    expect(document.routes[0]).toMatchObject({
      id: 'ml/chat 0.canary.chat.ml.east.fleetwright.internal {"headers":{"x-canary":"1"}}',
      match: { headers: { 'x-canary': '1' } },
      replica: 0,
      share: '1',
      sharePerReplica: '1',
    });
  });

  test('says of an endpoint where the egress has it', () => {
    const external = document.routes.at(-1);
    expect(external).toMatchObject({
      endpoint: 'ml/saas',
      replicas: [],
      host: 'fleetwright-egress.fleetwright-system.svc.cluster.local',
      tier: 1,
      share: '1',
    });
    for (const field of ['deployment', 'cluster', 'replica', 'sharePerReplica', 'engineHealth', 'target']) {
      expect(external).not.toHaveProperty(field);
    }
  });

  test('has shares that add up, and ids of their own', () => {
    const shares = document.routes.filter(({ tier, match }) => tier === 0 && !match).map(({ share }) => share);
    expect(shares).toEqual(['2/5', '1/5', '2/5']);
    expect(new Set(document.routes.map(({ id }) => id)).size).toBe(document.routes.length);
  });

  test('has a digest of its content', () => {
    expect(document.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    const again = routingDocument(routed(chat, saas, canary, llama, door, ...sites));
    expect(again).toEqual(document);
    const other = routingDocument(
      routed(...sites, door, canary, saas, llama, aSplit('ml/chat', [to({ app: 'chat' })])),
    );
    expect(other.digest).not.toBe(document.digest);
  });

  test('is a file, and none where nothing is routed', () => {
    const [[path, text] = []] = formatRoutingFiles(routing);
    expect(path).toBe('routing.json');
    expect(JSON.parse(text ?? '')).toEqual(document);
    expect(formatRoutingFiles(routed(...sites))).toEqual([]);
  });
});

test('a plan shows where services are, and who gets which share', () => {
  expect(terminalLines(formatServices(routing.services))).toEqual([
    'Services:',
    '  ml/chat   http://models.example.com/ml/chat/',
    '    with x-canary: 1',
    '      100 %   ml/canary on east (1 replica)',
    '    20 %   ml/llama on east (1 replica)',
    '    40 %   ml/llama on west (2 replicas)',
    '    40 %   ml/canary on east (1 replica)',
    '    100 %   endpoint ml/saas, only while nothing of tier 0 serves',
  ]);
  expect(formatServices([])).toEqual([]);
});
