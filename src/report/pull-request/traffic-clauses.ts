import { formatRoundPercent } from '../../base/figures';
import type { ModelEndpoint } from '../../api/model-endpoint';
import { qualifiedNameOf } from '../../api/resource';
import { groupBy } from '../../base/order';
import { joinNames } from '../../base/text';
import type { FleetDiff } from '../../diff/fleet-diff';
import type { ServiceChange } from '../../diff/route-changes';
import type { RoutedService } from '../../routing/routing';
import { baseUrlOf, isPrivate } from '../../routing/backends';
import { escapeMarkdown, formatCode } from '../document/write-markdown';
import { type Clause, joinServices, limitClauses, MAX_NAMES, rankClauses } from './clauses';
import { listFirstRouteClauses } from './entrance-clauses';
import { listShareChanges, MIN_STEP, type ShareChange } from './traffic-table';

/** The clauses about requests. */
interface TrafficClauses {
  /** What the change is about: routes that come or go, edited services, and deployments that lose all requests. */
  readonly asked: readonly Clause[];

  /** What follows from replicas that come and go, and is in the table. */
  readonly following: readonly Clause[];
}

/** Lists what a change does to the routes of services and to shares of their requests. */
export function listTrafficClauses(
  { routes, declarations }: Pick<FleetDiff, 'routes' | 'declarations'>,
  outside: OutsideNames = new Map(),
  later: readonly RoutedService[] = [],
): TrafficClauses {
  const renames = listServiceRenames(routes, declarations);
  const renamed = new Set(renames.flatMap(({ was, is }) => [was.service, is.service]));
  const of = (action: ServiceChange['action']): ServiceChange[] =>
    routes.services.filter((one) => one.action === action && !renamed.has(one.service));
  const gone = of('remove').map(({ service }) => service);
  const byService = [...groupBy(listShareChanges(routes), ({ service }) => service)];
  const edited = new Set(declarations.map(({ id, action }) => (action === 'removed' ? `removed ${id}` : id)));
  const isAsked = ([service, changes]: (typeof byService)[number]): boolean =>
    edited.has(`ModelService ${service}`) || changes.some((one) => losesAll(one, edited));
  const [asked, following] = [byService.filter(isAsked), byService.filter((one) => !isAsked(one))];
  const fallbacks = routes.services.flatMap((one) => {
    return listFallbacks(
      one,
      outside,
      later.find(({ namespace, name }) => `${namespace}/${name}` === one.service),
    );
  });
  const promoted = new Set(routes.services.flatMap(listPromoted));
  return {
    asked: [
      ...rankClauses('gone', limitClauses(renames.map(formatRename), 'renames other services')),
      ...rankClauses(
        gone.some((service) => edited.has(`removed ModelService ${service}`)) ? 'gone' : 'traffic',
        gone.length > 0 ? [`removes the routes of ${joinServices(gone)}`] : [],
      ),
      ...rankClauses('traffic', limitClauses(fallbacks, 'changes other fallbacks')),
      ...rankClauses('entrances', listFirstRouteClauses(of('add'), routes, later)),
      ...formatShares(asked, outside, promoted),
    ],
    following: formatShares(following, outside, promoted),
  };
}

/** `fails 95 % of the requests for the model chat of the service ml/chat`, the largest parts first. */
export function listUnansweredClauses({ unanswered = [] }: Pick<FleetDiff, 'unanswered'>): string[] {
  const clauses = unanswered
    .toSorted((a, b) => b.share - a.share)
    .map(({ service, model, match, share }) => {
      const part = share === 1 ? 'all' : `${escapeMarkdown(formatRoundPercent(share))} of the`;
      const which = match === undefined ? '' : ` with ${formatCode(match)}`;
      return `fails ${part} requests for the model ${formatCode(model)} of the service ${formatCode(service)}${which}`;
    });
  return limitClauses(clauses, 'fails requests for other models');
}

interface ServiceRename {
  readonly was: ServiceChange;
  readonly is: ServiceChange;
}

/** Services whose routes go, and come back under another name. */
function listServiceRenames(
  { services }: FleetDiff['routes'],
  declarations: FleetDiff['declarations'],
): ServiceRename[] {
  const byName = new Map(services.map((one) => [`ModelService ${one.service}`, one]));
  return declarations.flatMap(({ id, action, renamed = '' }) => {
    const [was, is] = [byName.get(id), byName.get(renamed)];
    return action === 'removed' && was?.action === 'remove' && is?.action === 'add' ? [{ was, is }] : [];
  });
}

/** ``renames the service `a` to `b`: clients of https://models.example/a/ have to use https://models.example/b/``. */
function formatRename({ was, is }: ServiceRename): string {
  const [from, to] = [was, is].map(({ urls }) => urls[0]);
  const clients = from && to && from !== to ? `: clients of ${formatCode(from)} have to use ${formatCode(to)}` : '';
  return `renames the service ${formatCode(was.service)} to ${formatCode(is.service)}${clients}`;
}

/** Whether a deployment or endpoint that stays gets no requests any more. */
function losesAll(change: ShareChange, edited: ReadonlySet<string>): boolean {
  const isGone = toWhole(change).some(({ before, after }) => before > 0 && after === 0);
  return isGone && change.condition === undefined && !edited.has(`removed ModelDeployment ${change.target}`);
}

function formatShares(
  services: readonly (readonly [string, readonly ShareChange[]])[],
  outside: OutsideNames,
  promoted: ReadonlySet<string>,
): Clause[] {
  const conditions = services.flatMap(([, changes]) => [
    ...groupBy(
      changes.filter(({ condition }) => condition === 'removed'),
      ({ match = '' }) => match,
    ).values(),
  ]);
  const shifts = services.flatMap(([service, all]) => {
    const changes = all.filter(({ condition }) => condition !== 'removed');
    const of = (which: string): string => formatShareClause({ service, which }, changes, outside, promoted);
    return changes.length > 0 ? [{ service, of }] : [];
  });
  const shares = [...groupBy(shifts, ({ of }) => of('')).values()].flatMap(([first, ...others]) => {
    return first ? [first.of(nameServices([first, ...others].map(({ service }) => service)))] : [];
  });
  return rankClauses('traffic', [
    ...limitClauses(conditions.flatMap(formatConditionClause), 'removes other conditions on requests'),
    ...limitClauses(shares, 'shifts requests of other services'),
  ]);
}

/** `the service ml/chat`, `the services ml/a and ml/b`, `21 services`. */
function nameServices(services: readonly string[]): string {
  const names = joinServices(services);
  if (services.length > MAX_NAMES) return names;
  return `the ${services.length === 1 ? 'service' : 'services'} ${names}`;
}

/** The share of a target on all clusters together. Empty where only its parts on clusters change. */
function toWhole({ whole, cluster, ...change }: ShareChange): ShareChange[] {
  if (whole) return [{ ...change, ...whole }];
  return cluster === undefined ? [change] : [];
}

/**
 * `sends 63 % instead of 48 % of the requests for the service ml/chat to us-east`, for the part that gains most. A
 * cluster is named only where no share of a deployment changes, but how it is divided among clusters.
 *
 * @param which names all services of which the requests go there alike
 */
function formatShareClause(
  { service, which: services }: { readonly service: string; readonly which: string },
  changes: readonly ShareChange[],
  outside: OutsideNames,
  promoted: ReadonlySet<string>,
): string {
  const moved = changes.flatMap(toWhole);
  const shown = moved.length > 0 ? moved : changes;
  const gaining = shown.filter(({ before, after }) => after > before);
  const isPromoted = (one: ShareChange): boolean => promoted.has(nameTarget(service, one));
  const candidates = [gaining.filter(isPromoted), gaining, shown].find((all) => all.length > 0) ?? shown;
  const largest = candidates.reduce((most, one) => (stepOf(one) > stepOf(most) ? one : most));
  const { before, after, target, cluster, match } = largest;
  const on = cluster === undefined || largest.condition !== undefined ? undefined : formatCode(cluster);
  const where = outside.get(target);
  const name = where === undefined ? formatCode(target) : `${nameEndpoint(target, where)}, whose price is not counted`;
  const to = on === undefined ? name : isOfAll(changes, target) ? on : `${formatCode(target)} on ${on}`;
  const which = `${services}${match === undefined ? '' : ` with ${formatCode(match)}`}`;
  if (largest.condition === 'added' && after === 1)
    return `sends all requests for ${which} to ${to}${describeRest(moved, target)}`;
  if (largest.condition === 'added')
    return `sends ${escapeMarkdown(formatRoundPercent(after))} of the requests for ${which} to ${to} (before: like its other requests)`;
  const was = escapeMarkdown(formatRoundPercent(before));
  if (isPromoted(largest))
    return `sends ${escapeMarkdown(formatRoundPercent(after))} of the requests for ${which} to ${to} (before: only while nothing else served)`;
  if (after === 1) return `sends all requests for ${which} to ${to} (${was} before)`;
  return `sends ${escapeMarkdown(formatRoundPercent(after))} instead of ${was} of the requests for ${which} to ${to}`;
}

/** `, and all others to ml/a (95 % before)`, `, and 10 % of its other requests`, of requests that meet no condition. */
function describeRest(moved: readonly ShareChange[], target: string): string {
  const part = moved.find((one) => one.match === undefined && one.target === target && one.after > one.before);
  if (part && part.after < 1) {
    const was = part.before > 0 ? ` instead of ${escapeMarkdown(formatRoundPercent(part.before))}` : '';
    return `, and ${escapeMarkdown(formatRoundPercent(part.after))}${was} of its other requests`;
  }
  const rest = moved.find(({ match, before, after }) => match === undefined && after === 1 && before < 1);
  if (!rest) return ' instead of where its other requests go';
  return `, and all others to ${formatCode(rest.target)} (${escapeMarkdown(formatRoundPercent(rest.before))} before)`;
}

/** What got requests only while nothing else served, and now gets a part of them: `ml/chat ml/saas `. */
function listPromoted({ service, targets }: ServiceChange): string[] {
  return targets.flatMap((one) => {
    return one.before?.tier === 1 && one.after?.tier === 0 ? [nameTarget(service, one)] : [];
  });
}

function nameTarget(service: string, { target, match = '' }: Pick<ShareChange, 'target' | 'match'>): string {
  return `${service} ${target} ${match}`;
}

/** Whether one deployment gets all requests, so that a cluster says who gets them. */
function isOfAll(changes: readonly ShareChange[], target: string): boolean {
  const all = changes.reduce((sum, { before }) => sum + before, 0);
  return Math.abs(all - 1) < MIN_STEP && changes.every((one) => one.target === target);
}

/** What answers requests that leave the fleet, by endpoint: `gpt-4o-mini at OpenAI, api.openai.com`. */
export type OutsideNames = ReadonlyMap<string, string>;

/** Names the endpoints that are outside the fleet and its network. */
export function nameOutside(endpoints: readonly ModelEndpoint[] = []): OutsideNames {
  return new Map(
    endpoints
      .filter((one) => !isPrivate(one))
      .map((one) => {
        const model = findModel(one);
        const where = joinNames([...(one.spec.provider ? [one.spec.provider] : []), baseUrlOf(one).hostname]);
        return [qualifiedNameOf(one), model === undefined ? where : `${model} at ${where}`];
      }),
  );
}

/** The only model that answers at an endpoint. Undefined where clients choose among several, or none is listed. */
function findModel({ spec: { model, models } }: ModelEndpoint): string | undefined {
  return model?.as ?? (models.length === 1 ? models[0] : undefined);
}

/** `ml/saas (gpt-4o-mini at OpenAI, api.openai.com) outside the fleet` */
function nameEndpoint(target: string, where: string): string {
  return `${formatCode(target)} (${escapeMarkdown(where)}) outside the fleet`;
}

/** `while nothing serves ml/chat, its requests go to ml/saas (…) outside the fleet`, for new and former fallbacks. */
function listFallbacks(
  { service, action, targets }: ServiceChange,
  outside: OutsideNames,
  later: RoutedService | undefined,
): string[] {
  if (action !== 'change') return [];
  const members = (later?.rules ?? []).flatMap((rule) => rule.members);
  const isLast = later !== undefined && members.every(({ tier }) => tier === 0);
  const server = members.some(({ kind }) => kind === 'External') ? 'nothing' : 'no replica';
  return targets.flatMap(({ target, external, before, after }) => {
    const where = outside.get(target);
    if (!external || where === undefined || (before?.tier === 1) === (after?.tier === 1)) return [];
    const to = `to ${nameEndpoint(target, where)}`;
    if (after?.tier === 1) return [`while nothing serves ${formatCode(service)}, its requests go ${to}`];
    // The clause on shares says where a former fallback stands now.
    if (after) return [];
    return isLast
      ? [`if ${server} serves ${formatCode(service)}, its requests fail instead of going ${to}`]
      : [`requests for ${formatCode(service)} no longer go ${to} while nothing serves it`];
  });
}

/** `sends requests for the service ml/chat with x-track: next where its other requests go`. */
function formatConditionClause([first]: readonly ShareChange[]): string[] {
  if (!first) return [];
  const { service, match = '' } = first;
  return [
    `sends requests for the service ${formatCode(service)} with ${formatCode(match)} where its other requests go`,
  ];
}

function stepOf({ before, after }: ShareChange): number {
  return Math.abs(after - before);
}
