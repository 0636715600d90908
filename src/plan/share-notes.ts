import { copyBoundsOf } from '../api/engine-copies';
import { qualifiedNameOf } from '../api/resource';
import { formatRoundPercent } from '../base/figures';
import { sortUnique } from '../base/order';
import type { ComputedReplica } from '../replicas/replica';
import { findAnsweringEngine } from '../routing/health-checks';
import type { RouteMember, RouteRule, Routing } from '../routing/routing';

/**
 * Describes what share of the requests of a service one copy gets, where the number of copies changes. Weights are per
 * replica: gateways do not follow the number of its copies.
 */
export function describeCopyShares(replicas: readonly ComputedReplica[], { services }: Routing): string[] {
  if (services.length === 0) return [];
  const bounds = new Map(
    replicas.map(({ deployment }) => [qualifiedNameOf(deployment), copyBoundsOf(findAnsweringEngine(deployment))]),
  );
  return services.flatMap(({ namespace, name, rules }) => {
    const lines = rules.flatMap((rule) => describeRule(rule, bounds));
    const id = `ModelService ${namespace}/${name}`;
    return sortUnique(lines).map(
      (line) => `${id}: weights do not follow the number of copies, so one copy of ${line}.`,
    );
  });
}

type Bounds = ReadonlyMap<string, { readonly min: number; readonly max: number }>;

function describeRule({ members }: RouteRule, bounds: Bounds): string[] {
  const first = members.filter(({ tier }) => tier === 0);
  const boundsOf = ({ kind, target }: RouteMember) =>
    kind === 'Edge' ? bounds.get(`${target.namespace}/${target.name}`) : undefined;
  const isScaled = (member: RouteMember): boolean => {
    const { min, max } = boundsOf(member) ?? { min: 1, max: 1 };
    return min < max;
  };
  const targets = new Set(first.map(({ target }) => `${target.namespace}/${target.name}`));
  if (targets.size < 2 || !first.some(isScaled)) return [];
  const total = first.reduce((sum, { weight }) => sum + weight, 0);
  const shares = first.flatMap((member) => {
    const copies = boundsOf(member);
    if (!copies) return [];
    const share = member.weight / total / Math.max(1, member.replicas.length);
    const [most, least] = [share / Math.max(1, copies.min), share / copies.max];
    const range =
      most === least ? formatRoundPercent(most) : `${formatRoundPercent(least)} to ${formatRoundPercent(most)}`;
    return [`${member.target.namespace}/${member.target.name} gets ${range}`];
  });
  return [sortUnique(shares).join(', and one of ')];
}
