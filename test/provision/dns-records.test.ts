import { planDnsRecords, recordDataOf } from '../../src/provision/dns-records';
import type { Doc } from '../api/build';
import { aDoor, aModel, aSite, aSplit, routed, TLS, to } from '../routing/build';

const CLOUD_DNS = { zone: 'example.com', provider: 'CloudDNS', id: 'example-com' };
const ROUTE53 = { zone: 'example.com', provider: 'Route53', id: 'Z1' };

/** A service on two clusters, of which the first has an edge in a zone. */
function routing({ edge, door, doors = ['east'] }: { edge?: Doc; door?: Doc; doors?: string[] }) {
  const east = aSite('east', {
    gateway: { hostname: 'edge.east.example.com', tls: TLS, ...(edge && { dns: edge }) },
  });
  const spec = { hostname: 'models.example.com', ...(door && { dns: door }) };
  return routed(
    east,
    aSite('west'),
    aModel('ml/q', { replicas: 2, replicaLabels: { app: 'q' } }),
    aSplit('ml/chat', [to({ app: 'q' })]),
    aDoor(doors, spec),
  );
}

const FRONT = expect.stringMatching(/^front-default-/) as string;

const cases: Record<string, { given: Parameters<typeof routing>[0]; want: unknown[] }> = {
  'a zone of which no one says who holds it has no records': {
    given: { edge: { zone: 'example.com' } },
    want: [],
  },
  'an edge has the address of its Gateway': {
    given: { edge: ROUTE53 },
    want: [
      {
        host: 'edge.east.example.com',
        provider: 'Route53',
        zone: 'Z1',
        gateways: [{ cluster: 'east', name: 'fleetwright-edge' }],
      },
    ],
  },
  'a gateway on several clusters has one record with all of them': {
    given: { edge: CLOUD_DNS, door: CLOUD_DNS, doors: ['west', 'east'] },
    want: [
      {
        host: 'edge.east.example.com',
        provider: 'CloudDNS',
        zone: 'example-com',
        gateways: [{ cluster: 'east', name: 'fleetwright-edge' }],
      },
      {
        host: 'models.example.com',
        provider: 'CloudDNS',
        zone: 'example-com',
        gateways: [
          { cluster: 'east', name: FRONT },
          { cluster: 'west', name: FRONT },
        ],
      },
    ],
  },
};

test.each(Object.entries(cases))('%s', (_, { given, want }) => {
  expect(planDnsRecords(routing(given))).toEqual(want);
});

test.each([
  ['numbers', ['203.0.113.1', '203.0.113.2'], { type: 'A', values: ['203.0.113.1', '203.0.113.2'] }],
  ['numbers of version 6', ['2001:db8::1'], { type: 'AAAA', values: ['2001:db8::1'] }],
  ['a name', ['a.elb.amazonaws.com'], { type: 'CNAME', values: ['a.elb.amazonaws.com'] }],
])('a record of %s', (_, addresses, want) => {
  expect(recordDataOf(addresses)).toEqual(want);
});

test.each([
  ['several names', ['a.example.com', 'b.example.com']],
  ['a name and a number', ['a.example.com', '203.0.113.1']],
])('no record has %s', (_, addresses) => {
  expect(() => recordDataOf(addresses)).toThrow('a record cannot have all of these addresses');
});
