import type { FleetSettings } from '../api/fleet-settings';
import type { InferenceCluster } from '../api/inference-cluster';
import { resourceIdOf, type ResourcePath } from '../api/kinds';
import { API_VERSION, type Group } from '../api/resource';
import { type Diagnostic, warningAt } from '../base/diagnostic';
import { sortUnique } from '../base/order';
import type { Fleet } from '../fleet/fleet';
import { formatDocuments } from '../manifest/format-yaml';
import { nameSome } from './placed-gateways';
import {
  type AddedCluster,
  type AddedGateway,
  completeRouteNames,
  findRouteAdditions,
  isPlaceholderHost,
  type RouteAdditions,
} from './route-additions';
import type { RoutingContext } from './select-targets';

/** The services without routes because modelplane.ai has no fields for them, and the lines that give them routes. */
export interface MissingRoutes {
  /** `ModelService ml-team/chat`, sorted. */
  readonly services: readonly string[];

  /** The documents to add, as YAML. A Fleet among them replaces the additions of the declared one. */
  readonly lines: string;

  /** The name of the declared Fleet that the additions belong to. Absent if none is declared. */
  readonly fleet?: string;
}

/** Finds the services without routes and the lines that give them routes. */
export function findMissingRoutes(context: RoutingContext): MissingRoutes | undefined {
  const { fleet } = context;
  const additions = findRouteAdditions(context, completeRouteNames({}, fleet));
  if (!additions) return undefined;
  return {
    services: sortUnique(additions.services.map(({ service }) => resourceIdOf(service))),
    lines: formatRouteLines(additions, fleet.settings),
    ...(fleet.settings && { fleet: fleet.settings.metadata.name }),
  };
}

const COMMENT = `What the routes of services need and modelplane.ai has no fields for. Use names of your own:
# host names in a zone of yours, a ClusterIssuer of cert-manager, and a ConfigMap with its authority.`;

/** Formats the documents that give routes: the Fleet with all its additions, and a gateway if none is declared. */
export function formatRouteLines(additions: RouteAdditions, settings: FleetSettings | undefined): string {
  const merged = mergeAdditions(additions, settings);
  const name = settings?.metadata.name ?? 'fleet';
  const { declare } = additions;
  const documents = [
    ...(isEmpty(merged) ? [] : [documentOf('Fleet', name, { additions: merged })]),
    ...(declare ? [documentOf('InferenceGateway', declare.name, { clusters: declare.clusters })] : []),
  ];
  return formatDocuments(documents, COMMENT);
}

const GROUP: Group = 'fleetwright.dev';

function documentOf(kind: string, name: string, spec: object): object {
  return { apiVersion: `${GROUP}/${API_VERSION}`, kind, metadata: { name }, spec };
}

interface MergedAdditions {
  readonly clusters?: readonly AddedCluster[];
  readonly gateways?: readonly AddedGateway[];
}

function isEmpty({ clusters, gateways }: MergedAdditions): boolean {
  return !clusters && !gateways;
}

/** Merges the additions of the declared Fleet with further ones. Lists that stay empty are left out. */
function mergeAdditions(
  { clusters: moreClusters, gateways: moreGateways }: Pick<RouteAdditions, 'clusters' | 'gateways'>,
  settings: FleetSettings | undefined,
): MergedAdditions {
  const { clusters: oldClusters = [], gateways: oldGateways = [] } = settings?.spec.additions ?? {};
  const clusters = mergeByName(oldClusters as readonly AddedCluster[], moreClusters, (old, { name, gateway }) => {
    return { name, gateway: { ...old.gateway, ...gateway } };
  });
  const gateways = mergeByName(oldGateways, moreGateways, (old, added) => ({ ...old, ...added }));
  return { ...(clusters.length > 0 && { clusters }), ...(gateways.length > 0 && { gateways }) };
}

/** Merges items into a list: those of a known name into the item of that name, the others behind all. */
export function mergeByName<T extends { readonly name: string }>(
  old: readonly T[],
  added: readonly T[],
  merge: (old: T, added: T) => T,
): T[] {
  const known = new Set(old.map(({ name }) => name));
  const merged = old.map((one) => added.filter(({ name }) => name === one.name).reduce(merge, one));
  return [...merged, ...added.filter(({ name }) => !known.has(name))];
}

/** Reports services without routes, at the first of them. */
export function describeMissingRoutes(
  missing: MissingRoutes | undefined,
  { services }: Pick<Fleet, 'services'>,
): Diagnostic<ResourcePath>[] {
  const resource = services.find((service) => resourceIdOf(service) === missing?.services[0]);
  if (!missing || !resource) return [];
  const message = `${nameSome(missing.services, 4)} without routes: modelplane.ai has no fields for what they need`;
  const hint = "Add the lines that 'fleetwright plan DIR' prints, or run 'fleetwright migrate --from modelplane DIR'";
  return [warningAt('missing-routes', { resource, path: ['metadata', 'name'] }, message, hint)];
}

/** Reports host names that are still placeholders. */
export function* reportPlaceholderHosts({ fleet }: RoutingContext): Iterable<Diagnostic<ResourcePath>> {
  for (const resource of fleet.clusters) {
    const { hostname } = resource.spec.gateway;
    if (hostname === undefined || !isPlaceholderHost(hostname)) continue;
    const at = locateHostname(resource, fleet.settings);
    const message = `the host name '${hostname}' is a placeholder, which ingress gateways on other clusters cannot resolve`;
    yield warningAt('placeholder-host', at, message, 'Set it to a name in one of your DNS zones');
  }
}

function locateHostname(cluster: InferenceCluster, settings: FleetSettings | undefined): ResourcePath {
  const index = settings?.spec.additions.clusters.findIndex(({ name }) => name === cluster.metadata.name) ?? -1;
  return settings && settings.spec.additions.clusters[index]?.gateway.hostname !== undefined
    ? { resource: settings, path: ['spec', 'additions', 'clusters', index, 'gateway', 'hostname'] }
    : { resource: cluster, path: ['spec', 'gateway', 'hostname'] };
}
