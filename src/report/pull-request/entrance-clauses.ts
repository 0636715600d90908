import { formatCount } from '../../base/figures';
import { isMap } from '../../base/json';
import { groupBy, sortedBy, sortUnique } from '../../base/order';
import type { Entrance, RouteChanges, ServiceChange } from '../../diff/route-changes';
import type { RoutedService, ServiceListener } from '../../routing/routing';
import { describeClients, describeEntrance } from '../diff/entrance-text';
import { formatCode } from '../document/write-markdown';
import { hostOf, originOf } from './access-clauses';
import { joinClauses, joinFew, joinServices, limitClauses, MAX_NAMES, nameAll } from './clauses';

/**
 * ``routes requests for `ml/a` at `https://models.example.com/ml/a/` **on the internet**, with keys of `web` ``, of
 * services that had no routes. Those behind the same gateways with the same clients share a clause.
 */
export function listFirstRouteClauses(
  added: readonly ServiceChange[],
  { services }: RouteChanges,
  routed: readonly RoutedService[],
): string[] {
  const open = listOpenOrigins(services, routed);
  const join = (entrances: readonly Entrance[]): string => joinEntrances(entrances, open);
  const groups = groupBy(added, ({ entrances = [] }) => join(entrances.map(withoutPath)));
  const clauses = [...groups].map(([shared, [first, ...others]]) => {
    const at = others.length > 0 ? shared : join(first?.entrances ?? []);
    const names = joinServices([first, ...others].flatMap((one) => one?.service ?? []));
    const isOpen = first?.entrances?.some(({ auth }) => auth.kind === 'None') === true;
    return { text: `routes requests for ${names}${at}`, isOpen };
  });
  // Clauses after the first ones may be left out.
  const sorted = sortedBy(clauses, ({ isOpen }) => (isOpen ? '0' : '1'));
  return limitClauses(
    sorted.map(({ text }) => text),
    'routes requests for other services',
  );
}

function withoutPath({ url, ...entrance }: Entrance): Entrance {
  return { ...entrance, url: originOf(url) };
}

const BOLD = { code: formatCode, strong: (text: string): string => `**${text}**` };

/** The origins at which services that keep their access have no authentication: they had none before. */
function listOpenOrigins(changes: readonly ServiceChange[], routed: readonly RoutedService[]): ReadonlySet<string> {
  const changed = new Map(changes.map((one) => [one.service, one]));
  const origins = routed.flatMap(({ namespace, name, gateways }) => {
    const change = changed.get(`${namespace}/${name}`);
    if (change?.action === 'add') return [];
    const edited = new Set((change?.fields ?? []).filter(isOfAccess).map(({ path }) => path[1]));
    const kept = gateways.filter((one) => !edited.has(`${one.gateway} on ${one.cluster}`));
    return kept.flatMap(({ auth, url }) => (auth.kind === 'None' ? [originOf(url)] : []));
  });
  return new Set(origins);
}

/** Whether a field is a gateway that is new, or who is let in there and where. */
function isOfAccess({ path: [block, , part] }: ServiceChange['fields'][number]): boolean {
  return block === 'gateways' && (part === undefined || part === 'auth' || part === 'url');
}

/** ` at A, with keys of B, and at C, with keys of D`. */
function joinEntrances(entrances: readonly Entrance[], open: ReadonlySet<string>): string {
  const shown = entrances
    .slice(0, MAX_NAMES)
    .map((one) => `at ${describeEntrance(one, BOLD, open.has(originOf(one.url)))}`);
  const left = entrances.length - shown.length;
  const parts = [...shown, ...(left > 0 ? [`at ${formatCount(left)} more`] : [])];
  return parts.length === 0 ? '' : ` ${joinClauses(parts)}`;
}

/** Lists ingress gateways at which services have a host that they did not have, and who is let in there. */
export function listEntranceClauses({ services }: RouteChanges, routed: readonly RoutedService[]): string[] {
  const later = new Map(routed.map((one) => [`${one.namespace}/${one.name}`, one]));
  const entrances = services
    .filter(({ action }) => action === 'change')
    .flatMap((change) => listNewHosts(change, later.get(change.service)));
  const byHost = groupBy(entrances, ({ gateway, host, clients }) => [gateway, host, clients].join('\n'));
  const clauses = [...byHost.values()].flatMap((all) => {
    const [{ gateway, host, clients } = { gateway: '', host: '', clients: '' }] = all;
    const names = nameAll(sortUnique(all.map(({ service }) => service)), routed.length);
    const clusters = joinFew(sortUnique(all.map(({ cluster }) => cluster)), 'clusters');
    return [
      `adds the ingress gateway ${formatCode(gateway)} on ${clusters}: ${names} at ${formatCode(host)}, ${clients}`,
    ];
  });
  return limitClauses(clauses, 'adds other ingress gateways');
}

/** A gateway at which a service has another host than before. */
interface NewHost {
  readonly service: string;
  readonly gateway: string;
  readonly cluster: string;
  readonly host: string;

  /** Who enters. */
  readonly clients: string;
}

function listNewHosts(change: ServiceChange, later: RoutedService | undefined): NewHost[] {
  const edits = change.fields.filter(({ path }) => path[0] === 'gateways' && path.length === 2);
  const added = new Set(edits.flatMap(({ path, before }) => (before === undefined ? [path[1]] : [])));
  const isNew = ({ gateway, cluster }: ServiceListener): boolean => added.has(`${gateway} on ${cluster}`);
  const gateways = later?.gateways ?? [];
  const others = gateways.filter((one) => !isNew(one));
  const kept = others.map(({ url }) => hostOf(url));
  const removed = edits.flatMap(({ before }) => (isMap(before) ? [hostOf(String(before['url']))] : []));
  const known = new Set([...kept, ...removed]);
  return gateways
    .filter((one) => isNew(one) && !known.has(hostOf(one.url)))
    .map(({ gateway, cluster, url, auth }) => {
      return {
        service: change.service,
        gateway,
        cluster,
        host: hostOf(url),
        clients: auth.kind === 'None' ? describeOpen(others) : describeClients(auth, formatCode),
      };
    });
}

/** Says that a service needs no authentication at a new host: that is new where it needs it at others, or has no others. */
function describeOpen(others: readonly ServiceListener[]): string {
  const isKnown = others.length > 0 && others.every(({ auth }) => auth.kind === 'None');
  const what = describeClients({ kind: 'None' }, formatCode);
  return isKnown ? `${what} as at its other hosts` : BOLD.strong(what);
}
