import { groupBy } from '../../base/order';
import { pluralize } from '../../base/text';
import type { GatewayChange, RouteChanges, ServiceChange } from '../../diff/route-changes';
import type { MemberChange, TrafficShare } from '../../diff/traffic-share-changes';
import { formatShareAsPercent } from '../../routing/weights';
import {
  ADD_MARK,
  CHANGE_MARK,
  formatMarkedLine,
  type LineMark,
  PLAIN_STYLE,
  REMOVE_MARK,
  type Style,
} from '../document/terminal-style';
import { formatBecause } from './change-sentences';
import { formatFieldChange } from './field-changes-text';

const ROUTE_MARKS: Readonly<Record<ServiceChange['action'], LineMark>> = {
  add: ADD_MARK,
  remove: REMOVE_MARK,
  change: CHANGE_MARK,
};

/** Who gets which share of the requests of each service, before and after, and the gateways that change. */
export function formatRouteChanges(
  { services, gateways }: RouteChanges,
  style: Style = PLAIN_STYLE,
): string[] {
  return [
    ...services.flatMap((service) => formatService(service, style)),
    ...gateways.flatMap((gateway) => formatGateway(gateway, style)),
  ];
}

function formatService(change: ServiceChange, style: Style): string[] {
  const { service, action, urls, fields, causes } = change;
  const where = urls.length > 0 ? `   ${urls.join(', ')}` : '';
  return [
    formatMarkedLine(
      ROUTE_MARKS[action],
      `routes of ${style.strong(service)}${style.faint(where)}${formatBecause(causes)}`,
      style,
      2,
    ),
    ...fields.map((field) => `      ${formatFieldChange(field)}`),
    ...groupsOf(change).flatMap((group) => formatGroup(group, style)),
  ];
}

/** What changes of one target of one rule. */
interface TargetGroup {
  readonly whole: MemberChange | undefined;
  readonly members: readonly MemberChange[];
}

function groupsOf({ targets, members }: ServiceChange): TargetGroup[] {
  const all = groupBy([...targets, ...members], ({ match = '', target, external }) =>
    [match, target, external].join('\n'),
  );
  return [...all.values()].map((own) => ({
    whole: own.find((one) => targets.includes(one)),
    members: own.filter((one) => members.includes(one)),
  }));
}

function formatGroup({ whole, members }: TargetGroup, style: Style): string[] {
  const [first, ...others] = members;
  if (first && others.length === 0 && (!whole || formatShares(whole) === formatShares(first))) {
    return [formatMember(first, style)];
  }
  const named = whole ?? first;
  if (!named) return [];
  const { cluster: _, ...anywhere } = named;
  const head = whole
    ? formatMember(whole, style)
    : formatMarkedLine(CHANGE_MARK, `${formatMemberName(anywhere)}: on other clusters`, style);
  return [head, ...members.map((member) => formatMember({ ...member, target: '' }, style, 8))];
}

function formatMember(change: MemberChange, style: Style, indent = 4): string {
  const { before, after } = change;
  const mark = before && after ? CHANGE_MARK : after ? ADD_MARK : REMOVE_MARK;
  return formatMarkedLine(mark, `${formatMemberName(change)}: ${formatShares(change)}`, style, indent);
}

function formatMemberName({ target, cluster, external, match }: MemberChange): string {
  const what = `${external ? 'endpoint ' : ''}${target}`;
  const where = cluster === undefined ? '' : `${target === '' ? '' : ' '}on ${cluster}`;
  return `${what}${where}${match === undefined || target === '' ? '' : ` with ${match}`}`;
}

/** `100 % -> 80 %, 2 replicas`. */
function formatShares({ before, after }: MemberChange): string {
  if (!after) return `was ${before ? formatTrafficShare(before) : ''}`;
  if (!before) return formatTrafficShare(after);
  const share =
    before.share === after.share
      ? formatFraction(after)
      : `${formatFraction(before)} -> ${formatFraction(after)}`;
  const count =
    before.replicas === after.replicas ? '' : `${before.replicas} -> ${pluralize(after.replicas, 'replica')}`;
  const tier = before.tier === after.tier ? '' : `tier ${before.tier} -> ${after.tier}`;
  return [share, count, tier].filter((part) => part !== '').join(', ');
}

function formatTrafficShare(portion: TrafficShare): string {
  const { tier, replicas } = portion;
  const count = replicas > 0 ? [pluralize(replicas, 'replica')] : [];
  return [formatFraction(portion), ...count, ...(tier === 1 ? ['once nothing above serves'] : [])].join(', ');
}

function formatFraction({ share }: TrafficShare): string {
  const [top = 0, bottom = 1] = share.split('/').map(Number);
  return formatShareAsPercent(top, bottom);
}

function formatGateway(
  { cluster, kind, gateway, action, fields, causes }: GatewayChange,
  style: Style,
): string[] {
  const name = gateway === undefined ? `${kind} on ${cluster}` : `${kind} ${gateway} on ${cluster}`;
  return [
    formatMarkedLine(ROUTE_MARKS[action], `${name}${formatBecause(causes)}`, style, 2),
    ...fields.map((field) => `      ${formatFieldChange(field)}`),
  ];
}
