import type { ModelDeployment } from '../api/model-deployment';
import { createCachedGroupBy } from '../base/order';
import type { Edge, EdgeBackend, Egress, Front, NamespacedName } from './gateway-types';
import type { Objectives } from './service-objectives';
import type { Auth, HealthCheck, RateLimit, Timeouts } from './traffic-types';

/**
 * How requests reach replicas and endpoints. The manifests depend on the routing only. All lists are sorted, so that
 * equal fleets have equal routing.
 */
export interface Routing {
  /** Sorted by cluster and gateway. */
  readonly fronts: readonly Front[];

  /** The edges that services need, sorted by cluster. */
  readonly edges: readonly Edge[];

  /** Egresses on clusters with a front, if a service has an external endpoint, sorted by cluster. */
  readonly egresses: readonly Egress[];

  /** Services with at least one member, sorted by namespace and name. */
  readonly services: readonly RoutedService[];
}

/** The routing of a fleet that routes no requests. */
export const NO_ROUTING: Routing = { fronts: [], edges: [], egresses: [], services: [] };

/** Lists the routes to the replicas of a deployment at the edge of a cluster. */
export function listBackendsOf(
  { metadata }: Pick<ModelDeployment, 'metadata'>,
  cluster: string,
  { edges }: Pick<Routing, 'edges'>,
): readonly EdgeBackend[] {
  const local = edgesByCluster(edges).get(cluster) ?? [];
  return local.flatMap(({ backends }) => backendsByDeployment(backends).get(idOf(metadata)) ?? []);
}

const edgesByCluster = createCachedGroupBy(({ cluster }: Edge) => cluster);

const backendsByDeployment = createCachedGroupBy(({ deployment }: EdgeBackend) => idOf(deployment));

function idOf({ namespace = '', name }: { readonly namespace?: string | undefined; readonly name: string }): string {
  return `${namespace}/${name}`;
}

/** A service with its routes, the same on every ingress gateway. */
export interface RoutedService extends NamespacedName {
  /** What its requests begin with: `/team-a/chat/`. */
  readonly path: string;

  /** The path by which members are asked: `/team-a/chat/-/ready`. */
  readonly readyPath: string;

  /** The names of models that requests may have, sorted: what `/v1/models` answers. Empty: unknown, and the answer is that of an engine. */
  readonly models: readonly string[];

  /** On which ingress gateways, by cluster and name, each with all that its policies say. */
  readonly gateways: readonly ServiceListener[];

  /** The first that matches takes a request, so narrower ones come first. At most 16, none without targets. */
  readonly rules: readonly RouteRule[];

  /** The same for requests that become WebSockets: without models, and to replicas alone. Absent: they are refused. */
  readonly webSockets?: readonly RouteRule[];

  /** How ingress gateways ask its members at `readyPath`. */
  readonly health: HealthCheck;

  /** What it guarantees. Absent: nothing. */
  readonly objectives?: Objectives;

  /** Requests with the same value of this header go to the same member, while it serves. */
  readonly affinity?: string;
}

/** A service on one ingress gateway. */
export interface ServiceListener {
  readonly gateway: string;
  readonly cluster: string;

  /** Where clients find it, with a slash at the end: `https://models.example.com/team-a/chat/`. */
  readonly url: string;
  readonly auth: Auth;
  readonly rateLimits: readonly RateLimit[];
  readonly timeouts: Timeouts;
}

/** Requests of one kind, and where they go. */
export interface RouteRule {
  /** Headers that a request has to carry, sorted by name; names in small letters. Empty: none. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];

  /**
   * The model that a request has to name, because only these members have it. The ingress gateway puts the model of the
   * body into the header `x-fleetwright-model` and matches on that. Absent: any model.
   */
  readonly model?: string;

  /** By tier and host name. Where they are more than 16, those of equal shares are one backend together. */
  readonly members: readonly RouteMember[];
}

/** What gets a share of the requests of a rule: a backend of a cluster gateway, or of the egress gateways. */
export interface RouteMember {
  readonly kind: 'Edge' | 'External';
  readonly tier: 0 | 1;

  /** Relative to others of its tier, 1 to 1,000,000; without a common divisor in it. */
  readonly weight: number;

  /** The item of `spec.endpoints` of the service that selects it, from 0. */
  readonly entry: number;

  /** That of the backend of the cluster gateway or egress gateway. Each rule has it once. */
  readonly hostname: string;

  /** Of kind `Edge`: the cluster of the cluster gateway. */
  readonly cluster?: string;

  /** The ModelDeployment, or the ModelEndpoint of kind External. */
  readonly target: NamespacedName;

  /** Of kind `Edge`: the indices of the replicas behind it, sorted. */
  readonly replicas: readonly number[];
}

/** The header for the model of the request body, which a front sets. */
export const MODEL_HEADER = 'x-fleetwright-model';

/** The header for the name of the client, which a front sets for rate limits. Values from clients are dropped. */
export const CLIENT_HEADER = 'x-fleetwright-client';
