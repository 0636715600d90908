import { formatCount } from '../../base/figures';
import { isMap } from '../../base/json';
import { groupBy, sortUnique } from '../../base/order';
import { joinNames } from '../../base/text';
import { countProxies } from '../../diff/access-changes';
import type { FieldChange } from '../../diff/field-changes';
import { listReachChanges } from '../../diff/reach-changes';
import type { RouteChanges, ServiceChange } from '../../diff/route-changes';
import type { RoutedService } from '../../routing/routing';
import { escapeMarkdown, formatCode } from '../document/write-markdown';
import { joinFew, joinServices, limitClauses, nameAll } from './clauses';

/** What a change does to the clients of a service. Services to which the same happens share a clause. */
interface AccessClause {
  readonly service: string;

  /**
   * @param names of all services to which it happens: `all 4 services`
   * @param each ` each`, where these are several
   */
  readonly clauseOf: (names: string, each: string) => string;
}

/** Lists what a change does to clients of services: hosts that no longer answer, keys that fail, other limits. */
export function listAccessClauses({ services }: RouteChanges, routed: readonly RoutedService[]): string[] {
  const later = new Map(routed.map((one) => [`${one.namespace}/${one.name}`, one]));
  const changed = services.filter(({ action }) => action === 'change');
  const lost = changed.flatMap(listLostAddresses);
  const hosts = groupBy(
    lost.filter((one) => !losesTls(one)),
    ({ from, to }) => JSON.stringify([from, to]),
  );
  const plain = groupBy(lost.filter(losesTls), ({ from }) => originOf(from));
  const clauses = changed.flatMap((change) => [
    ...listAuthClauses(change, later.get(change.service)),
    ...listLimitClauses(change, later.get(change.service)),
    ...listTimeoutClauses(change),
  ]);
  const groups = groupBy(clauses, ({ clauseOf }) => clauseOf('', ''));
  return [
    ...[...plain].map(([origin, all]) => {
      const names = nameAll(sortUnique(all.map(({ service }) => service)), routed.length);
      return `removes TLS from ${names}: requests and keys travel **without encryption**, and clients of ${formatCode(origin)} get no answer`;
    }),
    ...[...hosts.values()].flatMap(formatLostAddresses),
    ...[...groups.values()].flatMap(([first, ...others]) => {
      const names = sortUnique([first, ...others].flatMap((one) => one?.service ?? []));
      return first ? [first.clauseOf(nameAll(names, routed.length), names.length > 1 ? ' each' : '')] : [];
    }),
  ];
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

/** The changes of fields of a service on its gateways, without the names of gateways. */
function fieldsOf({ fields }: ServiceChange, name: string): FieldChange[] {
  return fields.filter(({ path }) => path[0] === 'gateways' && (path[2] === name || path.length === 2));
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

function listAuthClauses(change: ServiceChange, later: RoutedService | undefined): AccessClause[] {
  const fields = fieldsOf(change, 'auth').filter(({ path }) => path.length > 2);
  if (fields.length === 0) return [];
  const { service } = change;
  const auths = (later?.gateways ?? []).map(({ auth }) => auth);
  if (fields.some(({ path }) => path[3] === 'kind') && auths.some(({ kind }) => kind === 'None'))
    return [{ service, clauseOf: (names) => `opens ${names} to clients **without authentication**` }];
  const secrets = new Set(
    auths.flatMap((auth) => (auth.kind === 'ApiKeys' ? auth.keys.map(({ secret }) => secretId(secret)) : [])),
  );
  const lost = fields.flatMap(({ before, after }) => {
    const keys = after !== undefined ? [] : Array.isArray(before) ? before : [before];
    return keys.filter(isMap).flatMap((key) => (isMap(key['secret']) ? [{ key: key['name'], in: key['secret'] }] : []));
  });

  const failing = lost.filter(({ in: secret }) => !secrets.has(secretId(secret)));
  if (fields.every(({ path, after }) => path[3] === 'keys' && path[5] === 'secret' && after !== undefined)) {
    const from = describeSecret(fields);
    return [{ service, clauseOf: (names) => `reads the keys of clients of ${names} from ${from}` }];
  }
  if (lost.length === 0) return [{ service, clauseOf: describeNewClients(fields) }];
  const keys = escapeMarkdown(
    joinNames(sortUnique((failing.length > 0 ? failing : lost).map(({ key }) => String(key)))),
  );
  if (failing.length === 0)
    return [{ service, clauseOf: (names) => `no longer lists the key of ${keys} for ${names}, which **still works**` }];
  return [{ service, clauseOf: (names) => `refuses the keys of ${keys} at ${names}` }];
}

/** ``lets a new client, `mobile`, use all 4 services``, where all that changes are new keys. */
function describeNewClients(fields: readonly FieldChange[]): AccessClause['clauseOf'] {
  const added = fields.flatMap(({ path, before, after }) => {
    return path[3] === 'keys' && path.length === 5 && before === undefined && isMap(after)
      ? [String(after['name'])]
      : [];
  });
  const clients = sortUnique(added);
  if (added.length < fields.length) return (names) => `changes the clients that may use ${names}`;
  const who = `${clients.length === 1 ? 'a new client' : 'new clients'}, ${joinFew(clients, 'clients')}`;
  return (names) => `lets ${who}, use ${names}`;
}

/** ``Secret `web-keys` instead of `client-keys` ``, where one takes the place of another. */
function describeSecret(fields: readonly FieldChange[]): string {
  const [name, ...others] = new Map(
    fields
      .filter(({ path }) => path[6] === 'name')
      .map(({ before, after }) => [JSON.stringify([before, after]), { before, after }]),
  ).values();
  const isOther = name === undefined || others.length > 0 || fields.some(({ path }) => path[6] === 'namespace');
  if (isOther) return others.length > 0 ? 'other Secrets' : 'another Secret';
  return `Secret ${formatCode(String(name.after))} instead of ${formatCode(String(name.before))}`;
}

/** The Secret of a key: all of its keys are accepted. */
function secretId(secret: { readonly namespace?: unknown; readonly name?: unknown }): string {
  return `${secret.namespace}/${secret.name}`;
}

function listLimitClauses(change: ServiceChange, later: RoutedService | undefined): AccessClause[] {
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
    const to = `${formatCount(after)} requests${per === undefined ? '' : formatPeriod(per)}`;
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
  const per = former.per === limit.per ? '' : ` requests${formatPeriod(former.per)}`;
  const now = `${formatCount(limit.requests)} requests${formatPeriod(limit.per)}`;
  const was = `${formatCount(former.requests)}${per}`;
  return limit.by === 'Service'
    ? [(names) => `limits ${names} to ${now} of **all clients together** instead of ${was} of each`]
    : [(names) => `limits ${names} to ${now} of each client instead of ${was} of all together`];
}

/** `limits each client of all 4 services to 60 requests a minute for each service, at each of 4 gateway proxies`. */
function describeLimit(limit: Readonly<Record<string, unknown>>, names: string, each: string, proxies: number): string {
  const limited = `to ${formatCount(Number(limit['requests']))} requests${formatPeriod(String(limit['per']))}`;
  const at = `, at each of ${formatCount(proxies)} gateway proxies`;
  return limit['by'] === 'Key'
    ? `limits each client of ${names} ${limited}${each === '' ? '' : ' for each service'}${at}`
    : `limits ${names} ${limited}${each}, of all clients together${at}`;
}

function formatPeriod(per: string): string {
  return ` ${per === 'Hour' ? 'an' : 'a'} ${per.toLowerCase()}`;
}

/** `ends requests to all 4 services after 30 s (no limit before)`, of the time that a request and its answer may take. */
function listTimeoutClauses(change: ServiceChange): AccessClause[] {
  const { service } = change;
  const changed = fieldsOf(change, 'timeouts').filter(({ path }) => path.length > 2);
  const clauses = changed.flatMap(({ path, before, after }): AccessClause['clauseOf'][] => {
    if (path.at(-1) !== 'request') return [(names) => `changes the timeouts of ${names}`];
    const [was, is] = [before, after].map((seconds) =>
      typeof seconds === 'number' ? `${formatCount(seconds)} s` : '',
    );
    if (is === '') return [(names) => `no longer ends requests to ${names} after ${was}`];
    return [(names) => `ends requests to ${names} after ${is} (${was === '' ? 'no limit' : was} before)`];
  });
  const byText = new Map(clauses.map((clauseOf) => [clauseOf('', ''), clauseOf]));
  return [...byText.values()].map((clauseOf) => ({ service, clauseOf }));
}
