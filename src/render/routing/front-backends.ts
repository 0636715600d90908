import { sortedBy } from '../../base/order';
import type { JsonObject, Manifest } from '../../manifest/kubernetes/manifest';
import { bundleNameOf, memberNameOf } from '../../manifest/kubernetes/object-names';
import { ANY_EDGE_HOST, clusterHostOf, EDGE_NAME, EGRESS_NAME, HTTPS_PORT } from '../../routing/addresses';
import { type BackendGroup, groupBackends } from '../../routing/backend-groups';
import type { Front } from '../../routing/gateways';
import type { RoutedService, RouteMember, RouteRule, Routing } from '../../routing/routing';
import { API_VERSIONS, backendRefOf } from './gateway-api-kinds';
import { type ClusterContext, routeMetaOf } from './metadata';

/** What one Backend at the fronts of a cluster stands for. */
export interface FrontBackend {
  readonly name: string;
  readonly members: readonly RouteMember[];

  /** Whether it gets requests only while others serve nothing. */
  readonly fallback: boolean;

  /** Whether fronts ask it for WebSockets. */
  readonly webSocket: boolean;
}

/** What the rules of a service are for. */
export type RuleUse = 'Requests' | 'WebSockets';

/** The rules of a service for one use. */
export function selectRules(service: RoutedService, use: RuleUse): readonly RouteRule[] {
  return use === 'Requests' ? service.rules : (service.webSockets ?? []);
}

/** All Backends of a service at the fronts of a cluster, by name. */
export function listFrontBackends(service: RoutedService): FrontBackend[] {
  const all = RULE_USES.flatMap((use) =>
    selectRules(service, use).flatMap((rule) =>
      groupBackends(rule).map((bundle): FrontBackend => {
        const name = backendNameOf(service, { use, rule, bundle });
        const { members } = bundle;
        const fallback = members.some((member) => isFallback(selectRules(service, use), member));
        return { name, members, fallback, webSocket: use === 'WebSockets' };
      }),
    ),
  );
  const distinct = new Map(all.map((backend) => [backend.name, backend]));
  return sortedBy(distinct, ([name]) => name).map(([, backend]) => backend);
}

const RULE_USES: readonly RuleUse[] = ['Requests', 'WebSockets'];

/** The Backends of a rule, with their shares. */
export function renderBackendRefs(service: RoutedService, rule: RouteRule, use: RuleUse): JsonObject[] {
  return groupBackends(rule).map((bundle) => {
    return { ...backendRefOf(backendNameOf(service, { use, rule, bundle })), weight: bundle.weight };
  });
}

interface BackendPart {
  readonly use: RuleUse;
  readonly rule: RouteRule;
  readonly bundle: BackendGroup;
}

/** A Backend for WebSockets is one of its own: it speaks HTTP/1.1, over which edges let connections become one. */
function backendNameOf(
  service: RoutedService,
  { use, rule: { headers, model }, bundle }: BackendPart,
): string {
  const suffix = use === 'WebSockets' ? '-ws' : '';
  const { key, members } = bundle;
  const [{ tier = 0, cluster = 'egress', target, hostname } = NO_MEMBER] = members;
  if (key === undefined && target && hostname !== undefined) {
    return memberNameOf(service, { tier, target: target.name, hostname }, cluster) + suffix;
  }
  return bundleNameOf(service, { tier, identity: JSON.stringify([headers, model, key]) }) + suffix;
}

const NO_MEMBER: Partial<RouteMember> = {};

/** With nothing before it in any rule, the second tier is the only one. */
function isFallback(rules: readonly RouteRule[], { tier, hostname }: RouteMember): boolean {
  const beside = rules.filter(({ members }) => members.some((one) => one.hostname === hostname));
  return tier === 1 && beside.some(({ members }) => members.some((one) => one.tier === 0));
}

/** Where members of a service are, and by which names, as the fronts of one cluster see it. */
export interface FrontContext {
  readonly routing: Routing;

  /** Of the cluster: any of its fronts. */
  readonly front: Front;
  readonly place: ClusterContext;
}

/**
 * What the fronts of a cluster know of members: their addresses, and the name that their certificates have to have. A
 * Host that nobody resolves tells each from others at the same address.
 */
export function renderFrontBackend(
  service: RoutedService,
  backend: FrontBackend,
  sight: FrontContext,
): Manifest[] {
  const { front, place } = sight;
  const { name, members, fallback, webSocket } = backend;
  const found = members.map((member) => ({ member, ...addressOf(member, sight) }));
  return [
    {
      apiVersion: API_VERSIONS.envoy,
      kind: 'Backend',
      metadata: routeMetaOf(service, place, name),
      spec: {
        ...(fallback && { fallback: true }),
        ...(webSocket && { appProtocols: ['gateway.envoyproxy.io/wss'] }),
        endpoints: found.map(({ member, address }) => {
          return { hostname: member.hostname, fqdn: { hostname: address, port: HTTPS_PORT } };
        }),
      },
    },
    {
      apiVersion: API_VERSIONS.gateway,
      kind: 'BackendTLSPolicy',
      metadata: routeMetaOf(service, place, name),
      spec: {
        targetRefs: [backendRefOf(name)],
        // Without a name nothing but the authority would be checked.
        validation: {
          hostname: commonServerNameOf(found.map(({ serverName }) => serverName)),
          caCertificateRefs: [{ group: '', kind: 'ConfigMap', name: front.ca }],
        },
      },
    },
  ];
}

/** The name of them all. A policy has one, and edges of a bundle have one name more for that. */
function commonServerNameOf([first = ANY_EDGE_HOST, ...others]: readonly string[]): string {
  return others.every((name) => name === first) ? first : ANY_EDGE_HOST;
}

/** The egress is always that beside the front, and so is the edge of its own cluster: neither is left for the internet. */
function addressOf({ kind, cluster, hostname }: RouteMember, { routing, front }: FrontContext) {
  const behind: MemberGateway | undefined =
    kind === 'External'
      ? routing.egresses.find((egress) => egress.cluster === front.cluster)
      : routing.edges.find((edge) => edge.cluster === cluster);
  const service = kind === 'External' ? EGRESS_NAME : EDGE_NAME;
  const address = behind?.cluster === front.cluster ? clusterHostOf(service) : behind?.hostname;
  if (!behind || address === undefined) {
    throw new Error(`bug: front ${front.name} on ${front.cluster} does not reach ${hostname}`);
  }
  return { address, serverName: behind.serverName };
}

/** What members are behind: an edge, or an egress, which has no host name. */
interface MemberGateway {
  readonly cluster: string;
  readonly hostname?: string;
  readonly serverName: string;
}
