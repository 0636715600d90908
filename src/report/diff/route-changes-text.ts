import { groupBy } from '../../base/order';
import { formatChange, pluralize } from '../../base/text';
import type { GatewayChange, RouteChanges, ServiceChange } from '../../diff/route-changes';
import type { MemberChange, TrafficShare } from '../../diff/traffic-share-changes';
import { formatShareAsPercent } from '../../routing/weights';
import { type Block, faint, indent, type Item, CHANGE_MARKS, strong } from '../document/document';
import { mergeAlike, nameClusters } from '../document/group-alike';
import { formatBecause, type FormatCauses } from './change-sentences';
import { describeEntrance } from './entrance-text';
import { formatFieldChange } from './field-changes-text';

/**
 * Formats the share of requests that each target of a service gets, before and after, and the changed gateways.
 *
 * @param isMerged whether many clusters whose shares change alike are one line. Default: each is listed
 */
export function formatRouteChanges(
  { services, gateways }: RouteChanges,
  because: FormatCauses = formatBecause,
  isMerged = false,
): Block[] {
  const format = isMerged ? mergeShares : formatEachShare;
  return indent([
    ...services.flatMap((service) => formatService(service, because, format)),
    ...gateways.map((gateway) => formatGatewayChange(gateway, because)),
  ]);
}

function formatService(change: ServiceChange, because: FormatCauses, format: FormatMembers): Block[] {
  const groups = groupsOf(change).flatMap((group) => formatGroup(group, format));
  return [formatServiceLine(change, because), ...indent(groups)];
}

/** Formats what changes of the routes of a service, apart from shares. */
export function formatServiceLine(change: ServiceChange, because: FormatCauses): Item {
  const { service, action, urls, entrances, fields, causes } = change;
  const addresses = entrances ? entrances.map((one) => describeEntrance(one)).join('; ') : urls.join(', ');
  const where = addresses === '' ? '' : `   ${addresses}`;
  const text = ['routes of ', strong(service), faint(where), because(causes)];
  return { mark: CHANGE_MARKS[action], text, below: fields.map(formatFieldChange) };
}

interface TargetGroup {
  /** The change of the share on all clusters together. Absent: only the shares of clusters change. */
  readonly total: MemberChange | undefined;

  /** The changes of the share on each cluster. */
  readonly members: readonly MemberChange[];
}

function groupsOf({ targets, members }: ServiceChange): TargetGroup[] {
  const all = groupBy([...targets, ...members], ({ match = '', target, external }) =>
    [match, target, external].join('\n'),
  );
  return [...all.values()].map((group) => ({
    total: group.find((change) => targets.includes(change)),
    members: group.filter((change) => members.includes(change)),
  }));
}

/** Formats the changes of the share of one target on clusters. */
type FormatMembers = (members: readonly MemberChange[]) => Item[];

function formatGroup({ total, members }: TargetGroup, format: FormatMembers): Item[] {
  const [first, ...others] = members;
  if (first && others.length === 0 && (!total || formatShares(total) === formatShares(first))) {
    return [formatMember(first)];
  }
  const named = total ?? first;
  if (!named) return [];
  const { cluster: _, ...target } = named;
  const head = total
    ? formatMember(total)
    : { mark: CHANGE_MARKS.change, text: `${formatMemberName(target)}: on other clusters` };
  return [{ ...head, below: format(members.map((member) => ({ ...member, target: '' }))) }];
}

function formatEachShare(members: readonly MemberChange[]): Item[] {
  return members.map(formatMember);
}

/** `on each of 201 clusters: 0.4 % -> 0.3 %`, where there are many. */
function mergeShares(members: readonly MemberChange[]): Item[] {
  return mergeAlike(members, {
    keyOf: (one) => `${markOf(one).sign} ${formatShares(one)}`,
    kindOf: (one) => markOf(one).sign,
    one: formatMember,
    several: ([first, ...others], isAlike) => {
      const clusters = nameClusters([first, ...others].flatMap(({ cluster = [] }) => cluster));
      return {
        mark: markOf(first),
        text: `on each of ${clusters}: ${isAlike ? formatShares(first) : 'another share'}`,
      };
    },
  });
}

function formatMember(change: MemberChange): Item {
  return { mark: markOf(change), text: `${formatMemberName(change)}: ${formatShares(change)}` };
}

function markOf({ before, after }: MemberChange): (typeof CHANGE_MARKS)['add' | 'change' | 'remove'] {
  return before && after ? CHANGE_MARKS.change : after ? CHANGE_MARKS.add : CHANGE_MARKS.remove;
}

function formatMemberName({ target, cluster, external, match }: MemberChange): string {
  const what = `${external ? 'endpoint ' : ''}${target}`;
  const where = cluster === undefined ? '' : `${target === '' ? '' : ' '}on ${cluster}`;
  return `${what}${where}${match === undefined || target === '' ? '' : ` with ${match}`}`;
}

/** Formats a change of a share: `100 % -> 80 %, 2 replicas`. */
function formatShares({ before, after }: MemberChange): string {
  if (!after) return `was ${before ? formatTrafficShare(before) : ''}`;
  if (!before) return formatTrafficShare(after);
  const share = formatChange(formatFraction(before), formatFraction(after));
  const count =
    before.replicas === after.replicas ? '' : `${before.replicas} -> ${pluralize(after.replicas, 'replica')}`;
  const tier = before.tier === after.tier ? '' : `tier ${before.tier} -> ${after.tier}`;
  return [share, count, tier].filter((part) => part !== '').join(', ');
}

function formatTrafficShare(traffic: TrafficShare): string {
  const { tier, replicas } = traffic;
  const count = replicas > 0 ? [pluralize(replicas, 'replica')] : [];
  return [formatFraction(traffic), ...count, ...(tier === 1 ? ['only while nothing of tier 0 serves'] : [])].join(', ');
}

function formatFraction({ share }: TrafficShare): string {
  const [top = 0, bottom = 1] = share.split('/').map(Number);
  return formatShareAsPercent(top, bottom);
}

/** Formats what changes of a gateway of a cluster. */
export function formatGatewayChange(
  { cluster, kind, gateway, action, fields, causes }: GatewayChange,
  because: FormatCauses,
): Item {
  const name = gateway === undefined ? GATEWAY_NAMES[kind] : `${GATEWAY_NAMES[kind]} ${gateway}`;
  const text = `${name} on ${cluster}${because(causes)}`;
  return { mark: CHANGE_MARKS[action], text, below: fields.map(formatFieldChange) };
}

const GATEWAY_NAMES: Readonly<Record<GatewayChange['kind'], string>> = {
  ingress: 'ingress gateway',
  cluster: 'cluster gateway',
  egress: 'egress gateway',
};
