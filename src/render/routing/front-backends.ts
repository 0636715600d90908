import { sortedBy } from '../../base/order';
import type { JsonObject, Manifest } from '../../manifest/kubernetes/manifest';
import { bundleNameOf, memberNameOf } from '../../manifest/kubernetes/object-names';
import { ANY_EDGE_HOST, clusterHostOf, EDGE_NAME, EGRESS_NAME, HTTPS_PORT } from '../../routing/addresses';
import { type BackendGroup, groupBackends } from '../../routing/backend-groups';
import type { Edge, Front } from '../../routing/gateway-types';
import type { RoutedService, RouteMember, RouteRule, Routing } from '../../routing/routing';
import { backendRefOf, type ClusterContext, routeMetaOf, createRoutingObject } from './routing-object';

interface FrontBackend {
  readonly name: string;
  readonly members: readonly RouteMember[];

  /** Whether it gets requests only while other Backends are down. */
  readonly fallback: boolean;
  readonly webSocket: boolean;
}

/** The kind of requests that the rules of a service are for. */
export type RuleUse = 'Requests' | 'WebSockets';

export function selectRules(service: RoutedService, use: RuleUse): readonly RouteRule[] {
  return use === 'Requests' ? service.rules : (service.webSockets ?? []);
}

/** Returns all Backends of a service at the fronts of a cluster, sorted by name. */
export function listFrontBackends(service: RoutedService): FrontBackend[] {
  const all = RULE_USES.flatMap((use) =>
    selectRules(service, use).flatMap((rule) =>
      groupBackends(rule).map((group): FrontBackend => {
        const name = backendNameOf(service, use, rule, group);
        const { members } = group;
        const fallback = members.some((member) => isFallback(selectRules(service, use), member));
        return { name, members, fallback, webSocket: use === 'WebSockets' };
      }),
    ),
  );
  const distinct = new Map(all.map((backend) => [backend.name, backend]));
  return sortedBy(distinct, ([name]) => name).map(([, backend]) => backend);
}

const RULE_USES: readonly RuleUse[] = ['Requests', 'WebSockets'];

export function renderBackendRefs(service: RoutedService, rule: RouteRule, use: RuleUse): JsonObject[] {
  return groupBackends(rule).map((group) => {
    return { ...backendRefOf(backendNameOf(service, use, rule, group)), weight: group.weight };
  });
}

/** Returns the name of a Backend. WebSockets use a separate Backend, because they need HTTP/1.1 to the edge. */
function backendNameOf(service: RoutedService, use: RuleUse, rule: RouteRule, { key, members }: BackendGroup): string {
  const suffix = use === 'WebSockets' ? '-ws' : '';
  const [first] = members;
  if (key === undefined && first) {
    const { tier, cluster = 'egress', target, hostname } = first;
    return memberNameOf(service, { tier, target: target.name, hostname }, cluster) + suffix;
  }
  const identity = JSON.stringify([rule.headers, rule.model, key]);
  return bundleNameOf(service, { tier: first?.tier ?? 0, identity }) + suffix;
}

/** Whether a member is a fallback. Tier 1 is no fallback if no rule has a member in tier 0. */
function isFallback(rules: readonly RouteRule[], { tier, hostname }: RouteMember): boolean {
  const rulesOfMember = rules.filter(({ members }) => members.some((member) => member.hostname === hostname));
  return tier === 1 && rulesOfMember.some(({ members }) => members.some((member) => member.tier === 0));
}

/** What the addresses and names of members depend on, as seen from the fronts of one cluster. */
interface FrontContext {
  readonly routing: Routing;
  readonly front: Front;
  readonly context: ClusterContext;
}

/** Members at the same address are distinguished by a Host that does not resolve. */
export function renderFrontBackend(
  service: RoutedService,
  backend: FrontBackend,
  frontContext: FrontContext,
): Manifest[] {
  const { front, context } = frontContext;
  const { name, members, fallback, webSocket } = backend;
  const addressed = members.map((member) => ({ member, ...addressOf(member, frontContext) }));
  const metadata = routeMetaOf(service, context, name);
  return [
    createRoutingObject('Backend', metadata, {
      ...(fallback && { fallback: true }),
      ...(webSocket && { appProtocols: ['gateway.envoyproxy.io/wss'] }),
      endpoints: addressed.map(({ member, address }) => {
        return { hostname: member.hostname, fqdn: { hostname: address, port: HTTPS_PORT } };
      }),
    }),
    createRoutingObject('BackendTLSPolicy', metadata, {
      targetRefs: [backendRefOf(name)],
      // Without a host name, only the certificate authority would be checked.
      validation: {
        hostname: commonServerNameOf(addressed.map(({ serverName }) => serverName)),
        caCertificateRefs: [{ group: '', kind: 'ConfigMap', name: front.ca }],
      },
    }),
  ];
}

/** A policy has a single name, so the certificates of edges have a common name for Backends with several edges. */
function commonServerNameOf([first = ANY_EDGE_HOST, ...others]: readonly string[]): string {
  return others.every((name) => name === first) ? first : ANY_EDGE_HOST;
}

/** Returns the address of a member. Requests to the local egress and the local edge stay in the cluster. */
function addressOf({ kind, cluster, hostname }: RouteMember, { routing, front }: FrontContext) {
  const isExternal = kind === 'External';
  const gateways: readonly MemberGateway[] = isExternal ? routing.egresses : routing.edges;
  const gateway = gateways.find((one) => one.cluster === (isExternal ? front.cluster : cluster));
  const isLocal = gateway?.cluster === front.cluster;
  const address = isLocal ? clusterHostOf(isExternal ? EGRESS_NAME : EDGE_NAME) : gateway?.hostname;
  if (!gateway || address === undefined) {
    throw new Error(`bug: ingress gateway ${front.name} on ${front.cluster} does not reach ${hostname}`);
  }
  return { address, serverName: gateway.serverName };
}

/** An edge, or an egress, which has no public host name. */
type MemberGateway = Pick<Edge, 'cluster' | 'hostname' | 'serverName'>;
