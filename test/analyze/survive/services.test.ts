import { survive } from '../../../src/analyze/survive/survive';
import type { Resource } from '../../../src/api/kinds';
import { formatSurvival } from '../../../src/report/analyze/survival-text';
import { aGrant, anEndpoint } from '../../api/build';
import { aDoor, aModel, aSite, H100, to } from '../../routing/build';
import { writeTerminal } from '../../../src/report/document/write-terminal';
import { settled } from '../what-if/build';
import { chat, door, east, entrance, model, west } from './chat-fleet';

/** The lines about services. */
function lines(resources: Resource[], domain?: string): string[] {
  const text = writeTerminal(formatSurvival(survive(settled(...resources), domain), 'USD'));
  let lost = '';
  return text.split('\n').flatMap((line) => {
    lost = /^lose (\w+)/.exec(line)?.[1] ?? lost;
    const [, service] = /^ {2}service (.*)/.exec(line) ?? [];
    return service === undefined ? [] : [`${lost}: ${service}`];
  });
}

const small = aSite('west', { pools: { h100: { nodeCount: 1, className: 'one' } } });
const ONE = { ...H100, metadata: { ...H100.metadata, name: 'one' } };

const rows: Record<string, { resources: Resource[]; domain?: string; want: string[] }> = {
  'replicas of an entry share its requests alike': {
    resources: [H100, east, west, entrance, door, model('a', 4, ['east', 'west']), chat(to({ app: 'a' }))],
    want: [
      'door: ml/chat   cut off: no gateway is left',
      'east: ml/chat   50 % of its traffic at once, 100 % again',
      'west: ml/chat   50 % of its traffic at once, 100 % again',
    ],
  },
  'entries share requests as they declare, however many replicas they have': {
    resources: [
      H100,
      east,
      west,
      entrance,
      door,
      model('a', 1, ['east']),
      model('b', 3, ['west']),
      chat(to({ app: 'a' }, { weight: 9 }), to({ app: 'b' })),
    ],
    want: [
      'door: ml/chat   cut off: no gateway is left',
      'east: ml/chat   10 % of its traffic at once, no more again',
      'west: ml/chat   90 % of its traffic at once, no more again',
    ],
  },
  'what finds no place again is reported': {
    resources: [
      H100,
      ONE,
      aSite('east', { pools: { h100: 1 } }),
      small,
      entrance,
      door,
      model('a', 16, ['east', 'west']),
      chat(to({ app: 'a' })),
    ],
    want: [
      'door: ml/chat   cut off: no gateway is left',
      'east: ml/chat   50 % of its traffic at once, no more again',
      'west: ml/chat   50 % of its traffic at once, no more again',
    ],
  },
  'a second tier takes over where nothing of the first is left': {
    resources: [
      H100,
      east,
      west,
      entrance,
      door,
      model('a', 2, ['east']),
      model('b', 1, ['west']),
      chat(to({ app: 'a' }), to({ app: 'b' }, { tier: 1 })),
    ],
    want: [
      'door: ml/chat   cut off: no gateway is left',
      'east: ml/chat   0 % of its traffic at once, no more again; its next tier takes over',
      'west: ml/chat   100 % of its traffic at once, as before',
    ],
  },
  'a second tier on the same cluster does not': {
    resources: [
      H100,
      east,
      entrance,
      door,
      model('a', 2, ['east']),
      model('b', 1, ['east']),
      chat(to({ app: 'a' }), to({ app: 'b' }, { tier: 1 })),
    ],
    want: ['door: ml/chat   cut off: no gateway is left', 'east: ml/chat   0 % of its traffic at once, no more again'],
  },
  'an endpoint outside the fleet is lost with no cluster': {
    resources: [
      H100,
      east,
      entrance,
      door,
      model('a', 2, ['east']),
      anEndpoint('ml/saas', { labels: { app: 'saas' } }),
      chat(to({ app: 'a' }), to({ app: 'saas' }, { weight: 3 })),
    ],
    want: ['door: ml/chat   cut off: no gateway is left', 'east: ml/chat   75 % of its traffic at once, no more again'],
  },
  'one of two gateways cuts no one off': {
    resources: [H100, east, west, aDoor(['east', 'west']), model('a', 2, ['east', 'west']), chat(to({ app: 'a' }))],
    want: [
      'east: ml/chat   50 % of its traffic at once, 100 % again; 1 of 2 gateways left',
      'west: ml/chat   50 % of its traffic at once, 100 % again; 1 of 2 gateways left',
    ],
  },
  'a gateway alone is lost without replicas': {
    resources: [H100, east, entrance, aDoor(['door', 'east']), model('a', 1, ['east']), chat(to({ app: 'a' }))],
    want: [
      'door: ml/chat   100 % of its traffic at once, as before; 1 of 2 gateways left',
      'east: ml/chat   0 % of its traffic at once, no more again; 1 of 2 gateways left',
    ],
  },
  'replicas that land where an entry does not look are none of it': {
    resources: [
      H100,
      east,
      west,
      entrance,
      door,
      model('a', 2, ['east', 'west']),
      chat(to({ app: 'a', 'fleetwright.dev/cluster': 'east' })),
    ],
    want: ['door: ml/chat   cut off: no gateway is left', 'east: ml/chat   0 % of its traffic at once, no more again'],
  },
  'replicas that land on another entry make up for none of one that lost all': {
    resources: [
      H100,
      east,
      west,
      entrance,
      door,
      model('a', 2, ['east', 'west']),
      chat(to({ app: 'a', 'fleetwright.dev/cluster': 'east' }), to({ app: 'a', 'fleetwright.dev/cluster': 'west' })),
    ],
    want: [
      'door: ml/chat   cut off: no gateway is left',
      'east: ml/chat   50 % of its traffic at once, no more again',
      'west: ml/chat   50 % of its traffic at once, no more again',
    ],
  },
  'of several rules that of which the least stays': {
    resources: [
      H100,
      east,
      west,
      entrance,
      door,
      model('a', 2, ['east', 'west']),
      model('b', 1, ['west']),
      chat(to({ app: 'a' }), to({ app: 'b' }, { match: { headers: { 'x-b': 'yes' } } })),
    ],
    want: [
      'door: ml/chat   cut off: no gateway is left',
      'east: ml/chat   50 % of its traffic at once, 100 % again',
      'west: ml/chat   0 % of its traffic at once, no more again',
    ],
  },
  'replicas of another namespace that land elsewhere are granted there too': {
    resources: [
      H100,
      east,
      west,
      entrance,
      door,
      aModel('lab/a', { replicas: 2, on: ['east', 'west'], replicaLabels: { app: 'a' } }),
      aGrant('lab/models', 'ml', { kind: 'ModelDeployment' }),
      chat(to({ app: 'a' })),
    ],
    want: [
      'door: ml/chat   cut off: no gateway is left',
      'east: ml/chat   50 % of its traffic at once, 100 % again',
      'west: ml/chat   50 % of its traffic at once, 100 % again',
    ],
  },
  'clusters of a domain are lost together': {
    resources: [
      H100,
      aSite('east', { labels: { area: 'a' } }),
      aSite('west', { labels: { area: 'a' } }),
      entrance,
      door,
      model('a', 2, ['east', 'west']),
      chat(to({ app: 'a' })),
    ],
    domain: 'area',
    want: ['a: ml/chat   0 % of its traffic at once, no more again'],
  },
};

test.each(Object.entries(rows))('%s', (_, { resources, domain, want }) => {
  expect(lines(resources, domain)).toEqual(want);
});
