import { lintRoutes } from '../../../src/render/route-lints/lint-routes';
import type { Routing } from '../../../src/routing/routing';
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
  PICKER,
  routedOn,
} from '../routing/build';

const elsewhere = { namespace: 'team-b', name: 'llama' };
const secret = { namespace: 'fleetwright-system', name: 'fleet-keys', key: 'bob' };

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
    'with an endpoint picker, which is in the namespace of gateways': aRouting({
      edges: [anEdge({ backends: [anEdgeBackend({ picker: PICKER })] })],
    }),
    'at two fronts of one cluster': aRouting({
      fronts: [aFront(), aFront({ gateway: 'staff', name: 'front-staff-1', hostname: 'staff.example.com' })],
      services: [aRouted([aMember(), OPENAI], { gateways: [aDoor(), aDoor({ gateway: 'staff' })] })],
    }),
    'by keys of the gateway': aRouting({
      services: [
        aRouted([aMember(), OPENAI], {
          gateways: [aDoor({ auth: { kind: 'ApiKeys', keys: [{ name: 'bob', secret }] } })],
        }),
      ],
    }),
  };
  test.each(Object.entries(cases))('%s', (_, routing) => {
    expect(lintRoutes(routedOn(routing))).toEqual([]);
  });
});
