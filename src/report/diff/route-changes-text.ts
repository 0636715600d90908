import { groupBy } from '../../base/order';
import { changed, pluralize } from '../../base/text';
import type { GatewayChange, RouteChanges, ServiceChange } from '../../diff/route-changes';
import type { MemberChange, TrafficShare } from '../../diff/traffic-share-changes';
import { formatShareAsPercent } from '../../routing/weights';
import { type Block, faint, indent, type Item, MARKS, strong } from '../document/document';
import { formatBecause } from './change-sentences';
import { formatFieldChange } from './field-changes-text';

/** Who gets which share of the requests of each service, before and after, and the gateways that change. */
export function formatRouteChanges({ services, gateways }: RouteChanges): Block[] {
  return indent([...services.flatMap(formatService), ...gateways.map(formatGateway)]);
}

function formatService(change: ServiceChange): Block[] {
  const { service, action, urls, fields, causes } = change;
  const where = urls.length > 0 ? `   ${urls.join(', ')}` : '';
  const text = ['routes of ', strong(service), faint(where), formatBecause(causes)];
  return [
    { mark: MARKS[action], text, below: fields.map(formatFieldChange) },
    ...indent(groupsOf(change).flatMap(formatGroup)),
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

function formatGroup({ whole, members }: TargetGroup): Item[] {
  const [first, ...others] = members;
  if (first && others.length === 0 && (!whole || formatShares(whole) === formatShares(first))) {
    return [formatMember(first)];
  }
  const named = whole ?? first;
  if (!named) return [];
  const { cluster: _, ...anywhere } = named;
  const head = whole
    ? formatMember(whole)
    : { mark: MARKS.change, text: `${formatMemberName(anywhere)}: on other clusters` };
  return [{ ...head, below: members.map((member) => formatMember({ ...member, target: '' })) }];
}

function formatMember(change: MemberChange): Item {
  const { before, after } = change;
  const mark = before && after ? MARKS.change : after ? MARKS.add : MARKS.remove;
  return { mark, text: `${formatMemberName(change)}: ${formatShares(change)}` };
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
  const share = changed(formatFraction(before), formatFraction(after));
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

function formatGateway({ cluster, kind, gateway, action, fields, causes }: GatewayChange): Item {
  const name = gateway === undefined ? kind : `${kind} ${gateway}`;
  const text = `${name} on ${cluster}${formatBecause(causes)}`;
  return { mark: MARKS[action], text, below: fields.map(formatFieldChange) };
}
