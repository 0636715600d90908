import { groupBy } from '../base/order';
import type { RouteMember, RouteRule } from './routing';
import { fitWeights } from './weights';

/** The maximum number of backends of a rule in Gateway API (HTTPRoute, v1). */
export const MAX_BACKENDS = 16;

/** The maximum number of endpoints of a Backend in Envoy Gateway (v1.9). */
const MAX_ENDPOINTS = 256;

/** Members of a rule that form one of its backends. */
export interface BackendGroup {
  /** Members of one kind, tier and entry, each with the same share. */
  readonly members: readonly RouteMember[];

  /** The total weight of the members, relative to other groups of the tier. */
  readonly weight: number;

  /** Identifies the group within its rule, independent of weights. Absent: the group is a single member. */
  readonly key?: string;
}

/**
 * Groups the members of a rule into backends. Each member is a backend, unless a rule has too many members. Then all
 * members of an entry with the same number of replicas form a group, because they have the same share. The number of
 * groups can still exceed `MAX_BACKENDS`.
 *
 * A front balances the requests of a group over its members by open requests. While a member is down, its requests go
 * to the other members of the group.
 */
export function groupBackends({ members }: Pick<RouteRule, 'members'>): BackendGroup[] {
  if (members.length <= MAX_BACKENDS) return members.map((member) => ({ members: [member], weight: member.weight }));
  return [...groupBy(members, ({ tier }) => tier).values()].flatMap((tier) => {
    const groups = [...groupBy(tier, groupKeyOf)].flatMap(([key, grouped]) => splitGroups(grouped, key));
    const weights = fitWeights(groups.map((group) => sumWeights(group.members)));
    return groups.map((group, i) => ({ ...group, weight: weights[i] ?? 1 }));
  });
}

/** Endpoints have no replicas, so they form separate groups. */
function groupKeyOf({ tier, entry, replicas }: RouteMember): string {
  return [tier, entry, replicas.length].join('/');
}

function splitGroups(members: readonly RouteMember[], key: string): Pick<Required<BackendGroup>, 'key' | 'members'>[] {
  const count = Math.ceil(members.length / MAX_ENDPOINTS);
  return Array.from({ length: count }, (_, i) => {
    return { key: `${key}/${i}`, members: members.slice(i * MAX_ENDPOINTS, (i + 1) * MAX_ENDPOINTS) };
  });
}

function sumWeights(members: readonly RouteMember[]): bigint {
  return members.reduce((sum, { weight }) => sum + BigInt(weight), 0n);
}

/** Returns the clusters whose edges share a group with other edges. The members of such a group need a common name. */
export function findGroupedClusters(rules: readonly RouteRule[]): Set<string> {
  const shared = rules.flatMap(groupBackends).flatMap(({ members }) => {
    const clusters = [...new Set(members.flatMap(({ cluster }) => cluster ?? []))];
    return clusters.length > 1 ? clusters : [];
  });
  return new Set(shared);
}
