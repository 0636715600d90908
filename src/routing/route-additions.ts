import type { InferenceCluster } from '../api/inference-cluster';
import type { InferenceGateway } from '../api/inference-gateway';
import { sortedBy } from '../base/order';
import type { Fleet } from '../fleet/fleet';
import { findMissingRequirements, type MissingRequirement } from './missing-requirements';
import type { PlacedGateway } from './placed-gateways';
import { edgeTargetsOf, type RoutingContext, type ServiceSelection } from './select-targets';

/** Names that lines for routes contain and that declarations may not have. */
export interface RouteNames {
  /** The DNS zone of the host names of edges. */
  readonly domain?: string | undefined;

  /** The ClusterIssuer of certificates. */
  readonly issuer?: string | undefined;

  /** The ConfigMap with the authority of the issuer. */
  readonly authority?: string | undefined;
}

type CompleteNames = Readonly<Record<keyof RouteNames, string>>;

/** Fields of `spec.gateway` of a cluster. */
interface AddedClusterGateway {
  readonly hostname?: string;
  readonly tls?: { readonly issuer: { readonly name: string }; readonly caRef: { readonly name: string } };
}

export interface AddedCluster {
  readonly name: string;
  readonly gateway: AddedClusterGateway;
}

export interface AddedGateway {
  readonly name: string;
  readonly clusters: readonly string[];
}

/** The fields that services without routes lack. */
export interface RouteAdditions {
  /** The services that get routes by them. */
  readonly services: readonly ServiceSelection[];

  /** What to add to clusters, by name. */
  readonly clusters: readonly AddedCluster[];

  /** What to add to gateways, by name. */
  readonly gateways: readonly AddedGateway[];

  /** A gateway to declare, because there is none. */
  readonly declare?: AddedGateway;
}

/**
 * Finds the fields that services lack to get routes, where declarations of the alias group are the reason: that group
 * has no fields for them. Returns undefined if there are no such services, or if no addition can help.
 */
export function findRouteAdditions(context: RoutingContext, names: CompleteNames): RouteAdditions | undefined {
  const { fleet, placedGateways, selections } = context;
  if (![...fleet.services, ...fleet.clusters].some(({ group }) => group === 'modelplane.ai')) return undefined;
  const lacking = selections.filter((selection) => lacksRoutes(selection, placedGateways));
  const cluster = chooseFrontCluster(fleet.clusters, lacking);
  if (lacking.length === 0 || !cluster) return undefined;
  const { added, ...more } = placeMore(context, cluster);
  const placed = [...placedGateways, ...added];
  const needs = lacking.map((selection) => findMissingRequirements(selection, placed));
  const helped = needs.map((all) => all.every(({ kind }) => FIELDS[kind] !== undefined));
  const services = lacking.filter((_, i) => helped[i]);
  const clusters = proposeClusters(needs.filter((_, i) => helped[i]).flat(), names);
  return services.length > 0 ? { services, clusters, ...more } : undefined;
}

/** Whether a service with targets has no routes, and a declaration of the alias group is the reason. */
function lacksRoutes(selection: ServiceSelection, placed: readonly PlacedGateway[]): boolean {
  if (selection.rules.every(({ targets }) => targets.length === 0)) return false;
  if (placed.length === 0) return selection.service.group === 'modelplane.ai';
  return findMissingRequirements(selection, placed).some(({ cluster }) => cluster.group === 'modelplane.ai');
}

interface PlacedMore extends Pick<RouteAdditions, 'gateways' | 'declare'> {
  readonly added: readonly PlacedGateway[];
}

/** Puts each gateway that is on no cluster on the given one. Without any gateway, declares one. */
function placeMore({ fleet, placedGateways }: RoutingContext, cluster: InferenceCluster): PlacedMore {
  const clusters = [cluster.metadata.name];
  if (fleet.gateways.length === 0) {
    const declare = { name: NEW_GATEWAY, clusters };
    return { gateways: [], declare, added: [{ gateway: UNDECLARED, cluster }] };
  }
  const unplaced = fleet.gateways.filter((one) => !placedGateways.some(({ gateway }) => gateway === one));
  return {
    gateways: unplaced.map(({ metadata: { name } }) => ({ name, clusters })),
    added: unplaced.map((gateway) => ({ gateway, cluster })),
  };
}

const NEW_GATEWAY = 'default';

/** A gateway that is not declared yet. Requirements of clusters do not depend on its fields. */
const UNDECLARED: InferenceGateway = {
  kind: 'InferenceGateway',
  group: 'fleetwright.dev',
  metadata: { name: NEW_GATEWAY, labels: {}, annotations: {} },
  spec: { clusters: [], public: false, rateLimits: [], maxRequestBody: '32Mi', timeouts: {} },
};

/** The cluster with the most replicas of the services, and without taints where there is one. */
function chooseFrontCluster(
  clusters: readonly InferenceCluster[],
  lacking: readonly ServiceSelection[],
): InferenceCluster | undefined {
  const targets = lacking.flatMap(edgeTargetsOf);
  const countOn = (cluster: InferenceCluster): number =>
    targets.filter((target) => target.cluster === cluster).reduce((sum, { replicas }) => sum + replicas.length, 0);
  const usable = clusters.filter(({ spec }) => spec.gateway.enabled);
  const untainted = usable.filter(({ spec }) => spec.taints.length === 0);
  return (untainted.length > 0 ? untainted : usable)
    .map((cluster) => ({ cluster, count: countOn(cluster) }))
    .sort((a, b) => b.count - a.count)[0]?.cluster;
}

function proposeClusters(needs: readonly MissingRequirement[], names: CompleteNames): AddedCluster[] {
  const byCluster = new Map<string, AddedClusterGateway>();
  for (const { cluster, kind } of needs) {
    const { name } = cluster.metadata;
    byCluster.set(name, { ...byCluster.get(name), ...FIELDS[kind]?.(name, names) });
  }
  return sortedBy(byCluster, ([name]) => name).map(([name, gateway]) => ({ name, gateway }));
}

function tlsOf(_: string, { issuer, authority }: CompleteNames): AddedClusterGateway {
  return { tls: { issuer: { name: issuer }, caRef: { name: authority } } };
}

type FieldsOf = (cluster: string, names: CompleteNames) => AddedClusterGateway;

/** The fields that meet each requirement. None where the cluster itself says something else. */
const FIELDS: Readonly<Record<MissingRequirement['kind'], FieldsOf | undefined>> = {
  'no-cluster-gateway-host': (cluster, { domain }) => ({ hostname: `edge.${cluster}.${domain}` }),
  'no-cluster-gateway-certificate': tlsOf,
  'no-ingress-gateway-certificate': tlsOf,
  'no-client-certificate': undefined,
  'unreachable-cluster-gateway': undefined,
};

/** The zone of placeholders. RFC 2606 reserves the top-level domain, so that a forgotten placeholder leads nowhere. */
const PLACEHOLDER_ZONE = 'models.example';

/** Whether a host name is a placeholder. */
export function isPlaceholderHost(hostname: string): boolean {
  return hostname.endsWith(`.${PLACEHOLDER_ZONE}`);
}

/** Completes names: as given, else as other clusters have them, else placeholders. */
export function completeRouteNames(names: RouteNames, { clusters }: Pick<Fleet, 'clusters'>): CompleteNames {
  const gateways = clusters.map(({ metadata, spec }) => ({ name: metadata.name, ...spec.gateway }));
  const zones = gateways.flatMap(({ name, hostname }) => {
    const prefix = `edge.${name}.`;
    return hostname?.startsWith(prefix) ? [hostname.slice(prefix.length)] : [];
  });
  const tls = gateways.flatMap((one) => (one.tls?.issuer ? [one.tls] : []))[0];
  return {
    domain: names.domain ?? zones[0] ?? PLACEHOLDER_ZONE,
    issuer: names.issuer ?? (tls?.issuer?.kind === 'ClusterIssuer' ? tls.issuer.name : 'fleetwright'),
    authority: names.authority ?? tls?.caRef.name ?? 'fleetwright-ca',
  };
}
