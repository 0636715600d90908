import type { Routing } from '../../../src/routing/routing';
import type { Manifest } from '../../../src/render/manifest';
import {
  aDoor,
  aFront,
  aMember,
  anEdge,
  anEdgeBackend,
  anEgress,
  anEgressBackend,
  aRouted,
  aRouting,
  OPENAI,
  routedOn,
} from './build';
import { breaches } from './invariants';

const elsewhere = { namespace: 'team-b', name: 'llama' };
const secret = { namespace: 'fleetwright-system', name: 'fleet-keys', key: 'bob' };

const without = (kind: string) => (all: Manifest[]) => all.filter((one) => one.kind !== kind);
const text = (from: string, to: string) => (all: Manifest[]) =>
  JSON.parse(JSON.stringify(all).replaceAll(from, to)) as Manifest[];

describe('no route lets anybody in, and what it refers to is there', () => {
  const cases: Record<string, Routing> = {
    'of a service with a second tier': aRouting(),
    'to a deployment of another namespace': aRouting({
      edges: [anEdge({ backends: [anEdgeBackend({ deployment: elsewhere })] })],
    }),
    'to an endpoint of another namespace, with its credential': aRouting({
      egresses: [
        anEgress({
          backends: [
            anEgressBackend({
              endpoint: { namespace: 'team-b', name: 'openai' },
              credential: {
                header: 'x-api-key',
                secret: { namespace: 'team-b', name: 'key', key: 'credential' },
              },
            }),
          ],
        }),
      ],
    }),
    'at two fronts of one cluster': aRouting({
      fronts: [aFront(), aFront({ gateway: 'staff', name: 'front-staff-1', hostname: 'staff.example.com' })],
      services: [aRouted([aMember(), OPENAI], { doors: [aDoor(), aDoor({ gateway: 'staff' })] })],
    }),
    'by keys of the gateway': aRouting({
      services: [
        aRouted([aMember(), OPENAI], {
          doors: [aDoor({ auth: { kind: 'ApiKeys', keys: [{ name: 'bob', secret }] } })],
        }),
      ],
    }),
  };
  test.each(Object.entries(cases))('%s', (_, routing) => {
    expect(breaches(routedOn(routing))).toEqual([]);
  });
});

describe('the check finds', () => {
  const cases: Record<string, { change: (all: Manifest[]) => Manifest[]; want: RegExp }> = {
    'routes of a front without keys': {
      change: without('SecurityPolicy'),
      want: /chat-public.* lets everybody in/,
    },
    'an edge that asks for no certificate': {
      change: text('clientValidation', 'x'),
      want: /chat-0-llama.* lets everybody in/,
    },
    'an egress on the internet': {
      change: text('"ClusterIP"', '"LoadBalancer"'),
      want: /puts a credential on requests from outside/,
    },
    'a policy of a route that is not there': { change: without('HTTPRoute'), want: /refers to HTTPRoute/ },
    'a route without its traffic policy': {
      change: without('BackendTrafficPolicy'),
      want: /has 0 of BackendTrafficPolicy/,
    },
    'a second policy of a route': {
      change: (all) => [...all, ...all.filter(({ kind }) => kind === 'SecurityPolicy')],
      want: /has 2 of SecurityPolicy/,
    },
    'an authority without a name': {
      change: text('"hostname":"api.openai.com","well', '"well'),
      want: /chat-1-openai.* takes every certificate/,
    },
  };
  test.each(Object.entries(cases))('%s', (_, { change, want }) => {
    expect(breaches(change(routedOn(aRouting()))).join('\n')).toMatch(want);
  });

  test('a reference across namespaces that nobody grants', () => {
    const routing = aRouting({ edges: [anEdge({ backends: [anEdgeBackend({ deployment: elsewhere })] })] });
    const all = routedOn(routing).filter(({ kind }) => kind !== 'ReferenceGrant');
    expect(breaches(all).join('\n')).toMatch(/may not refer to Service team-b\/llama-1/);
  });
});
