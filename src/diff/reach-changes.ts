import { type Diagnostic, warningAt } from '../base/diagnostic';
import { groupBy, sortUnique } from '../base/order';
import { joinAnd, joinNames } from '../base/text';
import { SYSTEM_NAMESPACE } from '../manifest/kubernetes/object-names';
import type { PlacedFleet } from '../plan/decision';
import { LOAD_BALANCERS } from '../render/routing/envoy-proxy';
import type { Front } from '../routing/gateway-types';
import type { Routing } from '../routing/routing';
import type { Auth } from '../routing/traffic-types';
import type { FleetDiff } from './fleet-diff';
import { isWrittenByStack } from './moved-hosts';
import type { GatewayChange, RouteChanges } from './route-changes';

/** An ingress gateway that the internet reaches only before, or only after a change. */
interface ReachChange {
  /** The name of the InferenceGateway. */
  readonly gateway: string;
  readonly opened: boolean;

  /** Where load balancers are set up by others, so that they decide. Absent: they follow the declaration. */
  readonly onExisting?: readonly string[];
}

/** Lists gateways that become reachable from the internet, and those that keep their host and are no longer so. */
export function listReachChanges({ gateways }: RouteChanges): ReachChange[] {
  const ingress = groupBy(
    gateways.filter(({ kind }) => kind === 'ingress'),
    ({ gateway = '' }) => gateway,
  );
  return [...ingress].flatMap(([gateway, changes]): ReachChange[] => {
    const made = changes.filter(({ isExisting }) => !isExisting);
    if (made.some(isOpened)) return [{ gateway, opened: true }];
    if (made.some(isClosed)) return [{ gateway, opened: false }];
    const onExisting = changes.filter(isOpened).map(({ cluster }) => cluster);
    return onExisting.length > 0 ? [{ gateway, opened: true, onExisting }] : [];
  });
}

function isOpened({ fields }: GatewayChange): boolean {
  return fields.some(({ path, after }) => path[0] === 'reach' && after === 'Public');
}

function isClosed({ fields }: GatewayChange): boolean {
  return (
    fields.some(({ path, before }) => path[0] === 'reach' && before === 'Public') &&
    !fields.some(({ path }) => path[0] === 'address')
  );
}

/** The host at which clients find a gateway. */
export function hostOfGateway({ fronts }: Pick<Routing, 'fronts'>, gateway: string): string {
  return fronts.find((one) => one.gateway === gateway)?.address ?? gateway;
}

interface LaterState {
  readonly after: Pick<PlacedFleet, 'routing'>;

  /** Where the change is, for what no declaration causes. */
  readonly at: string;
}

/** Finds gateways that the internet reaches now, what their clients need, and what happens to their addresses. */
export function findOpenedGateways({ declarations, routes }: FleetDiff, { after, at }: LaterState): Diagnostic[] {
  const opened = listReachChanges(routes).filter((one) => one.opened);
  return opened.map(({ gateway, onExisting }) => {
    const cause = declarations.find(({ id }) => id === `InferenceGateway ${gateway}`);
    const field = cause?.fields.find((one) => one.field === 'spec.public');
    const host = hostOfGateway(after.routing, gateway);
    const access = describeAccess(after.routing, gateway);
    const what = onExisting
      ? `${host} is declared reachable from the internet: whether it is depends on the load balancer of ${joinNames(onExisting)}, which Fleetwright does not set up`
      : `${host} becomes reachable from the internet`;
    const hints = [
      ...access.hints,
      ...listAddressHints(gateway, routes, after.routing),
      "If only clients in your own networks use it, leave out 'public'",
    ];
    return warningAt('access-opened', field?.where ?? cause?.where ?? at, `${what}; ${access.what}`, hints.join('. '));
  });
}

/** Says what clients of the services behind a gateway need, the services that need nothing first. */
function describeAccess(
  { services }: Pick<Routing, 'services'>,
  gateway: string,
): { readonly what: string; readonly hints: readonly string[] } {
  const behind = services.flatMap(({ namespace, name, gateways }) => {
    const listeners = gateways.filter((one) => one.gateway === gateway);
    return listeners.slice(0, 1).map(({ auth }) => ({ service: `${namespace}/${name}`, auth }));
  });
  const open = behind.filter(({ auth }) => auth.kind === 'None').map(({ service }) => service);
  const needs = sortUnique(behind.flatMap(({ auth }) => describeNeed(auth) ?? []));
  const who = open.length > 0 ? 'clients of the other services' : 'its clients';
  const parts = [
    ...(open.length > 0 ? [`anyone can use ${joinNames(open)} without a key`] : []),
    ...(needs.length > 0 ? [`${who} need ${needs.join(' or ')}`] : []),
  ];
  const hints = open.length > 0 ? [`Set 'auth' of InferenceGateway ${gateway} or of these services`] : [];
  return { what: parts.length > 0 ? parts.join('; ') : 'no service is behind it', hints };
}

function describeNeed(auth: Auth): string | undefined {
  if (auth.kind === 'None') return undefined;
  return auth.kind === 'ApiKeys' ? 'an API key' : `a token of ${auth.issuer}`;
}

/** Says where load balancers get another address because the internet reaches them, and what has to follow it. */
function listAddressHints(gateway: string, routes: RouteChanges, { fronts }: Pick<Routing, 'fronts'>): string[] {
  const turned = listTurned(gateway, routes, { fronts });
  const clusters = sortUnique(turned.map(({ cluster }) => cluster));
  const [first] = turned;
  if (!first) return [];
  const record = isWrittenByStack(first.dns)
    ? 'a stack changes the DNS record; wait for its TTL'
    : `change the DNS record of ${first.hostname}, or its clients get no answer`;
  return [
    ...describeKept(turned.filter(isKept)),
    `The address of its load balancer changes on ${joinAnd(clusters)}: ${record}`,
  ];
}

/** The gateways whose load balancer stays as it is, although its annotations turn it internal or external. */
export function listKeptGateways(gateway: string, routes: RouteChanges, routing: Pick<Routing, 'fronts'>): Front[] {
  return listTurned(gateway, routes, routing).filter(isKept);
}

function isKept({ source }: Front): boolean {
  return LOAD_BALANCERS[source]?.turned === 'Kept';
}

function listTurned(gateway: string, { gateways }: RouteChanges, { fronts }: Pick<Routing, 'fronts'>): Front[] {
  const clusters = new Set(
    gateways.filter((one) => one.gateway === gateway && isTurned(one)).map((one) => one.cluster),
  );
  return fronts.filter(
    (one) => one.gateway === gateway && clusters.has(one.cluster) && LOAD_BALANCERS[one.source] !== undefined,
  );
}

function isTurned({ fields, isExisting }: GatewayChange): boolean {
  return !isExisting && fields.some(({ path, before }) => path[0] === 'reach' && before !== 'Cluster');
}

/** What has to happen where a load balancer stays internal, or external, although its annotations change. */
export function describeKept(fronts: readonly Pick<Front, 'cluster' | 'name'>[]): string[] {
  const [first] = fronts;
  if (!first) return [];
  const clusters = joinAnd(sortUnique(fronts.map(({ cluster }) => cluster)));
  return [
    `AWS does not change the load balancer on ${clusters} while its Service exists: delete the Service ${SYSTEM_NAMESPACE}/${first.name} there right before you apply this`,
  ];
}
