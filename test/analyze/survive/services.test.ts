import { survive } from '../../../src/analyze/survive/survive';
import { whatIf } from '../../../src/analyze/what-if/what-if';
import type { Resource } from '../../../src/api/kinds';
import { formatImmediateLoss, formatSurvival } from '../../../src/report/analyze/survival-text';
import { writeTerminal } from '../../../src/report/document/write-terminal';
import { aGateway, aGrant, anEndpoint } from '../../api/build';
import { aDoor, aModel, aSite, H100, to } from '../../routing/build';
import { settled } from '../what-if/build';
import { chat, door, east, entrance, model, west } from './chat-fleet';

/** The lines about services. */
function lines(resources: Resource[], domain?: string): string[] {
  const text = writeTerminal(formatSurvival(survive(settled(...resources), domain)));
  let lost = '';
  return text.split('\n').flatMap((line) => {
    lost = /^lose (\w+)/.exec(line)?.[1] ?? lost;
    const [, service, clients] = /^ {2}(?:service (.*)|(clients .*))/.exec(line) ?? [];
    return [service, clients].flatMap((found) => (found === undefined ? [] : [`${lost}: ${found}`]));
  });
}

const small = aSite('west', { pools: { h100: { nodeCount: 1, className: 'one' } } });
const ONE = { ...H100, metadata: { ...H100.metadata, name: 'one' } };

const rows: Record<string, { resources: Resource[]; domain?: string; want: string[] }> = {
  'replicas of an entry share its requests alike': {
    resources: [H100, east, west, entrance, door, model('a', 4, ['east', 'west']), chat(to({ app: 'a' }))],
    want: [
      'door: ml/chat   cut off: no gateway is left',
      'east: ml/chat   targets of 50 % of its requests are left and get all of them (later: all targets)',
      'west: ml/chat   targets of 50 % of its requests are left and get all of them (later: all targets)',
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
      'east: ml/chat   targets of 10 % of its requests are left and get all of them (also later)',
      'west: ml/chat   targets of 90 % of its requests are left and get all of them (also later)',
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
      'east: ml/chat   targets of 50 % of its requests are left and get all of them (also later)',
      'west: ml/chat   targets of 50 % of its requests are left and get all of them (also later)',
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
      'east: ml/chat   no target is left (also later); its next tier takes over',
      'west: ml/chat   all targets are left',
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
    want: ['door: ml/chat   cut off: no gateway is left', 'east: ml/chat   no target is left (also later)'],
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
    want: [
      'door: ml/chat   cut off: no gateway is left',
      'east: ml/chat   targets of 75 % of its requests are left and get all of them (also later)',
    ],
  },
  'one of two gateways cuts off its own clients alone, until DNS drops it': {
    resources: [H100, east, west, aDoor(['east', 'west']), model('a', 2, ['east', 'west']), chat(to({ app: 'a' }))],
    want: [
      'east: ml/chat   targets of 50 % of its requests are left and get all of them (later: all targets); 1 of 2 gateways is left',
      'east: clients that DNS sends to a lost gateway fail until DNS drops its address',
      'west: ml/chat   targets of 50 % of its requests are left and get all of them (later: all targets); 1 of 2 gateways is left',
      'west: clients that DNS sends to a lost gateway fail until DNS drops its address',
    ],
  },
  'of several gateways each that loses a cluster is counted, because clients use the host name of one': {
    resources: [
      H100,
      east,
      west,
      aGateway('chat', 'east', 'west'),
      aGateway('code', 'west'),
      model('a', 2, ['east', 'west']),
      chat(to({ app: 'a' })),
    ],
    want: [
      'east: ml/chat   targets of 50 % of its requests are left and get all of them (later: all targets); gateway chat is left on 1 of 2 clusters',
      'east: clients that DNS sends to a lost gateway fail until DNS drops its address',
      'west: ml/chat   targets of 50 % of its requests are left and get all of them (later: all targets); gateway chat is left on 1 of 2 clusters, gateway code is cut off',
      'west: clients that DNS sends to a lost gateway fail until DNS drops its address',
    ],
  },
  'a gateway alone is lost without replicas': {
    resources: [H100, east, entrance, aDoor(['door', 'east']), model('a', 1, ['east']), chat(to({ app: 'a' }))],
    want: [
      'door: ml/chat   all targets are left; 1 of 2 gateways is left',
      'door: clients that DNS sends to a lost gateway fail until DNS drops its address',
      'east: ml/chat   no target is left (also later); 1 of 2 gateways is left',
      'east: clients that DNS sends to a lost gateway fail until DNS drops its address',
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
    want: ['door: ml/chat   cut off: no gateway is left', 'east: ml/chat   no target is left (also later)'],
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
      'east: ml/chat   targets of 50 % of its requests are left and get all of them (also later)',
      'west: ml/chat   targets of 50 % of its requests are left and get all of them (also later)',
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
      'east: ml/chat   targets of 50 % of its requests are left and get all of them (later: all targets)',
      'west: ml/chat   no target is left (also later)',
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
      'east: ml/chat   targets of 50 % of its requests are left and get all of them (later: all targets)',
      'west: ml/chat   targets of 50 % of its requests are left and get all of them (later: all targets)',
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
    want: ['a: ml/chat   no target is left (also later)'],
  },
};

test.each(Object.entries(rows))('%s', (_, { resources, domain, want }) => {
  expect(lines(resources, domain)).toEqual(want);
});

test('a scenario lists what is left right after the loss of a cluster, one line for each deployment and service', () => {
  const fleet = [H100, east, west, aDoor(['east', 'west']), model('a', 4, ['east', 'west']), chat(to({ app: 'a' }))];
  const decision = settled(...fleet);
  const [outcome] = whatIf(decision, [{ name: 'lose east', steps: [{ kind: 'lose', cluster: 'east' }] }]);
  const text = writeTerminal(outcome?.loss ? [formatImmediateLoss(outcome.loss, decision.fleet)] : []);
  expect(text.split('\n')).toEqual([
    'Right after the loss:',
    '  ml/a              2 of 4 replicas serve',
    '  service ml/chat   targets of 50 % of its requests are left and get all of them; 1 of 2 gateways is left',
    '  clients that DNS sends to a lost gateway fail until DNS drops its address',
  ]);
});
