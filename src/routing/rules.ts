import type { Metadata } from '../api/resource';
import { groupBy, sortedBy } from '../order';
import { edgeHost, egressHost } from './host-names';
import { holds, unevenAdapters } from './models';
import type { Named } from './places';
import type { Member, Rule } from './routing';
import type { SelectedRule, Target } from './select';
import { exactWeights } from './weights';

/**
 * The rules of a service, narrower ones first. Requests that name an adapter which only some members have get a rule
 * with those alone; what nobody serves is left out, and its requests are like all others.
 */
export function rulesOf(service: Named, selected: readonly SelectedRule[]): Rule[] {
  return selected
    .flatMap(({ headers, targets }): Rule[] => [
      ...unevenAdapters(targets).map((model) => ({
        headers,
        model,
        members: membersOf(
          service,
          targets.filter((target) => holds(target, model)),
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
export function webSocketRules(service: Named, selected: readonly SelectedRule[]): Rule[] {
  return selected
    .map(({ headers, targets }) => {
      const inside = targets.filter(({ kind }) => kind === 'Edge');
      return { headers, members: membersOf(service, inside) };
    })
    .filter(({ members }) => members.length > 0);
}

function membersOf(service: Named, targets: readonly Target[]): Member[] {
  const tiers = [...groupBy(targets, ({ tier }) => tier).values()];
  const members = tiers.flatMap((tier) => weighed(service, tier));
  return sortedBy(members, ({ tier, hostname }) => `${tier} ${hostname}`);
}

/** The members of one tier, with the weights of their entries spread over them. */
function weighed(service: Named, targets: readonly Target[]): Member[] {
  const entries = [...groupBy(targets, ({ entry }) => entry).values()];
  const weights = exactWeights(
    entries.map((own) => ({ weight: own[0]?.weight ?? 1, counts: own.map(sizeOf) })),
  );
  return entries.flatMap((own, i) => own.map((target, j) => memberOf(service, target, weights[i]?.[j] ?? 1)));
}

/** How many replicas a target is, by which its entry is spread. */
function sizeOf(target: Target): number {
  return target.kind === 'Edge' ? target.replicas.length : 1;
}

function memberOf(service: Named, target: Target, weight: number): Member {
  const { kind, tier, entry } = target;
  const common = { kind, tier, weight, entry, hostname: hostOf(service, target) };
  if (target.kind === 'External') return { ...common, target: namedOf(target.endpoint), replicas: [] };
  const { deployment, cluster, replicas } = target;
  return { ...common, cluster: cluster.metadata.name, target: namedOf(deployment), replicas };
}

/** The Host by which fronts ask for a target. */
export function hostOf(service: Named, target: Target): string {
  const { tier } = target;
  if (target.kind === 'External') return egressHost({ service, tier, endpoint: namedOf(target.endpoint) });
  const { deployment, cluster, replica } = target;
  const place = { deployment: namedOf(deployment), cluster: cluster.metadata.name };
  return edgeHost({ service, tier, ...place, ...(replica !== undefined && { replica }) });
}

/** Namespace and name of a namespaced resource. */
export function namedOf(resource: { readonly metadata: Metadata }): Named {
  const { namespace = '', name } = resource.metadata;
  return { namespace, name };
}
