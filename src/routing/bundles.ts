import { groupBy } from '../order';
import type { Member, Rule } from './routing';
import { fittingWeights } from './weights';

/** What Gateway API takes: backends of a rule (HTTPRoute, v1). */
export const MOST_BACKENDS = 16;

/** What Envoy Gateway takes: endpoints of a Backend (v1.9). */
const MOST_ENDPOINTS = 256;

/** Members of a rule that are one of its backends. */
export interface Bundle {
  /** All of one kind, tier and entry, and with the same share each. */
  readonly members: readonly Member[];

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
export function bundlesOf({ members }: Pick<Rule, 'members'>): Bundle[] {
  if (members.length <= MOST_BACKENDS) return members.map((one) => ({ members: [one], weight: one.weight }));
  return [...groupBy(members, ({ tier }) => tier).values()].flatMap((tier) => {
    const alike = [...groupBy(tier, keyOf)].flatMap(([key, same]) => chunks(same, key));
    const weights = fittingWeights(alike.map((bundle) => sumOf(bundle.members)));
    return alike.map((bundle, i) => ({ ...bundle, weight: weights[i] ?? 1 }));
  });
}

/** Endpoints have no replicas, so they stand apart. */
function keyOf({ tier, entry, replicas }: Member): string {
  return [tier, entry, replicas.length].join('/');
}

function chunks(members: readonly Member[], key: string): Pick<Required<Bundle>, 'key' | 'members'>[] {
  const count = Math.ceil(members.length / MOST_ENDPOINTS);
  return Array.from({ length: count }, (_, i) => {
    return { key: `${key}/${i}`, members: members.slice(i * MOST_ENDPOINTS, (i + 1) * MOST_ENDPOINTS) };
  });
}

function sumOf(members: readonly Member[]): bigint {
  return members.reduce((sum, { weight }) => sum + BigInt(weight), 0n);
}

/** The clusters whose edges stand in a bundle with others: its members have to be known by one name. */
export function clustersInBundles(rules: readonly Rule[]): Set<string> {
  const shared = rules.flatMap(bundlesOf).flatMap(({ members }) => {
    const clusters = [...new Set(members.flatMap(({ cluster }) => cluster ?? []))];
    return clusters.length > 1 ? clusters : [];
  });
  return new Set(shared);
}
