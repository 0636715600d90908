import { groupBy } from '../base/order';
import type { RouteMember, RouteRule } from './routing';
import { fitWeights } from './weights';

/** What Gateway API takes: backends of a rule (HTTPRoute, v1). */
export const MAX_BACKENDS = 16;

/** What Envoy Gateway takes: endpoints of a Backend (v1.9). */
const MAX_ENDPOINTS = 256;

/** Members of a rule that are one of its backends. */
export interface BackendGroup {
  /** All of one kind, tier and entry, and with the same share each. */
  readonly members: readonly RouteMember[];

  /** Of all together, relative to others of the tier. */
  readonly weight: number;

  /** What tells it from others of its rule, however weights change. Absent: it is one member, as everywhere else. */
  readonly key?: string;
}

/**
 * The backends of a rule: a member each, or where those are too many for a rule, all members of an entry that hold
 * equally many replicas together, because they have the same share. It may still be more than `MOST_BACKENDS`.
 *
 * A front spreads what a bundle gets over its members by how many requests each has open, and while one is down, over
 * the others of the bundle.
 */
export function groupBackends({ members }: Pick<RouteRule, 'members'>): BackendGroup[] {
  if (members.length <= MAX_BACKENDS) return members.map((one) => ({ members: [one], weight: one.weight }));
  return [...groupBy(members, ({ tier }) => tier).values()].flatMap((tier) => {
    const alike = [...groupBy(tier, groupKeyOf)].flatMap(([key, same]) => splitGroups(same, key));
    const weights = fitWeights(alike.map((bundle) => sumWeights(bundle.members)));
    return alike.map((bundle, i) => ({ ...bundle, weight: weights[i] ?? 1 }));
  });
}

/** Endpoints have no replicas, so they stand apart. */
function groupKeyOf({ tier, entry, replicas }: RouteMember): string {
  return [tier, entry, replicas.length].join('/');
}

function splitGroups(
  members: readonly RouteMember[],
  key: string,
): Pick<Required<BackendGroup>, 'key' | 'members'>[] {
  const count = Math.ceil(members.length / MAX_ENDPOINTS);
  return Array.from({ length: count }, (_, i) => {
    return { key: `${key}/${i}`, members: members.slice(i * MAX_ENDPOINTS, (i + 1) * MAX_ENDPOINTS) };
  });
}

function sumWeights(members: readonly RouteMember[]): bigint {
  return members.reduce((sum, { weight }) => sum + BigInt(weight), 0n);
}

/** The clusters whose edges stand in a bundle with others: its members have to be known by one name. */
export function findGroupedClusters(rules: readonly RouteRule[]): Set<string> {
  const shared = rules.flatMap(groupBackends).flatMap(({ members }) => {
    const clusters = [...new Set(members.flatMap(({ cluster }) => cluster ?? []))];
    return clusters.length > 1 ? clusters : [];
  });
  return new Set(shared);
}
