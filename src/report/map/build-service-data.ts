import { compareText, groupBy, sortUnique } from '../../base/order';
import { listShares, type RouteMemberShare } from '../../diff/traffic-share-changes';
import type { RoutedService, Routing, ServiceListener } from '../../routing/routing';
import type { GatewayData, RouteData, ServiceData, ShareData } from './map-data';
import type { ReferenceTables } from './reference-tables';

/** Builds the services of all states, each with its ingress gateways and shares in every state. */
export function buildServiceData(states: readonly Routing[], tables: ReferenceTables): ServiceData[] {
  const byState = states.map(({ services }) => new Map(services.map((service) => [idOf(service), service])));
  return sortUnique(byState.flatMap((services) => [...services.keys()])).map((id) => {
    const versions = byState.map((services) => services.get(id));
    return { id: tables.text(id), gateways: gatewaysOf(versions, tables), routes: routesOf(versions, tables) };
  });
}

function idOf({ namespace, name }: RoutedService): string {
  return `${namespace}/${name}`;
}

type Versions = readonly (RoutedService | undefined)[];

function gatewaysOf(versions: Versions, { text }: ReferenceTables): GatewayData[] {
  const keys = versions.map((version) => new Set(version?.gateways.map(gatewayKeyOf)));
  const gateways = groupBy(
    versions.flatMap((version) => version?.gateways ?? []),
    gatewayKeyOf,
  );
  return [...gateways].flatMap(([key, group]) =>
    group.slice(0, 1).map(({ gateway, cluster, url }): GatewayData => {
      return [text(gateway), text(cluster), text(url), keys.map((some) => some.has(key))];
    }),
  );
}

function gatewayKeyOf({ gateway, cluster, url }: ServiceListener): string {
  return [gateway, cluster, url].join('\n');
}

/** Builds the routes in the order of their rules in the last state, with the routes of a target together. */
function routesOf(versions: Versions, { text }: ReferenceTables): RouteData[] {
  const parts = versions.map((version) => groupBy(version ? listShares(version) : [], routeKeyOf));
  const all = [...parts].reverse().flatMap((routes) => [...routes.entries()]);
  const keys = new Map(all.map(([key, [route]]) => [key, route]));
  const routes = [...keys].flatMap(([key, route]) => (route ? [{ key, route }] : []));
  const matches = [...new Set(routes.map(({ route }) => route.match))];
  const sorted = routes.toSorted(
    (a, b) =>
      matches.indexOf(a.route.match) - matches.indexOf(b.route.match) ||
      compareText(a.route.target, b.route.target) ||
      compareText(a.route.cluster ?? '', b.route.cluster ?? ''),
  );
  return sorted.map(({ key, route: { match = '', target, cluster } }) => ({
    match: text(match),
    target: text(target),
    ...(cluster !== undefined && { cluster: text(cluster) }),
    shares: parts.map((routes) => toShare(routes.get(key) ?? [])),
  }));
}

function routeKeyOf({ match = '', target, cluster = '', external }: RouteMemberShare): string {
  return [match, target, cluster, external].join('\n');
}

/** Adds up the shares of equal routes: a target may be a member more than once. */
function toShare(parts: readonly RouteMemberShare[]): ShareData | null {
  const tier = Math.min(...parts.map(({ portion }) => portion.tier)) === 0 ? 0 : 1;
  const shares = parts.filter(({ portion }) => portion.tier === tier).map(({ portion }) => portion);
  if (shares.length === 0) return null;
  const share = shares.reduce((sum, one) => sum + partOf(one.share), 0);
  return [tier, Number(share.toFixed(9)), shares.reduce((sum, { replicas }) => sum + replicas, 0)];
}

function partOf(fraction: string): number {
  const [top = 0, bottom = 1] = fraction.split('/').map(Number);
  return top / bottom;
}
