import * as fc from 'fast-check';
import type { ReferencedObject } from '../../../src/manifest/kubernetes/references';
import { findExternalReferences } from '../../../src/render/external-references';
import { renderClusterRouting } from '../../../src/render/routing/cluster-routing';
import { listServiceReferences } from '../../../src/render/routing/service-references';
import type { EdgeBackend } from '../../../src/routing/gateway-types';
import type { Routing } from '../../../src/routing/routing';
import { aCluster } from '../../api/build';
import { routed } from '../../routing/build';
import { routedFleet } from '../../routing/fleets';
import { unlessUnlucky } from '../../routing/unlucky';
import {
  aDoor,
  aMember,
  anEdge,
  anEdgeBackend,
  anEgress,
  anEgressBackend,
  aRouted,
  aRouting,
  OPENAI,
  PICKER,
} from './build';

type Found = readonly (readonly [service: string, what: string])[];

/** What the rendered objects of services refer to, without Secrets, and their namespaces. */
function rendered(routing: Routing, name: string): Found {
  const { services } = renderClusterRouting(routing, { cluster: aCluster(name), settings: undefined });
  return services.flatMap(({ service, manifests }) => [
    ...manifests.flatMap(({ metadata }) => metadata.namespace ?? []).map((one) => [service.name, one] as const),
    ...findExternalReferences(manifests)
      .filter(({ kind }) => kind !== 'Secret')
      .map((one) => [service.name, textOf(one)] as const),
  ]);
}

function listed(routing: Routing, name: string): Found {
  return listServiceReferences(routing, aCluster(name)).flatMap(({ service, namespaces, references }) => [
    ...namespaces.map((one) => [service.name, one] as const),
    ...references.map((one) => [service.name, textOf(one)] as const),
  ]);
}

function textOf({ kind, namespace = '', name, key = '' }: ReferencedObject): string {
  return `${kind} ${namespace}/${name} ${key}`;
}

function expectSame(routing: Routing, names: readonly string[]): void {
  for (const name of names) expect(distinct(listed(routing, name))).toEqual(distinct(rendered(routing, name)));
}

function distinct(found: Found): string[] {
  return [...new Set(found.map((one) => one.join(' ')))].sort();
}

const ELSEWHERE = { namespace: 'engines', name: 'llama' };
const HOLDER = { host: 'holder.keda', port: 8080 };
const behind = (backend: Partial<EdgeBackend>) =>
  aRouting({ fronts: [], edges: [anEdge({ backends: [anEdgeBackend(backend)] })] });
const asked = (secret: { namespace: string; name: string; key: string }) =>
  aRouted([aMember(), OPENAI], { gateways: [aDoor({ auth: { kind: 'ApiKeys', keys: [{ name: 'alice', secret }] } })] });

test.each<[does: string, routing: Routing]>([
  ['engines in another namespace', behind({ deployment: ELSEWHERE })],
  ['a single replica in another namespace', behind({ deployment: ELSEWHERE, replica: 0, holder: HOLDER })],
  ['a proxy that holds requests for another namespace', behind({ deployment: ELSEWHERE, holder: HOLDER })],
  ['an endpoint picker', behind({ deployment: ELSEWHERE, picker: PICKER })],
  [
    'an endpoint picker next to its pool',
    behind({ deployment: ELSEWHERE, picker: { ...PICKER, pool: true } as never }),
  ],
  ['keys in another namespace', aRouting({ services: [asked({ namespace: 'keys', name: 'all', key: 'alice' })] })],
  ['no patches', aRouting({ services: [aRouted([aMember()])] })],
  [
    'an endpoint in another namespace with its own authority, whose credential is in a third',
    aRouting({
      egresses: [
        anEgress({
          backends: [
            anEgressBackend({
              endpoint: { namespace: 'rented', name: 'gpu' },
              tls: { serverName: 'gpu.example.com', ca: 'lan' },
              credential: { header: 'x-key', secret: { namespace: 'vault', name: 'gpu', key: 'key' } },
            }),
          ],
        }),
      ],
    }),
  ],
])('services declare all that their rendered objects refer to: %s', (_, routing) => {
  expectSame(routing, ['us']);
});

test('services of random fleets declare all that their rendered objects refer to', () => {
  fc.assert(
    fc.property(routedFleet, (resources) => {
      expectSame(
        unlessUnlucky(() => routed(...resources)),
        ['east', 'west', 'north'],
      );
    }),
    { numRuns: 12 },
  );
});
