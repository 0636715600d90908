import { createHash } from 'node:crypto';
import { redactValue } from '../api/secret-detection';
import { redact } from '../base/redaction';
import { clusterHostOf, EDGE_NAME, EGRESS_NAME, HTTPS_PORT } from './addresses';
import type { EdgeBackend, EgressBackend, NamespacedName } from './gateway-types';
import type { RoutedService, RouteMember, RouteRule, Routing, ServiceListener } from './routing';
import type { HealthCheck } from './traffic-types';
import { formatShare, totalWeightOf } from './weights';

/** The version of `RoutingDocument`. It grows when a field goes or changes its meaning; new fields leave it. */
const ROUTING_VERSION = 1;

/** How requests reach what serves, for machines: what `synth` writes as `routing.json`. `schema/routing.json` is made from this type. */
export interface RoutingDocument {
  readonly kind: 'Routing';
  readonly version: typeof ROUTING_VERSION;

  /** `sha256:` and the SHA-256 of the canonical JSON of `services` and `routes`: it changes when they do. */
  readonly digest: string;

  /** By key. */
  readonly services: readonly ServiceEntry[];

  /** By service, rule and tier. */
  readonly routes: readonly RouteEntry[];
}

/** A service, and where clients find it. */
export interface ServiceEntry {
  /** `namespace/name`: by this others find it. */
  readonly key: string;

  /** One a gateway and cluster. */
  readonly urls: readonly Pick<ServiceListener, 'gateway' | 'cluster' | 'url'>[];

  /** The names of models that requests may have. Empty: unknown. */
  readonly models: readonly string[];

  /** Whether requests may become WebSockets: to replicas alone, which share them among themselves as all others. */
  readonly webSocket: boolean;
}

/** One way of requests: from ingress gateways to replicas of a deployment on a cluster, or to an endpoint. */
export interface RouteEntry {
  /** Unique and stable: service, host name, and what requests have to match. */
  readonly id: string;

  /** The key of the service. */
  readonly service: string;

  /** `namespace/name` of the ModelDeployment. Absent: it is an endpoint. */
  readonly deployment?: string;

  /** `namespace/name` of the ModelEndpoint. */
  readonly endpoint?: string;

  /** Where the replicas are. Absent: outside the fleet. */
  readonly cluster?: string;

  /** The indices of the replicas behind it. Empty: an endpoint. */
  readonly replicas: readonly number[];

  /** Set where it is one replica. */
  readonly replica?: number;

  /** Where ingress gateways connect; those on the same cluster to `localHost` instead. */
  readonly host: string;
  readonly localHost: string;
  readonly port: number;
  readonly protocol: 'https';

  /** The Host that they send. */
  readonly virtualHost: string;

  /** What requests begin with. */
  readonly path: string;

  /** Absent: all requests. */
  readonly match?: { readonly headers: Readonly<Record<string, string>>; readonly model?: string };
  readonly tier: 0 | 1;

  /** Its exact share of the requests of its tier, a fraction: `4/5`. */
  readonly share: string;

  /** The exact share of each of its replicas. Absent: an endpoint. */
  readonly sharePerReplica?: string;

  /** How ingress gateways ask whether it serves. */
  readonly health: HealthCheck & { readonly path: string };

  /** How its cluster gateway checks engines. Absent if none checks them. */
  readonly engineHealth?: HealthCheck & { readonly path: string };

  /** The Service before its engines, within the cluster. Absent: an endpoint. */
  readonly target?: { readonly namespace: string; readonly service: string; readonly port: number };
}

/**
 * Converts a routing to a document for machines.
 *
 * @example
 * routingDocument(decision.routing).routes[0]?.share; // '4/5'
 */
export function routingDocument(routing: Routing): RoutingDocument {
  const backends = backendsOf(routing);
  const services = routing.services.map(toServiceEntry);
  const routes = withUniqueIds(
    routing.services.flatMap((service) =>
      service.rules.flatMap((rule) =>
        rule.members.map((member) => toRouteEntry(service, rule, member, backends.get(member.hostname))),
      ),
    ),
  );
  const all = JSON.stringify({ services, routes });
  const content = redact(all);
  const digest = `sha256:${createHash('sha256').update(content).digest('hex')}`;
  const shown =
    content === all ? { services, routes } : (JSON.parse(content) as Pick<RoutingDocument, 'services' | 'routes'>);
  return { kind: 'Routing', version: ROUTING_VERSION, digest, ...shown };
}

/** Numbers the routes whose matches differ only in values that are hidden. */
function withUniqueIds(routes: readonly RouteEntry[]): RouteEntry[] {
  const counts = new Map<string, number>();
  return routes.map((route) => {
    const count = (counts.get(route.id) ?? 0) + 1;
    counts.set(route.id, count);
    return count === 1 ? route : { ...route, id: `${route.id} ${count}` };
  });
}

/** The file in the output folder with the routing of the fleet. */
export const ROUTING_FILE = 'routing.json';

/** Returns the path of the routing file, relative to the output folder, and its text. Empty if nothing is routed. */
export function formatRoutingFiles(routing: Routing): [path: string, text: string][] {
  if (routing.services.length === 0) return [];
  return [[ROUTING_FILE, `${JSON.stringify(routingDocument(routing), null, 2)}\n`]];
}

interface HostBackend {
  readonly backend: EdgeBackend | EgressBackend;
  readonly host: string;
}

/** Returns the backends by host name. All egresses have the same backends. */
function backendsOf({ edges, egresses }: Routing): Map<string, HostBackend> {
  const all = [...edges, ...egresses.slice(0, 1)].flatMap(({ serverName, backends }) =>
    backends.map((backend): HostBackend => ({ backend, host: serverName })),
  );
  return new Map(all.map((one) => [one.backend.hostname, one]));
}

function toServiceEntry(service: RoutedService): ServiceEntry {
  const urls = service.gateways.map(({ gateway, cluster, url }) => ({ gateway, cluster, url }));
  return { key: keyOf(service), urls, models: service.models, webSocket: service.webSockets !== undefined };
}

function toRouteEntry(
  service: RoutedService,
  rule: RouteRule,
  member: RouteMember,
  behind: HostBackend | undefined,
): RouteEntry {
  if (!behind) throw new Error(`bug: nothing is behind ${member.hostname}`);
  const { host, backend } = behind;
  const { cluster, tier, replicas, hostname } = member;
  const match = matchOf(rule);
  const [only, ...others] = replicas;
  return {
    id: [keyOf(service), hostname, ...(match ? [JSON.stringify(match)] : [])].join(' '),
    service: keyOf(service),
    ...(member.kind === 'Edge' ? { deployment: keyOf(member.target) } : { endpoint: keyOf(member.target) }),
    ...(cluster !== undefined && { cluster }),
    replicas,
    ...(only !== undefined && others.length === 0 && { replica: only }),
    host,
    localHost: clusterHostOf(member.kind === 'Edge' ? EDGE_NAME : EGRESS_NAME),
    port: HTTPS_PORT,
    protocol: 'https',
    virtualHost: hostname,
    path: service.path,
    ...(match && { match }),
    tier,
    ...sharesOf(rule, member),
    health: { ...service.health, path: service.readyPath },
    ...('target' in backend && engineOf(backend)),
  };
}

function sharesOf(
  { members }: RouteRule,
  { weight, tier, replicas }: RouteMember,
): Pick<RouteEntry, 'share' | 'sharePerReplica'> {
  const total = totalWeightOf(members, tier);
  const share = formatShare(weight, total);
  return replicas.length === 0 ? { share } : { share, sharePerReplica: formatShare(weight, total, replicas.length) };
}

function engineOf({ deployment, target, health, enginePath }: EdgeBackend): Partial<RouteEntry> {
  const { service, port } = target;
  return {
    ...(health && enginePath !== undefined && { engineHealth: { ...health, path: enginePath } }),
    target: { namespace: deployment.namespace, service, port },
  };
}

function matchOf({ headers, model }: RouteRule): RouteEntry['match'] | undefined {
  if (headers.length === 0 && model === undefined) return undefined;
  const byName = Object.fromEntries(headers.map(({ name, value }) => [name, redactValue(value, name)]));
  return { headers: byName, ...(model !== undefined && { model }) };
}

function keyOf({ namespace, name }: NamespacedName): string {
  return `${namespace}/${name}`;
}
