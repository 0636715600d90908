import type { Manifest } from '../../../src/manifest/kubernetes/manifest';
import { routeNameOf } from '../../../src/manifest/kubernetes/object-names';
import type { RoutedService, RouteMember } from '../../../src/routing/routing';
import type { Doc } from '../../api/build';
import {
  aDoor,
  aMember,
  anEdge,
  anEdgeBackend,
  aRouted,
  aRouting,
  CHAT,
  OPENAI,
  routedOn,
  specOf,
  WEST,
} from './build';

const ROUTE = routeNameOf(CHAT, 'public');

/** A replica on `us`, and 17 on `west` and the same cluster, which are more than a rule takes. */
const crowd = Array.from({ length: 17 }, (_, i): RouteMember => {
  return aMember({ hostname: `0.r${i}`, cluster: i === 0 ? 'us' : 'west', replicas: [i] });
});

function made(service: RoutedService): Manifest[] {
  const edges = [anEdge({ backends: [anEdgeBackend()] }), anEdge({ cluster: 'west' })];
  return routedOn(aRouting({ services: [service], edges }));
}

const routeOf = (all: Manifest[], name: string): Doc[] => specOf(all, 'HTTPRoute', name).rules as Doc[];

describe('members that are more than a rule takes', () => {
  const all = made(aRouted([...crowd, { ...OPENAI, weight: 4 }]));
  const backends = all.filter(({ kind, metadata }) => kind === 'Backend' && metadata.name.includes('bundle'));

  test('are endpoints of one Backend, each by its own Host and address', () => {
    const { endpoints } = specOf(all, 'Backend', 'chat-0-bundle') as { endpoints: Doc[] };
    expect(endpoints).toHaveLength(17);
    expect(endpoints.slice(0, 2)).toEqual([
      {
        hostname: '0.r0',
        fqdn: { hostname: 'fleetwright-edge.fleetwright-system.svc.cluster.local', port: 443 },
      },
      { hostname: '0.r1', fqdn: { hostname: 'edge.west.example.com', port: 443 } },
    ]);
  });

  test('have one name in their certificates', () => {
    const { validation } = specOf(all, 'BackendTLSPolicy', 'chat-0-bundle') as { validation: Doc };
    expect(validation['hostname']).toBe('edge.fleetwright.internal');
  });

  test('of one edge have its own', () => {
    const west = made(aRouted(crowd.map((one) => ({ ...one, cluster: 'west' }))));
    const { validation } = specOf(west, 'BackendTLSPolicy', 'chat-0-bundle') as { validation: Doc };
    expect(validation['hostname']).toBe('edge.west.example.com');
  });

  test('share a rule with the second tier, which comes second', () => {
    const refs = routeOf(all, ROUTE)[0]!['backendRefs'] as Doc[];
    expect(refs.map(({ weight }) => weight)).toEqual([1, 1]);
    expect(backends.map(({ spec }) => spec?.['fallback'])).toEqual([undefined, true]);
  });

  test('have a Backend in each rule, since rules have other members', () => {
    const rules = [
      { headers: [{ name: 'x', value: 'y' }], members: crowd },
      { headers: [], members: crowd },
    ];
    const names = made(aRouted([], { rules }))
      .filter(({ kind }) => kind === 'Backend')
      .map(({ metadata }) => metadata.name)
      .filter((name) => name.includes('bundle'));
    expect(new Set(names).size).toBe(2);
  });
});

describe('a service with WebSockets', () => {
  const headers = [{ name: 'x-canary', value: '1' }];
  const webSockets = [
    { headers, members: [WEST] },
    { headers: [], members: [aMember(), aMember({ tier: 1, hostname: '1.llama' })] },
  ];
  const all = made(
    aRouted([aMember(), OPENAI], { webSockets, gateways: [aDoor({ timeouts: { idle: 60, connect: 1 } })] }),
  );

  test('has a route for requests that begin one, before that for all others', () => {
    const upgrade = { type: 'RegularExpression', name: 'upgrade', value: '(?i)websocket' };
    expect(routeOf(all, 'chat-public-websocket').map(({ matches }) => matches)).toEqual([
      [
        {
          path: { type: 'PathPrefix', value: '/team-a/chat/' },
          method: 'GET',
          headers: [{ type: 'Exact', name: 'x-canary', value: '1' }, upgrade],
        },
      ],
      [{ path: { type: 'PathPrefix', value: '/team-a/chat/' }, method: 'GET', headers: [upgrade] }],
    ]);
  });

  test('asks edges in HTTP/1.1, by Backends of their own', () => {
    const own = all.filter(({ kind, metadata }) => kind === 'Backend' && metadata.name.endsWith('-ws'));
    expect(own.map(({ spec }) => [spec?.['appProtocols'], spec?.['fallback']])).toEqual([
      [['gateway.envoyproxy.io/wss'], undefined],
      [['gateway.envoyproxy.io/wss'], undefined],
      [['gateway.envoyproxy.io/wss'], true],
    ]);
    expect(specOf(all, 'Backend', 'chat-1-openai-egress').appProtocols).toBeUndefined();
  });

  test('bounds no bodies there, and all else as everywhere', () => {
    const { requestBuffer, ...rest } = specOf(all, 'BackendTrafficPolicy', ROUTE);
    const { targetRefs, ...other } = specOf(all, 'BackendTrafficPolicy', 'chat-public-websocket');
    expect(requestBuffer).toEqual({ limit: '32Mi' });
    expect({ ...rest, targetRefs }).toEqual({ ...other, targetRefs });
  });

  test('asks for the same keys there', () => {
    const { targetRefs } = specOf(all, 'SecurityPolicy', 'chat-public') as { targetRefs: Doc[] };
    expect(targetRefs.map(({ name }) => (name as string).replace(/-[0-9a-f]{5}$/, ''))).toEqual([
      'chat-public',
      'chat-public-websocket',
      'chat-public-answers',
    ]);
  });

  test('keeps the second tier untouched there', () => {
    const { jsonPatches } = specOf(all, 'EnvoyPatchPolicy') as { jsonPatches: { name: string }[] };
    const clusters = jsonPatches.map(({ name }) => name.replace(/-[0-9a-f]{5}\//, '/'));
    expect(clusters).toContain('httproute/team-a/chat-public-websocket/rule/1');
    expect(clusters).not.toContain('httproute/team-a/chat-public-websocket/rule/0');
  });
});

test('a service without WebSockets has no route for them', () => {
  expect(JSON.stringify(made(aRouted([aMember()])))).not.toContain('websocket');
});
