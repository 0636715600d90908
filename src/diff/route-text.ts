import { groupBy } from '../order';
import { plural } from '../plan/format';
import { PLAIN, type Style } from '../plan/style';
import { percentText } from '../routing/shares';
import { ADD, CHANGE, type Mark, marked, REMOVE } from './marks';
import type { MemberChange, Portion } from './member-changes';
import type { GatewayChange, RouteChanges, ServiceChange } from './route-changes';
import { fieldText } from './value-text';
import { becauseText } from './words';

const MARKS: Readonly<Record<ServiceChange['action'], Mark>> = { add: ADD, remove: REMOVE, change: CHANGE };

/** Who gets which share of the requests of each service, before and after, and the gateways that change. */
export function routeLines({ services, gateways }: RouteChanges, style: Style = PLAIN): string[] {
  return [
    ...services.flatMap((service) => serviceLines(service, style)),
    ...gateways.flatMap((gateway) => gatewayLines(gateway, style)),
  ];
}

function serviceLines(change: ServiceChange, style: Style): string[] {
  const { service, action, urls, fields, causes } = change;
  const where = urls.length > 0 ? `   ${urls.join(', ')}` : '';
  return [
    marked(
      MARKS[action],
      `routes of ${style.strong(service)}${style.faint(where)}${becauseText(causes)}`,
      style,
      2,
    ),
    ...fields.map((field) => `      ${fieldText(field)}`),
    ...groupsOf(change).flatMap((group) => groupLines(group, style)),
  ];
}

/** What changes of one target of one rule. */
interface Group {
  readonly whole: MemberChange | undefined;
  readonly members: readonly MemberChange[];
}

function groupsOf({ targets, members }: ServiceChange): Group[] {
  const all = groupBy([...targets, ...members], ({ match = '', target, external }) =>
    [match, target, external].join('\n'),
  );
  return [...all.values()].map((own) => ({
    whole: own.find((one) => targets.includes(one)),
    members: own.filter((one) => members.includes(one)),
  }));
}

function groupLines({ whole, members }: Group, style: Style): string[] {
  const [first, ...others] = members;
  if (first && others.length === 0 && (!whole || portionsOf(whole) === portionsOf(first))) {
    return [memberLine(first, style)];
  }
  const named = whole ?? first;
  if (!named) return [];
  const { cluster: _, ...anywhere } = named;
  const head = whole
    ? memberLine(whole, style)
    : marked(CHANGE, `${nameOf(anywhere)}: on other clusters`, style);
  return [head, ...members.map((member) => memberLine({ ...member, target: '' }, style, 8))];
}

function memberLine(change: MemberChange, style: Style, indent = 4): string {
  const { before, after } = change;
  const mark = before && after ? CHANGE : after ? ADD : REMOVE;
  return marked(mark, `${nameOf(change)}: ${portionsOf(change)}`, style, indent);
}

function nameOf({ target, cluster, external, match }: MemberChange): string {
  const what = `${external ? 'endpoint ' : ''}${target}`;
  const where = cluster === undefined ? '' : `${target === '' ? '' : ' '}on ${cluster}`;
  return `${what}${where}${match === undefined || target === '' ? '' : ` with ${match}`}`;
}

/** `100 % -> 80 %, 2 replicas`. */
function portionsOf({ before, after }: MemberChange): string {
  if (!after) return `was ${before ? portionText(before) : ''}`;
  if (!before) return portionText(after);
  const share =
    before.share === after.share ? shareText(after) : `${shareText(before)} -> ${shareText(after)}`;
  const count =
    before.replicas === after.replicas ? '' : `${before.replicas} -> ${plural(after.replicas, 'replica')}`;
  const tier = before.tier === after.tier ? '' : `tier ${before.tier} -> ${after.tier}`;
  return [share, count, tier].filter((part) => part !== '').join(', ');
}

function portionText(portion: Portion): string {
  const { tier, replicas } = portion;
  const count = replicas > 0 ? [plural(replicas, 'replica')] : [];
  return [shareText(portion), ...count, ...(tier === 1 ? ['once nothing above serves'] : [])].join(', ');
}

function shareText({ share }: Portion): string {
  const [top = 0, bottom = 1] = share.split('/').map(Number);
  return percentText(top, bottom);
}

function gatewayLines(
  { cluster, kind, gateway, action, fields, causes }: GatewayChange,
  style: Style,
): string[] {
  const name = gateway === undefined ? `${kind} on ${cluster}` : `${kind} ${gateway} on ${cluster}`;
  return [
    marked(MARKS[action], `${name}${becauseText(causes)}`, style, 2),
    ...fields.map((field) => `      ${fieldText(field)}`),
  ];
}
