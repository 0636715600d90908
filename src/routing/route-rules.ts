import type { Metadata } from '../api/resource';
import { groupBy, sortedBy } from '../base/order';
import { edgeHostOf, egressHostOf } from './addresses';
import type { NamespacedName } from './gateways';
import type { RouteMember, RouteRule } from './routing';
import type { RouteTarget, SelectedRule } from './select-targets';
import { findUnevenAdapters, servesAdapter } from './served-models';
import { computeWeights } from './weights';

/**
 * The rules of a service, narrower ones first. Requests that name an adapter which only some members have get a rule
 * with those alone; what nobody serves is left out, and its requests are like all others.
 */
export function routeRulesOf(service: NamespacedName, selected: readonly SelectedRule[]): RouteRule[] {
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
 * The rules of a service for requests that become WebSockets, likewise. They name no model before the connection
 * stands, and go to no provider: what is said in them could not be checked for the model that it names.
 */
export function webSocketRulesOf(service: NamespacedName, selected: readonly SelectedRule[]): RouteRule[] {
  return selected
    .map(({ headers, targets }) => {
      const inside = targets.filter(({ kind }) => kind === 'Edge');
      return { headers, members: membersOf(service, inside) };
    })
    .filter(({ members }) => members.length > 0);
}

function membersOf(service: NamespacedName, targets: readonly RouteTarget[]): RouteMember[] {
  const tiers = [...groupBy(targets, ({ tier }) => tier).values()];
  const members = tiers.flatMap((tier) => weighMembers(service, tier));
  return sortedBy(members, ({ tier, hostname }) => `${tier} ${hostname}`);
}

/** The members of one tier, with the weights of their entries spread over them. */
function weighMembers(service: NamespacedName, targets: readonly RouteTarget[]): RouteMember[] {
  const entries = [...groupBy(targets, ({ entry }) => entry).values()];
  const weights = computeWeights(
    entries.map((own) => ({ weight: own[0]?.weight ?? 1, counts: own.map(sizeOf) })),
  );
  return entries.flatMap((own, i) => own.map((target, j) => toMember(service, target, weights[i]?.[j] ?? 1)));
}

/** How many replicas a target is, by which its entry is spread. */
function sizeOf(target: RouteTarget): number {
  return target.kind === 'Edge' ? target.replicas.length : 1;
}

function toMember(service: NamespacedName, target: RouteTarget, weight: number): RouteMember {
  const { kind, tier, entry } = target;
  const common = { kind, tier, weight, entry, hostname: routeHostOf(service, target) };
  if (target.kind === 'External')
    return { ...common, target: namespacedNameOf(target.endpoint), replicas: [] };
  const { deployment, cluster, replicas } = target;
  return { ...common, cluster: cluster.metadata.name, target: namespacedNameOf(deployment), replicas };
}

/** The Host by which fronts ask for a target. */
export function routeHostOf(service: NamespacedName, target: RouteTarget): string {
  const { tier } = target;
  if (target.kind === 'External')
    return egressHostOf({ service, tier, endpoint: namespacedNameOf(target.endpoint) });
  const { deployment, cluster, replica } = target;
  const place = { deployment: namespacedNameOf(deployment), cluster: cluster.metadata.name };
  return edgeHostOf({ service, tier, ...place, ...(replica !== undefined && { replica }) });
}

/** Namespace and name of a namespaced resource. */
export function namespacedNameOf(resource: { readonly metadata: Metadata }): NamespacedName {
  const { namespace = '', name } = resource.metadata;
  return { namespace, name };
}
