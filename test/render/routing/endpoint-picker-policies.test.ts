import type { Manifest } from '../../../src/manifest/kubernetes/manifest';
import type { EdgeBackend } from '../../../src/routing/gateway-types';
import type { Doc } from '../../api/build';
import { anEdge, anEdgeBackend, aRouting, PICKER, routedOn, specOf } from './build';

const SYSTEM = 'fleetwright-system';
const all = routedWith({});
const sockets = routedWith({ webSocket: true });
const toEngines = [{ group: '', kind: 'Service', name: 'llama-1', port: 8000 }];
const plain = routedOn(aRouting());

function routedWith(more: Partial<EdgeBackend>): Manifest[] {
  const backends = [anEdgeBackend({ picker: PICKER, ...more })];
  return routedOn(aRouting({ edges: [anEdge({ backends })] }));
}

function routeIn(some: readonly Manifest[]): Manifest {
  return some.find(({ kind, metadata }) => kind === 'HTTPRoute' && metadata.name.startsWith('chat-0-llama'))!;
}

function rulesIn(some: readonly Manifest[]): Doc[] {
  return routeIn(some).spec!['rules'] as Doc[];
}

describe('an edge with an endpoint picker', () => {
  const { name } = routeIn(all).metadata;
  const extension = specOf(all, 'EnvoyExtensionPolicy', 'chat-0-llama');
  const processor = (extension['extProc'] as Doc[])[0]!;
  const service = all.find(({ kind }) => kind === 'Service')!;
  const cases: Record<string, { got: unknown; want: unknown }> = {
    'follows it, and chooses itself where it says nothing': {
      got: specOf(all, 'BackendTrafficPolicy', 'chat-0-llama')['loadBalancer'],
      want: {
        type: 'LeastRequest',
        endpointOverride: { extractFrom: [{ header: 'x-gateway-destination-endpoint' }] },
      },
    },
    'shows it requests, and neither answers nor questions whether pods serve': {
      got: [extension['targetRefs'], processor['processingMode']],
      want: [
        [{ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', name, sectionName: 'requests' }],
        { request: { body: 'FullDuplexStreamed' } },
      ],
    },
    'names the rule that it shows': {
      got: rulesIn(all).map((rule) => [rule['name'], (rule['matches'] as Doc[])[0]]),
      want: [
        [undefined, { path: { type: 'Exact', value: '/team-a/chat/-/ready' } }],
        ['requests', { path: { type: 'PathPrefix', value: '/team-a/chat/' } }],
      ],
    },
    'shows it no request that becomes a WebSocket, whose body it would wait for': {
      got: rulesIn(sockets).map((rule) => [
        rule['name'],
        rule['backendRefs'],
        ((rule['matches'] as Doc[])[0]!['headers'] as Doc[] | undefined)?.map(({ name }) => name),
      ]),
      want: [
        [undefined, toEngines, undefined],
        [undefined, toEngines, ['upgrade']],
        ['requests', toEngines, undefined],
      ],
    },
    'has no rule for those where it picks itself': {
      got: rulesIn(routedWith({ webSocket: true, picker: { kind: 'LeastRequest' } })).length,
      want: 2,
    },
    'finds it by its Service': {
      got: processor['backendRefs'],
      want: [{ group: '', kind: 'Service', name: service.metadata.name, namespace: SYSTEM, port: 9002 }],
    },
    'knows within a second that it is away': {
      got: (processor['backendSettings'] as Doc)['healthCheck'],
      want: expect.objectContaining({
        panicThreshold: 0,
        active: expect.objectContaining({ interval: '1s', unhealthyThreshold: 1 }) as unknown,
      }) as unknown,
    },
    'bounds neither how many requests it has nor how long they take, only how long it thinks': {
      got: [
        (processor['backendSettings'] as Doc)['circuitBreaker'],
        processor['messageTimeout'],
        processor['statusOnError'],
      ],
      want: [{ maxConnections: 1_000_000, maxPendingRequests: 1_000_000, maxParallelRequests: 1_000_000 }, '5s', 503],
    },
    'lets requests pass while it is away': {
      got: specOf(all, 'EnvoyPatchPolicy', 'chat-0-llama'),
      want: {
        targetRef: { group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'fleetwright-edge' },
        type: 'JSONPatch',
        jsonPatches: [
          {
            type: 'type.googleapis.com/envoy.config.listener.v3.Listener',
            name: 'fleetwright-system/fleetwright-edge/https',
            operation: {
              op: 'add',
              jsonPath: `..http_filters[?(@.name=~"/team-a/${name}/extproc/0$")].typed_config`,
              path: 'failure_mode_allow',
              value: true,
            },
          },
        ],
      },
    },
    'lets no client say where its request goes': {
      got: (specOf(all, 'ClientTrafficPolicy', 'fleetwright-edge')['headers'] as Doc)['earlyRequestHeaders'],
      want: {
        remove: [
          'x-data-parallel-host-port',
          'x-encoder-hosts-ports',
          'x-gateway-destination-endpoint',
          'x-gateway-destination-endpoint-subset',
          'x-prefiller-host-port',
        ],
      },
    },
    'takes no header off where it picks itself': {
      got: specOf(plain, 'ClientTrafficPolicy', 'fleetwright-edge')['headers'],
      want: undefined,
    },
    'names no rule where it picks itself': {
      got: rulesIn(plain).filter((rule) => 'name' in rule),
      want: [],
    },
  };
  test.each(Object.entries(cases))('%s', (_, { got, want }) => expect(got).toEqual(want));
});
