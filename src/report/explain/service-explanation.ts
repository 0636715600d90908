import { formatRequirements } from '../../api/label-matching';
import type { ModelService } from '../../api/model-service';
import { qualifiedNameOf } from '../../api/resource';
import { formatCount } from '../../base/figures';
import { groupBy, sortUnique } from '../../base/order';
import { idText, joinNames, pluralize } from '../../base/text';
import { PROXIES } from '../../render/routing/envoy-proxy';
import type { RoutedService, RouteMember, RouteRule } from '../../routing/routing';
import { type Block, type Item, section, strong } from '../document/document';
import { formatConditions, formatMember } from '../plan/plan-text';

/** Formats the size of a service as one line. */
export function formatServiceSummary(declared: ModelService, routed: RoutedService | undefined): Item {
  const targets = new Set((routed?.rules ?? []).flatMap(({ members }) => members.map(({ hostname }) => hostname)));
  const entries = declared.spec.endpoints.length;
  const count = entries === 1 ? '1 entry' : `${entries} entries`;
  const state = routed ? pluralize(targets.size, 'target') : 'no routes';
  return { text: [strong(qualifiedNameOf(declared)), `: ${count}, ${state}`] };
}

/**
 * Formats a service: where clients find it, and for each entry what it selects, its share, and where that is.
 *
 * @param hasGateway whether the fleet has a gateway
 */
export function formatServiceExplanation(
  declared: ModelService,
  routed: RoutedService | undefined,
  hasGateway: boolean,
): Block[] {
  const { gateways = [], models = [], rules = [] } = routed ?? {};
  const urls = gateways.map(({ url, gateway, cluster }) => `${url}   gateway ${gateway} on ${cluster}`);
  return [
    formatServiceSummary(declared, routed),
    '',
    ...section(
      urls.length > 0 ? [{ text: 'Addresses:', below: urls }] : [hasGateway ? NO_TARGETS : 'No gateway serves it.'],
    ),
    ...section(formatClients(gateways)),
    ...section(models.length > 0 ? [{ text: 'Models:', below: models }] : []),
    ...declared.spec.endpoints.map((entry, e) => formatEntry(entry, e, rules)),
  ];
}

type Listener = RoutedService['gateways'][number];

/** Formats who may call a service: a line for all its gateways, or one for each where they differ. */
function formatClients(gateways: readonly Listener[]): Block[] {
  const groups = groupBy(gateways, (one) => describeClients(one, 1));
  const lines = [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const clients = describeClients(first, group.length);
    const names = joinNames(sortUnique(group.map(({ gateway, cluster }) => `${gateway} on ${cluster}`)));
    return groups.size === 1 ? clients : `${clients}   by gateway ${names}`;
  });
  return lines.length > 1 ? [{ text: 'Clients:', below: lines }] : lines.map((line) => `Clients: ${line}`);
}

/**
 * Describes who may call a service at a number of gateways that accept the same clients:
 * `keys alice, bob (Secret team-a/chat-keys); 300 requests a minute for each key, at each of 4 gateway proxies (up to 1,200)`.
 */
function describeClients({ auth, rateLimits }: Listener, gateways: number): string {
  const proxies = gateways * PROXIES;
  const limits = rateLimits.map(({ requests, per, by }) => {
    const each = by === 'Key' ? (auth.kind === 'ApiKeys' ? 'for each key' : 'for each client') : 'for all together';
    const most = formatCount(requests * proxies);
    return `${formatCount(requests)} requests a ${per.toLowerCase()} ${each}, at each of ${proxies} gateway proxies (up to ${most})`;
  });
  return [describeAuth(auth), ...limits].join('; ');
}

function describeAuth(auth: Listener['auth']): string {
  if (auth.kind === 'None') return 'everyone who reaches the gateway';
  if (auth.kind === 'Jwt') return `tokens of ${auth.issuer}`;
  const secrets = groupBy(auth.keys, ({ secret }) => `Secret ${idText(secret.namespace, secret.name)}`);
  return [...secrets]
    .map(
      ([secret, keys]) =>
        `${keys.length === 1 ? 'key' : 'keys'} ${joinNames(keys.map(({ name }) => name))} (${secret})`,
    )
    .join(', ');
}

/** A service behind a gateway. */
interface ListedService {
  readonly service: RoutedService;
  readonly listener: Listener;
}

/** Formats how many services a gateway has, as one line. */
export function formatGatewaySummary(name: string, services: readonly ListedService[]): Item {
  const clusters = sortUnique(services.map(({ listener }) => listener.cluster));
  const where = clusters.length === 0 ? 'nothing is routed by it' : `on ${joinNames(clusters)}`;
  const count = new Set(services.map(({ service }) => service)).size;
  return { text: [strong(`gateway ${name}`), `: ${pluralize(count, 'service')}, ${where}`] };
}

/** Formats a gateway: the address of each service behind it, on which clusters, and who may call it. */
export function formatGatewayExplanation(name: string, services: readonly ListedService[]): Block[] {
  const addresses = groupBy(services, ({ service, listener }) =>
    JSON.stringify([service.namespace, service.name, listener.url, describeClients(listener, 1)]),
  );
  const lines = [...addresses.values()].flatMap((group): Item[] => {
    const [first] = group;
    if (!first) return [];
    const { service, listener } = first;
    const clusters = joinNames(group.map((one) => one.listener.cluster));
    return [
      {
        text: [strong(`${service.namespace}/${service.name}`), `   ${listener.url} on ${clusters}`],
        below: [`clients: ${describeClients(listener, group.length)}`],
      },
    ];
  });
  return [formatGatewaySummary(name, services), ...(lines.length > 0 ? ['', ...lines] : [])];
}

const NO_TARGETS = 'It has no routes, because its entries select nothing that serves.';

function formatEntry(entry: ModelService['spec']['endpoints'][number], e: number, rules: readonly RouteRule[]): Item {
  const { selector, weight, tier } = entry;
  const selected = formatRequirements(selector).join(', ');
  const settings = [`weight ${weight}`, ...(tier === 1 ? ['tier 1'] : [])].join(', ');
  const below = rules.flatMap((rule): Block[] => {
    const own = rule.members.filter((member) => member.entry === e).map((member) => formatTarget(member, rule));
    const conditions = formatConditions(rule);
    return own.length > 0 && conditions.length > 0 ? [{ text: `with ${conditions.join(', ')}`, below: own }] : own;
  });
  return {
    text: [strong(`endpoints[${e}]`), `   ${selected}; ${settings}`],
    below: below.length > 0 ? below : ['selects nothing that serves'],
  };
}

function formatTarget(member: RouteMember, rule: RouteRule): string {
  const places =
    member.cluster === undefined ? '' : `: ${member.replicas.map((i) => `${member.cluster}/${i}`).join(', ')}`;
  return `${formatMember(member, rule)}${places}`;
}
