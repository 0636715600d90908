import { findRefusals, type RequiredReplicas, survive } from '../../../src/analyze/survive/survive';
import type { Resource } from '../../../src/api/kinds';
import { formatRefused } from '../../../src/report/analyze/survival-gate-text';
import { formatSurvival } from '../../../src/report/analyze/survival-text';
import { writeTerminal } from '../../../src/report/document/write-terminal';
import { aDeployment, anEndpoint } from '../../api/build';
import { aDoor, aSplit, H100, to } from '../../routing/build';
import { settled } from '../what-if/build';
import { chat, door, east, entrance, model, west } from './chat-fleet';

test('the worst of all losses is reported of each service', () => {
  const resources = [H100, east, west, aDoor(['east', 'west']), model('a', 3, ['east', 'west'])];
  const { services } = survive(settled(...resources, chat(to({ app: 'a' }))));
  const fewest = { gateways: 1, replicas: 1, endpoints: 0, when: 'east' };
  expect(services).toEqual([{ service: 'ml/chat', atOnce: 0.3333, when: 'east', after: 1, fewest }]);
});

test('without any gateway nothing of a service is left', () => {
  const resources = [H100, east, entrance, door, model('a', 1, ['east']), chat(to({ app: 'a' }))];
  expect(survive(settled(...resources)).services).toEqual([
    {
      service: 'ml/chat',
      atOnce: 0,
      when: 'door',
      after: 0,
      whenAfter: 'door',
      fewest: { gateways: 0, replicas: 1, endpoints: 0, when: 'door' },
    },
  ]);
});

interface Row {
  resources: Resource[];
  required?: RequiredReplicas;
  domain?: string;
  want: string[];
}

const gateways = aDoor(['east', 'west']);
const both = ['east', 'west'];
const outside = anEndpoint('ml/out', { labels: { app: 'out' } });
const oneEach = model('a', 2, both);

const rows: Record<string, Row> = {
  'nothing where a replica and a gateway stay': {
    resources: [H100, east, west, gateways, oneEach, chat(to({ app: 'a' }))],
    want: [],
  },
  'a service whose only gateway is lost, though all its replicas stay': {
    resources: [H100, east, west, entrance, door, oneEach, chat(to({ app: 'a' }))],
    want: ['service ml/chat: no gateway is left when door is lost'],
  },
  'one that selects a part of a deployment, all of which is lost': {
    resources: [H100, east, west, gateways, oneEach, chat(to({ app: 'a', 'fleetwright.dev/cluster': 'west' }))],
    want: ['service ml/chat: 0 replicas left behind it when west is lost, and it needs 1'],
  },
  'one of which requests with a header have nothing left': {
    resources: [
      H100,
      east,
      west,
      gateways,
      oneEach,
      chat(
        to({ app: 'a' }),
        to({ app: 'a', 'fleetwright.dev/cluster': 'east' }, { match: { headers: { 'x-canary': 'yes' } } }),
      ),
    ],
    want: ['service ml/chat: 0 replicas left behind it when east is lost, and it needs 1'],
  },
  'none whose next tier takes over': {
    resources: [
      H100,
      east,
      west,
      gateways,
      oneEach,
      chat(
        to({ app: 'a', 'fleetwright.dev/cluster': 'east' }),
        to({ app: 'a', 'fleetwright.dev/cluster': 'west' }, { tier: 1 }),
      ),
    ],
    want: [],
  },
  'none that an endpoint outside the fleet answers, however many replicas are required': {
    resources: [H100, east, west, gateways, outside, oneEach, chat(to({ app: 'a' }), to({ app: 'out' }, { tier: 1 }))],
    required: 2,
    want: ['ml/a: 1 of 2 replicas serves when east is lost, and 2 must serve'],
  },
  'a service with fewer replicas than are required, next to its deployment': {
    resources: [H100, east, west, gateways, oneEach, chat(to({ app: 'a' }))],
    required: 2,
    want: [
      'ml/a: 1 of 2 replicas serves when east is lost, and 2 must serve',
      'service ml/chat: 1 replica left behind it when east is lost, and it needs 2',
    ],
  },
  'one that has too few before anything is lost': {
    resources: [
      H100,
      east,
      west,
      gateways,
      model('a', 4, both),
      chat(to({ app: 'a', 'fleetwright.dev/cluster': 'west', 'fleetwright.dev/replica-index': '0' })),
    ],
    domain: 'area',
    required: 2,
    want: ['service ml/chat: 1 replica left behind it when nothing is lost, and it needs 2'],
  },
  'a deployment that keeps fewer than its minAvailable, and no other, where that is required': {
    resources: [
      H100,
      east,
      west,
      gateways,
      aDeployment('ml/a', { replicas: 3, minAvailable: 2, clusterSelector: { matchLabels: {} } }),
      aDeployment('ml/kept', { replicas: 2, minAvailable: 1, clusterSelector: { matchLabels: {} } }),
      model('c', 1, both),
    ],
    required: 'minAvailable',
    want: ['ml/a: 1 of 3 replicas serves when east is lost, and 2 must serve'],
  },
  'none for requests that nothing answers before, nor a service that has no others': {
    resources: [
      H100,
      east,
      west,
      gateways,
      oneEach,
      model('b', 0, both),
      chat(to({ app: 'a' }), to({ app: 'b' }, { match: { headers: { 'x-canary': 'yes' } } })),
      aSplit('ml/later', [to({ app: 'b' })]),
    ],
    want: [],
  },
};

test.each(Object.entries(rows))('a gate refuses %s', (_, { resources, required = 1, domain, want }) => {
  const refused = findRefusals(required, survive(settled(...resources), domain));
  expect(formatRefused(refused, required)).toEqual(want);
});

test('a service without a gateway may take no requests', () => {
  const resources = [H100, east, west, entrance, door, oneEach, chat(to({ app: 'a' }))];
  const text = writeTerminal(formatSurvival(survive(settled(...resources))));
  expect(text).toContain('; 1 of 1 service may take no requests');
});

test('a service whose next tier takes over does take requests', () => {
  const [own, next] = [to({ 'fleetwright.dev/cluster': 'east' }), to({ app: 'out' }, { tier: 1 })];
  const survival = survive(settled(H100, east, west, gateways, outside, oneEach, chat(own, next)));
  expect(writeTerminal(formatSurvival(survival))).toContain('its next tier takes over');
  expect(writeTerminal(formatSurvival(survival))).toContain('; the 1 service keeps taking requests');
});
