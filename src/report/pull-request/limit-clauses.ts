import { formatSeconds } from '../../base/duration';
import { formatCount } from '../../base/figures';
import { isMap } from '../../base/json';
import { joinAnd } from '../../base/text';
import { countProxies } from '../../diff/access-changes';
import type { FieldChange } from '../../diff/field-changes';
import type { ServiceChange } from '../../diff/route-changes';
import { formatPeriod } from '../../diff/limit-warnings';
import type { RoutedService } from '../../routing/routing';
import type { RateLimit } from '../../routing/traffic-types';
import { type AccessClause, fieldsOf } from './access-clause';

/** Lists what a change does to the limits of a service: how many requests clients may send, and how long they last. */
export function listLimitClauses(change: ServiceChange, later: RoutedService | undefined): AccessClause[] {
  return [...listRateClauses(change, later), ...listTimeoutClauses(change)];
}

/** Lists the limits that a service has from the beginning. */
export function listFirstLimitClauses(service: string, later: RoutedService | undefined): AccessClause[] {
  const limits = new Map(
    (later?.gateways ?? []).flatMap(({ rateLimits }) => rateLimits.map((one) => [JSON.stringify(one), one] as const)),
  );
  return [...limits.values()].flatMap((limit): AccessClause[] => {
    const proxies = later ? countProxies(later, limit) : 0;
    return [{ service, clauseOf: (names, each) => describeLimit(limit, names, each, proxies) }];
  });
}

function listRateClauses(change: ServiceChange, later: RoutedService | undefined): AccessClause[] {
  if (!later) return [];
  const { service } = change;
  const limits = later.gateways.flatMap(({ rateLimits }) => rateLimits);
  const fields = fieldsOf(change, 'rateLimits');
  const others = new Set(fields.filter(({ path }) => path[4] === 'by').map(({ path }) => String(path.slice(0, 4))));
  const clauses = fields.flatMap(({ path, before, after }): AccessClause['clauseOf'][] => {
    if (path[4] === 'by') return describeSenders(path, fields, later);
    if (path.length === 2 || others.has(String(path.slice(0, 4)))) return [];
    if (after === undefined)
      return [(names) => `removes ${path.length === 4 ? 'a rate limit' : 'the rate limits'} of ${names}`];
    if (before === undefined && isMap(after))
      return [(names, each) => describeLimit(after, names, each, countProxies(later, after))];
    if (path.at(-1) !== 'requests' || typeof before !== 'number' || typeof after !== 'number')
      return [(names) => `${before === undefined ? 'adds a rate limit to' : 'changes the rate limits of'} ${names}`];
    const per = limits.find(({ requests }) => requests === after)?.per;
    const verb = after < before ? 'lowers' : 'raises';
    const to = `${formatCount(after)} requests${per === undefined ? '' : ` ${formatPeriod(per)}`}`;
    return [(names) => `${verb} a rate limit of ${names} from ${formatCount(before)} to ${to}`];
  });
  // Each ingress gateway of a service has its own.
  const byText = new Map(clauses.map((clauseOf) => [clauseOf('', ''), clauseOf]));
  return [...byText.values()].map((clauseOf) => ({ service, clauseOf }));
}

/** `limits ml/chat to 300 requests a minute of all clients together instead of 300 of each`, and the other way round. */
function describeSenders(
  path: FieldChange['path'],
  fields: readonly FieldChange[],
  later: RoutedService,
): AccessClause['clauseOf'][] {
  const listener = later.gateways.find(({ gateway, cluster }) => `${gateway} on ${cluster}` === path[1]);
  const limit = listener?.rateLimits[Number(path[3])];
  if (!limit) return [(names) => `changes the rate limits of ${names}`];
  const item = String(path.slice(0, 4));
  const own = fields.filter((one) => String(one.path.slice(0, 4)) === item);
  const former = { ...limit, ...Object.fromEntries(own.map((one) => [one.path[4], one.before])) };
  const per = former.per === limit.per ? '' : ` requests ${formatPeriod(former.per)}`;
  const now = `${formatCount(limit.requests)} requests ${formatPeriod(limit.per)}`;
  const was = `${formatCount(former.requests)}${per}`;
  return limit.by === 'Service'
    ? [(names) => `limits ${names} to ${now} of **all clients together** instead of ${was} of each`]
    : [(names) => `limits ${names} to ${now} of each client instead of ${was} of all together`];
}

/** `limits each client of all 4 services to 60 requests a minute for each service, at each of 4 gateway proxies`. */
function describeLimit(
  { requests, per, by }: Readonly<Record<string, unknown>> | RateLimit,
  names: string,
  each: string,
  proxies: number,
): string {
  const limited = `to ${formatCount(Number(requests))} requests ${formatPeriod(String(per))}`;
  const at = `, at each of ${formatCount(proxies)} gateway proxies`;
  return by === 'Key'
    ? `limits each client of ${names} ${limited}${each === '' ? '' : ' for each service'}${at}`
    : `limits ${names} ${limited}${each}, of all clients together${at}`;
}

/** `ends requests to all 4 services after 30 s (no limit before) and after 5 min without a byte (1 h before)`. */
function listTimeoutClauses(change: ServiceChange): AccessClause[] {
  const { service } = change;
  const changed = fieldsOf(change, 'timeouts').filter(({ path }) => path.length > 2);
  // Each ingress gateway of a service has its own.
  const fields = new Map(changed.map(({ path, before, after }) => [path.at(-1), { before, after }]));
  const [request, idle, connect] = ['request', 'idle', 'connect'].map((name) => fields.get(name));
  const ends = [
    ...(request?.after === undefined ? [] : [describeEnd(request, '')]),
    ...(idle ? [describeEnd(idle, ' without a byte')] : []),
  ];
  const clauses: AccessClause['clauseOf'][] = [
    ...(request && request.after === undefined
      ? [(names: string) => `no longer ends requests to ${names} after ${formatTime(request.before)}`]
      : []),
    ...(ends.length > 0 ? [(names: string) => `ends requests to ${names} ${joinAnd(ends)}`] : []),
    ...(connect
      ? [(names: string) => `waits ${formatTime(connect.after)} for connections of ${names} ${describeFormer(connect)}`]
      : []),
  ];
  return clauses.map((clauseOf) => ({ service, clauseOf }));
}

interface ChangedTime {
  readonly before: FieldChange['before'] | undefined;
  readonly after: FieldChange['after'] | undefined;
}

/** `after 5 min without a byte (1 h before)`. */
function describeEnd(time: ChangedTime, of: string): string {
  return `after ${formatTime(time.after)}${of} ${describeFormer(time)}`;
}

function describeFormer({ before }: ChangedTime): string {
  return `(${before === undefined ? 'no limit' : formatTime(before)} before)`;
}

/** `30 s`, `5 min`, of a number of seconds. */
export function formatTime(seconds: FieldChange['before'] | undefined): string {
  return formatSeconds(Number(seconds));
}
