import type { Edge, EdgeBackend } from '../../src/routing/gateway-types';
import { anEngine } from '../api/build';
import { aDoor, aModel, aSite, aSplit, routed, to } from './build';

const east = aSite('east');
const west = aSite('west');
const model = aModel('ml/llama', { replicaLabels: { app: 'chat' } });
const chat = aSplit('ml/chat', [to({ app: 'chat' })]);

describe('an edge', () => {
  const cases: Record<string, { gateway?: object; want: Partial<Edge> }> = {
    'is known by its host name': {
      want: {
        hostname: 'edge.east.example.com',
        serverName: 'edge.east.example.com',
        reach: 'Public',
        tls: {
          secret: 'fleetwright-edge-tls',
          dnsNames: ['edge.east.example.com'],
          issuer: { name: 'fleet', kind: 'ClusterIssuer' },
        },
        ca: 'fleet-ca',
        clientNames: ['front.east.fleetwright.internal'],
        idleCheckInterval: 10,
      },
    },
    'without a host name is known by its Service, on its cluster alone': {
      gateway: { hostname: undefined },
      want: { serverName: 'fleetwright-edge.fleetwright-system.svc.cluster.local', reach: 'Cluster' },
    },
    'has the certificate that the cluster names': {
      gateway: {
        tls: {
          certificateRef: { name: 'own' },
          clientCertificateRef: { name: 'client' },
          caRef: { name: 'ca' },
        },
      },
      want: { tls: { secret: 'own', dnsNames: ['edge.east.example.com'] }, ca: 'ca' },
    },
    'says which zone its record belongs to': {
      gateway: { dns: { zone: 'example.com' }, reach: 'Private' },
      want: { dns: { zone: 'example.com' }, reach: 'Private' },
    },
  };
  test.each(Object.entries(cases))('%s', (_, { gateway = {}, want }) => {
    const { edges } = routed(aSite('east', { gateway }), model, chat, aDoor(['east']));
    expect(edges).toEqual([expect.objectContaining(want)]);
  });

  test('has the name of all edges next to its own where a rule has more of them than it takes', () => {
    const names = Array.from({ length: 17 }, (_, i) => `site-${10 + i}`);
    const sites = names.map((name) => aSite(name));
    const everywhere = aModel('ml/llama', { replicas: 17, replicaLabels: { app: 'chat' } });
    const { edges } = routed(...sites, everywhere, chat, aDoor(['site-10']));
    expect(edges.map(({ tls }) => tls.dnsNames)).toEqual(
      names.map((name) => [`edge.${name}.example.com`, 'edge.fleetwright.internal']),
    );
  });

  test('lets the fronts of all clusters in, and no other', () => {
    const { edges } = routed(east, west, model, chat, aDoor(['east', 'west']));
    expect(edges.map(({ cluster, clientNames }) => [cluster, clientNames])).toEqual([
      ['east', ['front.east.fleetwright.internal', 'front.west.fleetwright.internal']],
    ]);
  });
});

describe('an edge asks', () => {
  const cases: Record<string, { model: object; service?: object; want: Partial<EdgeBackend> }> = {
    'engines at the path of their runtime, of one replica too': {
      model: {},
      want: {
        hostname: '0.llama.chat.ml.east.fleetwright.internal',
        path: '/ml/chat/',
        readyPath: '/ml/chat/-/ready',
        enginePath: '/health',
        replicas: [0],
        target: {
          service: expect.stringMatching(/^llama-/) as never,
          port: 8000,
          containerPort: 8000,
          selector: { 'fleetwright.dev/deployment': 'llama', 'fleetwright.dev/serving': 'true' },
        },
        health: {
          interval: 10,
          timeout: 5,
          healthyThreshold: 1,
          unhealthyThreshold: 3,
          expectedStatuses: [200],
        },
        picker: { kind: 'LeastRequest' },
      },
    },
    'what the deployment says, field by field before the runtime': {
      model: { healthCheck: { path: '/live', interval: '2s', expectedStatuses: [204, 200], port: 8000 } },
      want: {
        enginePath: '/live',
        health: {
          interval: 2,
          timeout: 5,
          healthyThreshold: 1,
          unhealthyThreshold: 3,
          expectedStatuses: [200, 204],
        },
      },
    },
    'the pod of a session': {
      model: {},
      service: { sessionAffinity: { header: 'X-Session' } },
      want: { picker: { kind: 'ConsistentHash', header: 'x-session' } },
    },
    'the pod with the beginning of the prompt, by blocks of the engine': {
      model: {
        engines: [
          anEngine('main', {
            members: [
              {
                nodeSelector: { devices: [{ name: 'gpu', selectors: [{ cel: 'true' }] }] },
                template: {
                  spec: {
                    containers: [
                      {
                        name: 'engine',
                        image: 'lmsysorg/sglang:v0.5.5',
                        command: ['sh', '-c'],
                        args: [
                          'exec python3 -m sglang.launch_server --model-path m --host 0.0.0.0 --port 8000 --page-size 32',
                        ],
                      },
                    ],
                  },
                },
              },
            ],
          }),
        ],
      },
      service: { picker: 'PrefixCache' },
      want: { picker: { kind: 'PrefixCache', mode: 'Unified', blockSize: 32 } },
    },
  };
  test.each(Object.entries(cases))('%s', (_, { model: options, service = {}, want }) => {
    const asked = aModel('ml/llama', { replicaLabels: { app: 'chat' }, ...options });
    const routing = routed(east, asked, aDoor(['east']), aSplit('ml/chat', [to({ app: 'chat' })], service as never));
    expect(routing.edges[0]?.backends).toEqual([expect.objectContaining(want)]);
  });

  test('no one where the deployment says so', () => {
    const silent = aModel('ml/llama', { replicaLabels: { app: 'chat' }, healthCheck: { enabled: false } });
    const [backend] = routed(east, silent, chat, aDoor(['east'])).edges[0]?.backends ?? [];
    expect(backend).not.toHaveProperty('health');
    expect(backend).not.toHaveProperty('enginePath');
  });
});
