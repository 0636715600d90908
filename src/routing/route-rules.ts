import type { Metadata } from '../api/resource';
import { groupBy, sortedBy } from '../base/order';
import { edgeHostOf, egressHostOf } from './addresses';
import type { NamespacedName } from './gateway-types';
import type { RouteMember, RouteRule } from './routing';
import type { RouteTarget, SelectedRule } from './select-targets';
import { findUnevenAdapters, servesAdapter } from './served-models';
import { computeWeights } from './weights';

/**
 * Returns the rules of a service, narrow rules first. Requests for an adapter that only some members have get a
 * separate rule with these members. An adapter without members gets no rule, and the default rule handles its requests.
 */
export function routeRulesOf(service: NamespacedName, selected: readonly SelectedRule[]): readonly RouteRule[] {
  const known = RULES.get(selected) ?? buildRouteRules(service, selected);
  RULES.set(selected, known);
  return known;
}

/** The rules of each selection, which a service and its checks ask for. */
const RULES = new WeakMap<readonly SelectedRule[], readonly RouteRule[]>();

function buildRouteRules(service: NamespacedName, selected: readonly SelectedRule[]): RouteRule[] {
  return selected
    .flatMap(({ headers, targets }): RouteRule[] => [
      ...findUnevenAdapters(targets).map((model) => ({
        headers,
        model,
        members: membersOf(
          service,
          targets.filter((target) => servesAdapter(target, model)),
        ),
      })),
      { headers, members: membersOf(service, targets) },
    ])
    .filter(({ members }) => members.length > 0);
}

/**
 * Returns the rules of a service for requests that become WebSockets. They match on no model, because the model is
 * unknown before the connection exists, and they exclude providers, because the model in messages cannot be checked.
 */
export function webSocketRulesOf(service: NamespacedName, selected: readonly SelectedRule[]): RouteRule[] {
  return selected
    .map(({ headers, targets }) => {
      const edges = targets.filter(({ kind }) => kind === 'Edge');
      return { headers, members: membersOf(service, edges) };
    })
    .filter(({ members }) => members.length > 0);
}

function membersOf(service: NamespacedName, targets: readonly RouteTarget[]): RouteMember[] {
  const tiers = [...groupBy(targets, ({ tier }) => tier).values()];
  const members = tiers.flatMap((tier) => weighMembers(service, tier));
  return sortedBy(members, ({ tier, hostname }) => `${tier} ${hostname}`);
}

/** Returns the members of one tier, with the weights of their entries divided among them. */
function weighMembers(service: NamespacedName, targets: readonly RouteTarget[]): RouteMember[] {
  const entries = [...groupBy(targets, ({ entry }) => entry).values()];
  const weights = computeWeights(
    entries.map((members) => ({ weight: members[0]?.weight ?? 1, counts: members.map(sizeOf) })),
  );
  return entries.flatMap((members, i) => members.map((target, j) => toMember(service, target, weights[i]?.[j] ?? 1)));
}

function sizeOf(target: RouteTarget): number {
  return target.kind === 'Edge' ? target.replicas.length : 1;
}

function toMember(service: NamespacedName, target: RouteTarget, weight: number): RouteMember {
  const { kind, tier, entry } = target;
  const common = { kind, tier, weight, entry, hostname: routeHostOf(service, target) };
  if (target.kind === 'External') return { ...common, target: namespacedNameOf(target.endpoint), replicas: [] };
  const { deployment, cluster, replicas } = target;
  return { ...common, cluster: cluster.metadata.name, target: namespacedNameOf(deployment), replicas };
}

export function routeHostOf(service: NamespacedName, target: RouteTarget): string {
  const { tier } = target;
  if (target.kind === 'External') return egressHostOf({ service, tier, endpoint: namespacedNameOf(target.endpoint) });
  const { deployment, cluster, replica } = target;
  const location = { deployment: namespacedNameOf(deployment), cluster: cluster.metadata.name };
  return edgeHostOf({ service, tier, ...location, ...(replica !== undefined && { replica }) });
}

export function namespacedNameOf(resource: { readonly metadata: Metadata }): NamespacedName {
  const { namespace = '', name } = resource.metadata;
  return { namespace, name };
}
