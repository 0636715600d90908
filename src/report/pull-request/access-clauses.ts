import { isMap } from '../../base/json';
import { groupBy, sortUnique } from '../../base/order';
import { joinNames } from '../../base/text';
import { listReachChanges } from '../../diff/reach-changes';
import type { RouteChanges, ServiceChange } from '../../diff/route-changes';
import type { RoutedService } from '../../routing/routing';
import { formatCode } from '../document/write-markdown';
import { type AccessClause, fieldsOf } from './access-clause';
import { listAuthClauses } from './auth-clauses';
import { type Clause, joinServices, limitClauses, nameAll, rankClauses } from './clauses';
import { listFirstLimitClauses, listLimitClauses } from './limit-clauses';

/** Lists what a change does to clients of services: hosts that no longer answer, keys that fail, other limits. */
export function listAccessClauses({ services }: RouteChanges, routed: readonly RoutedService[]): Clause[] {
  const later = new Map(routed.map((one) => [`${one.namespace}/${one.name}`, one]));
  const changed = services.filter(({ action }) => action === 'change');
  const lost = changed.flatMap(listLostAddresses);
  const hosts = groupBy(
    lost.filter((one) => !losesTls(one)),
    ({ from, to }) => JSON.stringify([from, to]),
  );
  const plain = groupBy(lost.filter(losesTls), ({ from }) => originOf(from));
  const auth = changed.flatMap((change) => listAuthClauses(change, later.get(change.service)));
  const limits = changed.flatMap((change) => listLimitClauses(change, later.get(change.service)));
  const added = services.filter(({ action }) => action === 'add');
  const firstLimits = added.flatMap(({ service }) => listFirstLimitClauses(service, later.get(service)));
  const access = [
    ...[...plain].map(([origin, all]) => {
      const names = nameAll(sortUnique(all.map(({ service }) => service)), routed.length);
      return `removes TLS from ${names}: requests and keys travel **without encryption**, and clients of ${formatCode(origin)} get no answer`;
    }),
    ...[...hosts.values()].flatMap(formatLostAddresses),
    ...formatAlike(auth, routed.length),
  ];
  return [
    ...rankClauses('access', limitClauses(access, 'changes other access')),
    ...rankClauses('limits', limitClauses(formatAlike(limits, routed.length), 'changes other limits of requests')),
    ...rankClauses(
      'firstLimits',
      limitClauses(formatAlike(firstLimits, routed.length), 'limits requests for other services'),
    ),
  ];
}

/** One clause for all services to which the same happens. */
function formatAlike(clauses: readonly AccessClause[], total: number): string[] {
  const groups = groupBy(clauses, ({ clauseOf }) => clauseOf('', ''));
  return [...groups.values()].flatMap(([first, ...others]) => {
    const names = sortUnique([first, ...others].flatMap((one) => one?.service ?? []));
    return first ? [first.clauseOf(nameAll(names, total), names.length > 1 ? ' each' : '')] : [];
  });
}

/** Says of which gateways the internet reaches the host now, or no longer reaches the host that stays. */
export function listReachSentences(routes: RouteChanges, routed: readonly RoutedService[]): string[] {
  const listeners = routed.flatMap((one) => one.gateways);
  const texts = listReachChanges(routes).map(({ gateway, opened, onExisting }) => {
    const url = listeners.find((one) => one.gateway === gateway)?.url;
    const name = url === undefined ? `the ingress gateway ${formatCode(gateway)}` : formatCode(hostOf(url));
    if (onExisting)
      return `${name} is declared **reachable from the internet**, and the load balancer of ${joinNames(onExisting)} decides`;
    return opened
      ? `${name} becomes **reachable from the internet**`
      : `${name} is **no longer reachable from the internet**`;
  });
  return limitClauses(sortUnique(texts), 'the reach of other ingress gateways changes');
}

/** A host or URL at which clients of a service get no answer any more. */
interface LostAddress {
  readonly service: string;
  readonly from: string;

  /** Absent: no other takes its place. */
  readonly to?: string;
}

function losesTls({ from, to }: LostAddress): boolean {
  return from.startsWith('https:') && to?.startsWith('http:') === true;
}

/** One clause for all services that lose the same host. */
function formatLostAddresses(lost: readonly LostAddress[]): string[] {
  const [{ from, to } = { from: '' }] = lost;
  const names = joinServices(sortUnique(lost.map(({ service }) => service)));
  const former = formatCode(from);
  if (to === undefined)
    return [`removes ${former} from ${names}: ${lost.length === 1 ? 'its' : 'their'} clients get no answer`];
  return [`changes the host of ${names} from ${former} to ${formatCode(to)}: clients of ${former} get no answer`];
}

function listLostAddresses(change: ServiceChange): LostAddress[] {
  const { service } = change;
  const lost = fieldsOf(change, 'url').flatMap(({ path, before, after }): [was: string, is: string][] => {
    const url = path.length === 2 ? isMap(before) && before['url'] : before;
    if (typeof url !== 'string' || change.urls.includes(url)) return [];
    return [[url, typeof after === 'string' ? after : '']];
  });
  const addresses = lost.map(([url, other]): LostAddress => {
    const [was, is] = [hostOf(url), hostOf(other)];
    if (is === '') return { service, from: was };
    return was === is ? { service, from: url, to: other } : { service, from: was, to: is };
  });
  return [...new Map(addresses.map((one) => [JSON.stringify(one), one])).values()];
}

/** `models.example.com`. */
export function hostOf(url: string): string {
  return /^\w+:\/\/([^/]+)/.exec(url)?.[1] ?? url;
}

/** `https://models.example.com`. */
export function originOf(url: string): string {
  return /^\w+:\/\/[^/]+/.exec(url)?.[0] ?? url;
}
