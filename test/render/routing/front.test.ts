import type { RoutedService, ServiceListener } from '../../../src/routing/routing';
import type { Doc } from '../../api/build';
import { aDoor, aMember, aRouted, atFront, JWT, OPENAI, specOf, WEST } from './build';

const withDoor = (door: Partial<ServiceListener>): RoutedService => aRouted([aMember()], { gateways: [aDoor(door)] });
const both = aRouted([aMember(), WEST, OPENAI]);

/** The rules of the route that leads to members. */
function rulesAt(service: RoutedService): Doc[] {
  const all = atFront(service).filter(({ metadata }) => !metadata.name.includes('answers'));
  return specOf(all, 'HTTPRoute', 'chat-public').rules as Doc[];
}

describe('a route of a front', () => {
  const membersAt = (service: RoutedService): Doc[] => rulesAt(service)[0]!['backendRefs'] as Doc[];
  const filtersAt = (door: Partial<ServiceListener>): string => JSON.stringify(rulesAt(withDoor(door))[0]!['filters']);
  const cases: Record<string, { got: unknown; want: unknown }> = {
    'has all members in one rule, by weight': {
      got: membersAt(aRouted([aMember({ weight: 80 }), { ...OPENAI, weight: 7 }])).map(({ kind, weight }) => [
        kind,
        weight,
      ]),
      want: [
        ['Backend', 80],
        ['Backend', 7],
      ],
    },
    'has no filter at a member: the rule would be split': {
      got: membersAt(both).filter((ref) => 'filters' in ref),
      want: [],
    },
    'matches headers of a canary before the rest': {
      got: rulesAt(
        aRouted([], {
          rules: [
            { headers: [{ name: 'x-canary', value: 'yes' }], members: [aMember()] },
            { headers: [], members: [OPENAI] },
          ],
        }),
      ).map(({ matches }) => matches),
      want: [
        [
          {
            path: { type: 'PathPrefix', value: '/team-a/chat/' },
            headers: [{ type: 'Exact', name: 'x-canary', value: 'yes' }],
          },
        ],
        [{ path: { type: 'PathPrefix', value: '/team-a/chat/' } }],
      ],
    },
    'takes a token off, which engines have no use for': {
      got: filtersAt({ auth: JWT }).includes('"remove":["authorization"]'),
      want: true,
    },
    'leaves the header where a key is taken off by its filter': {
      got: filtersAt({}).includes('authorization'),
      want: false,
    },
  };
  test.each(Object.entries(cases))('%s', (_, { got, want }) => expect(got).toEqual(want));
});

describe('a member at a front', () => {
  const cases: Record<string, { got: unknown; want: unknown }> = {
    'on its own cluster is the Service of the edge': {
      got: specOf(atFront(both), 'Backend', 'chat-0-llama-us').endpoints,
      want: [
        {
          hostname: '0.llama.chat.team-a.us.fleetwright.internal',
          fqdn: { hostname: 'fleetwright-edge.fleetwright-system.svc.cluster.local', port: 443 },
        },
      ],
    },
    'elsewhere is the host name of the edge': {
      got: (specOf(atFront(both), 'Backend', 'chat-0-llama-west').endpoints as Doc[])[0]!['fqdn'],
      want: { hostname: 'edge.west.example.com', port: 443 },
    },
    'outside the fleet is the egress, and comes second': {
      got: specOf(atFront(both), 'Backend', 'chat-1-openai-egress'),
      want: {
        fallback: true,
        endpoints: [
          {
            hostname: OPENAI.hostname,
            fqdn: { hostname: 'fleetwright-egress.fleetwright-system.svc.cluster.local', port: 443 },
          },
        ],
      },
    },
    'of the second tier alone comes first': {
      got: specOf(atFront(aRouted([OPENAI])), 'Backend', 'chat-1-openai-egress').fallback,
      want: undefined,
    },
    'has the certificate of its edge': {
      got: specOf(atFront(both), 'BackendTLSPolicy', 'chat-0-llama-us').validation,
      want: {
        hostname: 'edge.us.example.com',
        caCertificateRefs: [{ group: '', kind: 'ConfigMap', name: 'fleetwright-ca' }],
      },
    },
  };
  test.each(Object.entries(cases))('%s', (_, { got, want }) => expect(got).toEqual(want));
});

describe('an adapter that only some members hold', () => {
  const service = aRouted([], {
    rules: [
      { headers: [], model: 'sql', members: [aMember()] },
      { headers: [], members: [aMember(), WEST] },
    ],
  });

  test('has a rule for requests whose body names it', () => {
    expect(rulesAt(service)[0]!['matches']).toEqual([
      {
        path: { type: 'PathPrefix', value: '/team-a/chat/' },
        headers: [{ type: 'Exact', name: 'x-fleetwright-model', value: 'sql' }],
      },
    ]);
  });

  test('is found by a script on all rules, since the request is on another one first', () => {
    const { targetRefs, lua } = specOf(atFront(service), 'EnvoyExtensionPolicy', 'chat-public') as Record<
      string,
      Doc[]
    >;
    expect(targetRefs![0]).not.toHaveProperty('sectionName');
    const { name } = lua![0]!['valueRef'] as { name: string };
    const source = atFront(service).find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name);
    expect((source!['data'] as Doc)['lua']).toContain("replace('x-fleetwright-model', name)");
  });

  test('of no one needs no script', () => {
    const scripts = atFront(aRouted([aMember()])).filter(({ kind }) => kind === 'EnvoyExtensionPolicy');
    expect(scripts).toHaveLength(1);
    expect(scripts[0]!.metadata.name).toMatch(/^chat-1-openai-/);
  });
});
