import type { Manifest } from '../../../src/manifest/kubernetes/manifest';
import { renderClusterRouting, type RoutingManifests } from '../../../src/render/routing/cluster-routing';
import type { Edge, EdgeBackend, Egress, EgressBackend, Front } from '../../../src/routing/gateway-types';
import type { RoutedService, RouteMember, Routing, ServiceListener } from '../../../src/routing/routing';
import type { HealthCheck, Picker } from '../../../src/routing/traffic-types';
import { aCluster, type Doc } from '../../api/build';

/** The service of most rows. */
export const CHAT = { namespace: 'team-a', name: 'chat' };

const CA = 'fleetwright-ca';
const CLIENT = 'front.us.fleetwright.internal';
const BODY = 32 * 1024 * 1024;
const ISSUER = { name: 'fleet', kind: 'ClusterIssuer' } as const;
const TIMES = { idle: 3600, connect: 5 };

/** How members are asked. */
export const CHECK: HealthCheck = {
  interval: 10,
  timeout: 5,
  healthyThreshold: 1,
  unhealthyThreshold: 3,
  expectedStatuses: [200],
};

/** The front of gateway `public` on cluster `us`. */
export function aFront(more: Partial<Front> = {}): Front {
  return {
    cluster: 'us',
    source: 'GKE',
    gateway: 'public',
    name: 'front-public-1',
    hostname: 'models.example.com',
    address: 'models.example.com',
    reach: 'Public',
    tls: { secret: 'front-tls', dnsNames: ['models.example.com'], issuer: ISSUER },
    client: { secret: 'client-tls', dnsNames: [CLIENT], issuer: ISSUER },
    ca: CA,
    maxRequestBody: BODY,
    idleCheckInterval: 10,
    ...more,
  };
}

/** The edge of cluster `us`. */
export function anEdge(more: Partial<Edge> = {}): Edge {
  const { cluster = 'us' } = more;
  const hostname = `edge.${cluster}.example.com`;
  return {
    cluster,
    source: 'GKE',
    hostname,
    serverName: hostname,
    reach: 'Public',
    tls: { secret: 'edge-tls', dnsNames: [hostname], issuer: ISSUER },
    ca: CA,
    clientNames: [CLIENT],
    idleCheckInterval: 10,
    backends: [],
    ...more,
  };
}

/** The egress of cluster `us`. */
export function anEgress(more: Partial<Egress> = {}): Egress {
  return {
    cluster: 'us',
    source: 'GKE',
    serverName: 'fleetwright-egress.fleetwright-system.svc.cluster.local',
    tls: { secret: 'egress-tls', dnsNames: ['fleetwright-egress'], issuer: ISSUER },
    ca: CA,
    clientNames: [CLIENT],
    maxRequestBody: BODY,
    backends: [],
    ...more,
  };
}

const arrival = {
  service: CHAT,
  path: '/team-a/chat/',
  readyPath: '/team-a/chat/-/ready',
  timeouts: TIMES,
};

/** Deployment `llama` on cluster `us`, as service `chat` asks for it. */
export function anEdgeBackend(more: Partial<EdgeBackend> = {}): EdgeBackend {
  return {
    ...arrival,
    hostname: '0.llama.chat.team-a.us.fleetwright.internal',
    tier: 0,
    deployment: { namespace: 'team-a', name: 'llama' },
    replicas: [0, 1],
    target: {
      service: 'llama-1',
      port: 8000,
      containerPort: 8000,
      selector: { 'fleetwright.dev/deployment': 'llama' },
    },
    enginePath: '/health',
    health: CHECK,
    picker: { kind: 'LeastRequest' },
    ...more,
  };
}

/** An endpoint picker before the pods of a deployment. */
export const PICKER: Picker = { kind: 'PrefixCache', mode: 'Unified', blockSize: 32 };

/** Endpoint `openai`, as service `chat` asks for it when nothing else serves. */
export function anEgressBackend(more: Partial<EgressBackend> = {}): EgressBackend {
  return {
    ...arrival,
    hostname: '1.openai.chat.team-a.egress.fleetwright.internal',
    tier: 1,
    endpoint: { namespace: 'team-a', name: 'openai' },
    host: 'api.openai.com',
    isAddress: false,
    port: 443,
    tls: { serverName: 'api.openai.com' },
    rewrite: { from: '/team-a/chat/v1', to: '/v1' },
    credential: {
      header: 'authorization',
      secret: { namespace: 'team-a', name: 'openai-key', key: 'credential' },
    },
    model: 'gpt-4o-mini',
    ...more,
  };
}

/** The member behind `anEdgeBackend`. */
export function aMember(more: Partial<RouteMember> = {}): RouteMember {
  return {
    kind: 'Edge',
    tier: 0,
    weight: 1,
    entry: 0,
    hostname: '0.llama.chat.team-a.us.fleetwright.internal',
    cluster: 'us',
    target: { namespace: 'team-a', name: 'llama' },
    replicas: [0, 1],
    ...more,
  };
}

/** The member behind `anEgressBackend`. */
export const OPENAI: RouteMember = {
  kind: 'External',
  tier: 1,
  weight: 1,
  entry: 1,
  hostname: '1.openai.chat.team-a.egress.fleetwright.internal',
  target: { namespace: 'team-a', name: 'openai' },
  replicas: [],
};

/** A service at gateway `public` on cluster `us`, with a key. */
export function aDoor(more: Partial<ServiceListener> = {}): ServiceListener {
  return {
    gateway: 'public',
    cluster: 'us',
    url: 'https://models.example.com/team-a/chat/',
    auth: {
      kind: 'ApiKeys',
      keys: [{ name: 'alice', secret: { namespace: 'team-a', name: 'keys', key: 'alice' } }],
    },
    rateLimits: [],
    timeouts: TIMES,
    ...more,
  };
}

/** Tokens in place of keys. */
export const JWT = {
  kind: 'Jwt',
  issuer: 'https://accounts.example.com',
  audiences: ['models'],
  jwksUri: 'https://accounts.example.com/keys',
  clientClaim: 'sub',
} as const;

/** Service `chat` with one rule. */
export function aRouted(members: readonly RouteMember[], more: Partial<RoutedService> = {}): RoutedService {
  return {
    ...CHAT,
    path: '/team-a/chat/',
    readyPath: '/team-a/chat/-/ready',
    models: ['llama'],
    gateways: [aDoor()],
    rules: [{ headers: [], members }],
    health: CHECK,
    ...more,
  };
}

/** `chat` over `llama` on `us` and, when that is down, `openai`. */
export function aRouting(more: Partial<Routing> = {}): Routing {
  return {
    fronts: [aFront()],
    edges: [anEdge({ backends: [anEdgeBackend()] })],
    egresses: [anEgress({ backends: [anEgressBackend()] })],
    services: [aRouted([aMember(), OPENAI])],
    ...more,
  };
}

/** What a cluster gets for a routing. */
export function routingOn(routing: Routing, name = 'us'): RoutingManifests {
  return renderClusterRouting(routing, { cluster: aCluster(name), settings: undefined });
}

/** The objects of a cluster for a routing. */
export function routedOn(routing: Routing, name = 'us'): Manifest[] {
  const { gateways, services } = routingOn(routing, name);
  return [...gateways, ...services.flatMap(({ manifests }) => manifests)];
}

/** The spec of the only object of a kind whose name begins like this. */
export function specOf(manifests: readonly Manifest[], kind: string, name = ''): Doc {
  const found = manifests.filter((one) => one.kind === kind && one.metadata.name.startsWith(name));
  if (found.length !== 1) {
    const all = found.map(({ metadata }) => metadata.name).join(', ');
    throw new Error(`${found.length} of ${kind} ${name}: ${all}`);
  }
  return found[0]!.spec as Doc;
}

/** The member behind the edge of cluster `west`. */
export const WEST = aMember({
  cluster: 'west',
  hostname: '0.llama.chat.team-a.west.fleetwright.internal',
  weight: 3,
});

/** The objects at the front of a service, and at what is next to it. */
export function atFront(service: RoutedService): Manifest[] {
  const edges = [anEdge({ backends: [anEdgeBackend()] }), anEdge({ cluster: 'west' })];
  return routedOn(aRouting({ services: [service], edges }));
}
