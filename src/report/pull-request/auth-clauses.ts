import { isMap } from '../../base/json';
import { sortUnique } from '../../base/order';
import { joinAnd } from '../../base/text';
import type { FieldChange } from '../../diff/field-changes';
import type { ServiceChange } from '../../diff/route-changes';
import type { RoutedService } from '../../routing/routing';
import type { Auth } from '../../routing/traffic-types';
import { nameCredentials } from '../diff/entrance-text';
import { formatCode } from '../document/write-markdown';
import { type AccessClause, fieldsOf } from './access-clause';
import { joinFew } from './clauses';

/** Lists what a change does to those who may use a service: keys that fail, new clients, other credentials. */
export function listAuthClauses(change: ServiceChange, later: RoutedService | undefined): AccessClause[] {
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
  const audiences = listAudienceClauses(service, fields);
  if (audiences.length > 0) return audiences;
  const former = nameFormer(fields);
  if (lost.length === 0 && former !== undefined)
    return [{ service, clauseOf: (names) => `refuses ${former} at ${names}${describeAccepted(auths)}` }];
  if (lost.length === 0) return [{ service, clauseOf: describeNewClients(fields) }];
  const keys = joinFew(sortUnique((failing.length > 0 ? failing : lost).map(({ key }) => String(key))), 'clients');
  const then = former === undefined ? describeAdded(listNewClients(fields)) : describeAccepted(auths);
  if (failing.length === 0) {
    const still = 'which **still works**';
    return [{ service, clauseOf: (names) => `no longer lists the key of ${keys} for ${names}, ${still}${then}` }];
  }
  return [{ service, clauseOf: (names) => `refuses the keys of ${keys} at ${names}${then}` }];
}

/** ``also admits tokens of audience `batch` to `ml/chat` (before: `chat` only)``, where nothing else changes. */
function listAudienceClauses(service: string, fields: readonly FieldChange[]): AccessClause[] {
  const changes = new Map(fields.map(({ before, after }) => [JSON.stringify([before, after]), { before, after }]));
  const [change, ...others] = changes.values();
  if (!change || others.length > 0 || fields.some(({ path }) => path[3] !== 'audiences')) return [];
  const [was, is] = [change.before, change.after].map((value) => (Array.isArray(value) ? value.map(String) : []));
  return was && is ? [{ service, clauseOf: (names) => describeAudiences(was, is, names) }] : [];
}

const nameAudiences = (names: readonly string[]): string => joinAnd(names.map(formatCode));

const tokensOf = (names: readonly string[]): string =>
  `tokens of ${names.length === 1 ? 'audience' : 'audiences'} ${nameAudiences(names)}`;

/** Says which tokens a service admits now, or no longer. An empty list admits those of any audience. */
function describeAudiences(was: readonly string[], is: readonly string[], names: string): string {
  if (is.length === 0) return `admits tokens of **any audience** to ${names} (before: ${nameAudiences(was)} only)`;
  if (was.length === 0) return `admits only ${tokensOf(is)} to ${names} (before: of any audience)`;
  const [added, removed] = [is.filter((one) => !was.includes(one)), was.filter((one) => !is.includes(one))];
  const kept = is.filter((one) => was.includes(one));
  if (removed.length === 0) return `also admits ${tokensOf(added)} to ${names} (before: ${nameAudiences(was)} only)`;
  const still = kept.length === 0 ? '' : ` (still: ${nameAudiences(kept)})`;
  if (added.length === 0) return `no longer admits ${tokensOf(removed)} to ${names}${still}`;
  return `admits ${tokensOf(added)} instead of ${nameAudiences(removed)} to ${names}${still}`;
}

/** The credentials of another kind or issuer that are no longer accepted. Undefined: none were, or they still are. */
function nameFormer(fields: readonly FieldChange[]): string | undefined {
  const [kind, issuer] = ['kind', 'issuer'].map((name) => fields.find(({ path }) => path[3] === name)?.before);
  if (kind === 'None') return undefined;
  if (typeof issuer === 'string') return `tokens of ${formatCode(issuer)}`;
  return kind === undefined ? undefined : 'keys';
}

/** `` (accepts tokens of `https://login.example.com` instead)``. */
function describeAccepted(auths: readonly Auth[]): string {
  const auth = auths.find(({ kind }) => kind !== 'None');
  return auth ? ` (accepts ${nameCredentials(auth, formatCode)} instead)` : '';
}

/** ``lets a new client, `mobile`, use all 4 services``, where all that changes are new keys. */
function describeNewClients(fields: readonly FieldChange[]): AccessClause['clauseOf'] {
  const added = listNewClients(fields);
  if (added.length < fields.length) return (names) => `changes the clients that may use ${names}`;
  const clients = sortUnique(added);
  const who = `${clients.length === 1 ? 'a new client' : 'new clients'}, ${joinFew(clients, 'clients')}`;
  return (names) => `lets ${who}, use ${names}`;
}

/** The clients of new keys, once for each gateway. */
function listNewClients(fields: readonly FieldChange[]): string[] {
  return fields.flatMap(({ path, before, after }) => {
    return path[3] === 'keys' && path.length === 5 && before === undefined && isMap(after)
      ? [String(after['name'])]
      : [];
  });
}

/** ``, and accepts keys of `mobile` and `web` ``. Empty: there are no new keys. */
function describeAdded(added: readonly string[]): string {
  return added.length === 0 ? '' : `, and accepts keys of ${joinFew(sortUnique(added), 'clients')}`;
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
