import { type Diagnostic, warningAt } from '../base/diagnostic';
import { formatRoundPercent } from '../base/figures';
import { groupBy, sortUnique } from '../base/order';
import { capitalize, joinNames } from '../base/text';
import type { PlacedFleet } from '../plan/decision';
import type { RoutedService } from '../routing/routing';
import type { FleetDiff } from './fleet-diff';
import type { Cause } from './replica-causes';
import type { ApplyMode } from './serving-during-change';
import { listShares, partOf, type RouteMemberShare } from './traffic-share-changes';

interface ChangedRoutes {
  readonly before: Pick<PlacedFleet, 'routing'>;
  readonly after: Pick<PlacedFleet, 'fleet' | 'routing' | 'schedule'>;

  /** Where the change is, for what no declaration causes. */
  readonly at: string;

  /** How the change is applied. Default: wave by wave. */
  readonly applied?: ApplyMode;
}

/**
 * Finds deployments that a service no longer sends requests to, and to which ingress gateways on other clusters send them
 * until they apply the change too: the cluster gateway then has no route for these. A stack of all clusters changes the
 * routes of all of them first.
 */
export function findStaleRoutes({ routes }: FleetDiff, { before, after, at, applied }: ChangedRoutes): Diagnostic[] {
  if (applied === undefined || applied === 'withWaves') return [];
  const [earlier, later] = [before, after].map(({ routing }) => {
    return new Map(routing.services.map((one) => [`${one.namespace}/${one.name}`, one]));
  });
  const declared = new Set(after.fleet.clusters.map(({ metadata }) => metadata.name));
  // What has no place is refused, or accepted.
  const short = new Set(after.schedule.shortfalls.map(({ deployment }) => deployment));
  return routes.services.flatMap(({ service: id, causes }) => {
    const [was, is] = [earlier?.get(id), later?.get(id)];
    if (!was || !is) return [];
    const entrances = listEntrances(was, is);
    return listGone(was, is).flatMap(([target, shares]) => {
      const clusters = sortUnique(shares.flatMap(({ cluster }) => cluster ?? [])).filter((one) => declared.has(one));
      const others = entrances.filter((one) => clusters.some((cluster) => cluster !== one));
      if (others.length === 0 || short.has(target)) return [];
      const route = { id, target, part: sumParts(shares), every: is.health.interval, clusters, entrances: others };
      return [warningAt('stale-routes', findRemoval(causes, target)?.where ?? at, ...describe(route))];
    });
  });
}

/** The edit that takes the entry away, or what it selects. */
function findRemoval(causes: readonly Cause[], target: string): Cause | undefined {
  const removed = causes.find(({ field }) => field?.after === undefined && ENTRY.test(field?.field ?? ''));
  return removed ?? causes.find(({ id }) => id === `ModelDeployment ${target}`) ?? causes[0];
}

const ENTRY = /^spec\.endpoints\[\d+\]$/;

/** The most clusters to name. */
const MAX_NAMED = 3;

/**
 * The deployments that get no requests of a service any more, or only in place of others, with their earlier shares. What
 * takes over has routes of its own, so those of before go in both cases.
 */
function listGone(was: RoutedService, is: RoutedService): [target: string, shares: RouteMemberShare[]][] {
  const [old, now] = [was, is].map((service) => listShares(service).filter(({ portion }) => portion.tier === 0));
  const kept = new Set(now?.map(({ target }) => target));
  const gone = (old ?? []).filter(({ target, external }) => !external && !kept.has(target));
  return [...groupBy(gone, ({ target }) => target)];
}

/** The clusters on which a service has an ingress gateway before and after. */
function listEntrances(was: RoutedService, is: RoutedService): string[] {
  const later = new Set(is.gateways.map(({ cluster, gateway }) => `${cluster}/${gateway}`));
  return sortUnique(was.gateways.filter((one) => later.has(`${one.cluster}/${one.gateway}`)).map((one) => one.cluster));
}

/** The part of the requests without conditions. Undefined: it gets only those that match something. */
function sumParts(shares: readonly RouteMemberShare[]): number | undefined {
  const all = shares.filter(({ match }) => match === undefined);
  return all.length === 0 ? undefined : all.reduce((sum, { portion }) => sum + partOf(portion), 0);
}

interface StaleRoute {
  readonly id: string;
  readonly target: string;
  readonly part: number | undefined;

  /** The seconds between health checks. */
  readonly every: number;
  readonly clusters: readonly string[];

  /** The clusters with an ingress gateway, without the only one that the target is on. */
  readonly entrances: readonly string[];
}

function describe({ id, target, part, every, clusters, entrances }: StaleRoute): [what: string, hint: string] {
  const share = part === undefined ? 'requests for it' : `${formatRoundPercent(part)} of the requests`;
  const [at, from] = [joinNames(clusters, MAX_NAMED, ' and '), joinNames(entrances, MAX_NAMED, ' and ')];
  const isOrdered = clusters.every((one) => !entrances.includes(one));
  const verb = clusters.length === 1 ? 'applies' : 'apply';
  const when = isOrdered ? `if ${at} ${verb} the change before ${from}` : `if ${at} do not apply the change together`;
  const first = isOrdered ? [`Apply the change to ${from} first (with Argo CD or Flux, pause ${at} until then)`] : [];
  const lower = `lower the weight of ${target} to next to nothing in an earlier change`;
  return [
    `${id} sends no requests to ${target} any more: ${when}, ${share} that enter on ${from} get 404 until the next health check (every ${every} s)`,
    capitalize([...first, lower].join(', or ')),
  ];
}
