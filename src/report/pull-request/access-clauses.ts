import { formatCount } from '../../base/figures';
import { isMap } from '../../base/json';
import { groupBy, sortUnique } from '../../base/order';
import { joinNames } from '../../base/text';
import type { FieldChange } from '../../diff/field-changes';
import type { RouteChanges, ServiceChange } from '../../diff/route-changes';
import type { RoutedService } from '../../routing/routing';
import { escapeMarkdown, formatCode } from '../document/write-markdown';
import { joinServices } from './clauses';

/** Lists what a change does to clients of services: hosts that no longer answer, keys that fail, other limits. */
export function listAccessClauses({ services }: RouteChanges, routed: readonly RoutedService[]): string[] {
  const later = new Map(routed.map((one) => [`${one.namespace}/${one.name}`, one]));
  const changed = services.filter(({ action }) => action === 'change');
  const hosts = groupBy(changed.flatMap(listLostAddresses), ({ from, to }) => JSON.stringify([from, to]));
  return [
    ...[...hosts.values()].flatMap(formatLostAddresses),
    ...changed.flatMap((change) => [
      ...listAuthClauses(change, later.get(change.service)),
      ...listLimitClauses(change, later.get(change.service)),
    ]),
  ];
}

/** A host or URL at which clients of a service get no answer any more. */
interface LostAddress {
  readonly service: string;
  readonly from: string;

  /** Absent: no other takes its place. */
  readonly to?: string;
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

function hostOf(url: string): string {
  return /^\w+:\/\/([^/]+)/.exec(url)?.[1] ?? url;
}

function listAuthClauses(change: ServiceChange, later: RoutedService | undefined): string[] {
  const fields = fieldsOf(change, 'auth').filter(({ path }) => path.length > 2);
  if (fields.length === 0) return [];
  const name = formatCode(change.service);
  const auths = (later?.gateways ?? []).map(({ auth }) => auth);
  if (fields.some(({ path }) => path[3] === 'kind') && auths.some(({ kind }) => kind === 'None'))
    return [`opens ${name} to clients without authentication`];
  const secrets = new Set(
    auths.flatMap((auth) => (auth.kind === 'ApiKeys' ? auth.keys.map(({ secret }) => secretId(secret)) : [])),
  );
  const lost = fields.flatMap(({ before, after }) => {
    const keys = after !== undefined ? [] : Array.isArray(before) ? before : [before];
    return keys.filter(isMap).flatMap((key) => (isMap(key['secret']) ? [{ key: key['name'], in: key['secret'] }] : []));
  });

  const failing = lost.filter(({ in: secret }) => !secrets.has(secretId(secret)));
  if (fields.every(({ path, after }) => path[3] === 'keys' && path[5] === 'secret' && after !== undefined))
    return [`reads keys of clients of ${name} from another Secret`];
  if (failing.length === 0) return lost.length > 0 ? [] : [`changes which clients ${name} lets in`];
  const keys = sortUnique(failing.map(({ key }) => String(key)));
  return [`refuses the keys of ${escapeMarkdown(joinNames(keys))} at ${name}`];
}

/** The Secret of a key: all of its keys are accepted. */
function secretId(secret: { readonly namespace?: unknown; readonly name?: unknown }): string {
  return `${secret.namespace}/${secret.name}`;
}

function listLimitClauses(change: ServiceChange, later: RoutedService | undefined): string[] {
  const name = formatCode(change.service);
  const limits = (later?.gateways ?? []).flatMap(({ rateLimits }) => rateLimits);
  const clauses = fieldsOf(change, 'rateLimits').flatMap(({ path, before, after }): string[] => {
    if (path.length === 2) return [];
    if (after === undefined) return [`removes ${path.length === 4 ? 'a rate limit' : 'the rate limits'} of ${name}`];
    if (path.at(-1) !== 'requests' || typeof before !== 'number' || typeof after !== 'number')
      return [`${before === undefined ? 'adds a rate limit to' : 'changes the rate limits of'} ${name}`];
    const per = limits.find(({ requests }) => requests === after)?.per;
    const unit = per === undefined ? '' : ` ${per === 'Hour' ? 'an' : 'a'} ${per.toLowerCase()}`;
    const verb = after < before ? 'lowers' : 'raises';
    return [`${verb} a rate limit of ${name} from ${formatCount(before)} to ${formatCount(after)} requests${unit}`];
  });
  return sortUnique(clauses);
}
