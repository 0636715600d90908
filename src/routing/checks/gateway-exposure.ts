import type { InferenceCluster } from '../../api/inference-cluster';
import { type Resource, resourceIdOf, type ResourcePath } from '../../api/kinds';
import { NETWORK_LABEL } from '../../api/labels';
import { type Diagnostic, errorAt, warningAt } from '../../base/diagnostic';
import { groupBy } from '../../base/order';
import type { RoutingContext } from './context';

interface DeclaredHost {
  readonly resource: Resource;
  readonly hostname: string;
  readonly path: readonly string[];
}

/** Finds gateways with the same host name, which would serve every service twice on the same host and path. */
export function* checkDuplicateHosts({ fleet }: RoutingContext): Iterable<Diagnostic<ResourcePath>> {
  const hosts: DeclaredHost[] = [
    ...fleet.gateways.flatMap((resource) => toHosts(resource, resource.spec.hostname, ['spec', 'hostname'])),
    ...fleet.clusters.flatMap((resource) =>
      toHosts(resource, resource.spec.gateway.hostname, ['spec', 'gateway', 'hostname']),
    ),
  ];
  for (const [hostname, [first, ...others]] of groupBy(hosts, (host) => host.hostname)) {
    for (const { resource, path } of others) {
      yield errorAt(
        'duplicate-host',
        { resource, path },
        `the host name '${hostname}' is also that of ${first ? resourceIdOf(first.resource) : ''}`,
        'Give each its own: a gateway on several clusters is one InferenceGateway',
      );
    }
  }
}

function toHosts(resource: Resource, hostname: string | undefined, path: readonly string[]): DeclaredHost[] {
  return hostname === undefined ? [] : [{ resource, hostname, path }];
}

/** Finds services without authentication at a public gateway. */
export function* checkPublicAuth({ placedGateways, selections }: RoutingContext): Iterable<Diagnostic<ResourcePath>> {
  const open = placedGateways.find(({ gateway }) => gateway.spec.public === true);
  if (!open) return;
  for (const { service } of selections) {
    if (service.spec.auth?.enabled !== false) continue;
    yield errorAt(
      'insecure-gateway',
      { resource: service, path: ['spec', 'auth'] },
      `the service would answer everybody: ${resourceIdOf(open.gateway)} is public`,
      "Name keys or a jwt, or write 'public: insecure' at the gateway where that is meant",
    );
  }
}

/** Finds private edges that no declared network connects to a front. */
export function* checkEdgeReach({ placedGateways, selections }: RoutingContext): Iterable<Diagnostic<ResourcePath>> {
  const targets = selections.flatMap(({ rules }) => rules.flatMap((rule) => rule.targets));
  const edges = new Set(targets.flatMap((target) => (target.kind === 'Edge' ? [target.cluster] : [])));
  const fronts = new Set(placedGateways.map(({ cluster }) => cluster));
  for (const edge of edges) {
    if (edge.spec.gateway.reach !== 'Private') continue;
    const first = [...fronts].find((front) => front !== edge && !haveSameNetwork(front, edge));
    if (!first) continue;
    yield warningAt(
      'unreachable-edge',
      { resource: edge, path: ['spec', 'gateway', 'reach'] },
      `nothing says that the gateway on ${resourceIdOf(first)} reaches the edge, whose reach is Private`,
      `Give both clusters the same label ${NETWORK_LABEL} where their networks are joined, or set reach to Public`,
    );
  }
}

function haveSameNetwork(a: InferenceCluster, b: InferenceCluster): boolean {
  const network = a.metadata.labels[NETWORK_LABEL];
  return network !== undefined && network === b.metadata.labels[NETWORK_LABEL];
}
