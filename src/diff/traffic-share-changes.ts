import { redactValue } from '../api/secret-detection';
import { groupBy, sortUnique } from '../base/order';
import type { RoutedService, RouteMember, RouteRule } from '../routing/routing';
import { formatShare, totalWeightOf } from '../routing/weights';

/** What one member of a rule gets, or what all replicas of a deployment get together. */
export interface TrafficShare {
  /** 1 gets requests only while nothing of tier 0 serves. */
  readonly tier: 0 | 1;

  /** Of the requests of its tier, a fraction in lowest terms: `4/5`. */
  readonly share: string;

  /** Behind it. 0: an endpoint outside the fleet. */
  readonly replicas: number;
}

/** What happens to a part of the requests of a service. */
export interface MemberChange {
  /** What requests have to match: `x-canary: yes, model sql`. Absent: all others. */
  readonly match?: string;

  /** `namespace/name` of the ModelDeployment or the ModelEndpoint. */
  readonly target: string;

  /** Whether the target is a ModelEndpoint. */
  readonly external: boolean;

  /** Where its replicas are. Absent: outside the fleet, or all of a deployment together. */
  readonly cluster?: string;

  /** Absent where it is new. */
  readonly before?: TrafficShare;

  /** Absent where it is gone. */
  readonly after?: TrafficShare;
}

/** A member with its share. */
export interface RouteMemberShare extends Omit<MemberChange, 'before' | 'after'> {
  readonly portion: TrafficShare;
}

/** Compares the members of a service, and the sums of each target over all clusters, by rule, target and cluster. */
export function diffMembers(
  before: RoutedService | undefined,
  after: RoutedService | undefined,
): { readonly targets: MemberChange[]; readonly members: MemberChange[] } {
  const of = (parts: (rule: RouteRule) => RouteMemberShare[]): MemberChange[] =>
    compareMembers(before?.rules.flatMap(parts) ?? [], after?.rules.flatMap(parts) ?? []);
  return { targets: of(targetsOf), members: of(membersOf) };
}

/** The part of the requests, from 0 to 1, while everything serves: nothing for a fallback. */
export function partOf(share: TrafficShare | undefined): number {
  if (!share || share.tier === 1) return 0;
  const [top = 0, bottom = 1] = share.share.split('/').map(Number);
  return top / bottom;
}

/** Lists the share of each member of a service, by rule, tier and host name. */
export function listShares(service: RoutedService): RouteMemberShare[] {
  return service.rules.flatMap(membersOf);
}

/** Lists the share of all replicas of each target together, by rule, tier and target. */
export function listTargetShares(service: RoutedService): RouteMemberShare[] {
  return service.rules.flatMap(targetsOf);
}

function compareMembers(was: readonly RouteMemberShare[], is: readonly RouteMemberShare[]): MemberChange[] {
  const [old, now] = [groupBy(was, keyOf), groupBy(is, keyOf)];
  return sortUnique([...old.keys(), ...now.keys()]).flatMap((key) => {
    const [earlier, later] = [old.get(key) ?? [], now.get(key) ?? []];
    const count = Math.max(earlier.length, later.length);
    return Array.from({ length: count }, (_, i) => toMemberChange(earlier[i], later[i])).flat();
  });
}

function toMemberChange(was: RouteMemberShare | undefined, is: RouteMemberShare | undefined): MemberChange[] {
  const part = is ?? was;
  if (!part || (was && is && textOf(was.portion) === textOf(is.portion))) return [];
  const { portion: _, ...place } = part;
  return [{ ...place, ...(was && { before: was.portion }), ...(is && { after: is.portion }) }];
}

function membersOf(rule: RouteRule): RouteMemberShare[] {
  return rule.members.map((member) => toRouteMember(rule, member, [member]));
}

function targetsOf(rule: RouteRule): RouteMemberShare[] {
  const targets = groupBy(rule.members, (member) => `${member.tier} ${member.kind} ${targetOf(member)}`);
  return [...targets.values()].flatMap((members) => {
    const [first] = members;
    if (!first) return [];
    const { cluster: _, ...part } = toRouteMember(rule, first, members);
    return [part];
  });
}

function toRouteMember(rule: RouteRule, member: RouteMember, together: readonly RouteMember[]): RouteMemberShare {
  const { tier, kind, cluster } = member;
  const weight = together.reduce((sum, one) => sum + one.weight, 0);
  const match = matchText(rule);
  return {
    ...(match !== '' && { match }),
    target: targetOf(member),
    external: kind === 'External',
    ...(cluster !== undefined && { cluster }),
    portion: {
      tier,
      share: formatShare(weight, totalWeightOf(rule.members, tier)),
      replicas: together.reduce((sum, { replicas }) => sum + replicas.length, 0),
    },
  };
}

/** The condition of a rule as text. Empty where the rule matches all requests. */
export function matchText({ headers, model }: Pick<RouteRule, 'headers' | 'model'>): string {
  const conditions = headers.map(({ name, value }) => `${name}: ${redactValue(value, name)}`);
  return [...conditions, ...(model === undefined ? [] : [`model ${model}`])].join(', ');
}

function targetOf({ target: { namespace, name } }: RouteMember): string {
  return `${namespace}/${name}`;
}

function keyOf({ match = '', external, target, cluster = '' }: RouteMemberShare): string {
  return [match, external, target, cluster].join('\n');
}

function textOf({ tier, share, replicas }: TrafficShare): string {
  return `${tier} ${share} ${replicas}`;
}
