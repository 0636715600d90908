import type { ResourcePath } from '../../api/kinds';
import { type Diagnostic, warningAt } from '../../base/diagnostic';
import { formatCount } from '../../base/figures';
import { sortUnique } from '../../base/order';
import { capitalize, joinNames, pluralize } from '../../base/text';
import { type Fleet, indexDeploymentsById } from '../../fleet/fleet';
import type { CompiledCluster, CompiledDeployment, CompiledFleet, ReplicaDemand } from '../../scheduler/compiled-fleet';
import type { PodMatcher } from '../../scheduler/devices/match-pod';
import { rejectNew } from '../../scheduler/filters';
import { fitEngine } from '../../scheduler/fit-replica';
import { groupByDeployment, type Placement } from '../../scheduler/placement';
import type { Schedule, Shortfall } from '../../scheduler/schedule-result';
import { hasLimits } from '../../scheduler/topology-spread';

/** Finds deployments whose search for places ended at its limit, so that what is missing may still fit. */
export function findLimitedSearches(
  { deployments }: Fleet,
  shortfalls: readonly Shortfall[],
): Diagnostic<ResourcePath>[] {
  const searches = shortfalls.filter(({ limited, limitedMoves }) => limited || limitedMoves);
  if (searches.length === 0) return [];
  const byId = indexDeploymentsById(deployments);
  return searches.flatMap((shortfall) => {
    const resource = byId.get(shortfall.deployment);
    if (!resource) return [];
    const { what, hint } = shortfall.limited ? describePlaces(shortfall) : describeMoves(shortfall);
    return [warningAt('search-limit', { resource, path: ['spec', 'replicas'] }, what, hint)];
  });
}

/** What is wrong, and what to do. */
interface Description {
  readonly what: string;
  readonly hint: string;
}

function describePlaces({ missing }: Shortfall): Description {
  return {
    what: describeCut(`for a place for ${pluralize(missing, 'missing replica')}`),
    hint: "Give a deployment that can run on few clusters a higher 'priority', so that it is placed before the others, or narrow the 'clusterSelector' of the others",
  };
}

function describeMoves({ missing, moved }: Shortfall): Description {
  const room = `room for ${pluralize(missing, 'missing replica')}`;
  const deployment = moved?.deployment;
  if (deployment === undefined) {
    const name = "name a deployment that can move: '--rebalance NAMESPACE/NAME' looks at its replicas alone";
    return {
      what: describeCut(`for moves of locked replicas that make ${room}`),
      hint: moved
        ? `${capitalize(name)}. Or add nodes`
        : `Try 'fleetwright plan DIR --rebalance'. If it finds no place, ${name}`,
    };
  }
  const what = moved?.limited
    ? describeCut(`for moves of replicas of ${deployment} that make ${room}`)
    : `moving replicas of ${deployment} alone makes no ${room}`;
  return { what, hint: 'Name another deployment that can move, or add nodes' };
}

function describeCut(search: string): string {
  return `the search ${search} ended at its limit of steps, so that there may be a place`;
}

/**
 * Finds deployments of which fewer replicas have a place than have to serve. Draining ones serve on for those that are
 * missing.
 */
export function findTooFewPlaced(
  { deployments }: Fleet,
  { placements, shortfalls }: Pick<Schedule, 'placements' | 'shortfalls'>,
): Diagnostic<ResourcePath>[] {
  if (shortfalls.length === 0) return [];
  const [byId, placed] = [indexDeploymentsById(deployments), groupByDeployment(placements)];
  return shortfalls.flatMap(({ deployment: id }) => {
    const resource = byId.get(id);
    const { minAvailable, replicas = 0 } = resource?.spec ?? {};
    const serving = placed.get(id)?.length ?? 0;
    if (!resource || minAvailable === undefined || serving >= minAvailable) return [];
    const [of, have] = [pluralize(replicas, 'replica'), serving === 1 ? 'has' : 'have'];
    const what = `${formatCount(serving)} of ${of} of ${id} ${have} a place, fewer than minAvailable: ${formatCount(minAvailable)}`;
    const hint = "Make room for more replicas, or lower 'minAvailable'";
    return [warningAt('too-few-placed', { resource, path: ['spec', 'minAvailable'] }, what, hint)];
  });
}

/**
 * Finds limits of placement that replicas of the lock do not keep: a cluster or failure domain with more than it now
 * allows, and too few domains.
 */
export function findExceededSpreads(
  { deployments }: Fleet,
  model: CompiledFleet,
  { matcher, placements }: { readonly matcher: PodMatcher; readonly placements: readonly Placement[] },
): Diagnostic<ResourcePath>[] {
  const limited = model.deployments.filter(hasLimits);
  if (limited.length === 0) return [];
  const byId = indexDeploymentsById(deployments);
  const placed = groupByDeployment(placements.filter(({ draining }) => !draining));
  const labels = new Map(model.clusters.map((cluster) => [cluster.name, cluster.labels]));
  return limited.flatMap((deployment) => {
    const resource = byId.get(deployment.id);
    const names = (placed.get(deployment.id) ?? []).map(({ cluster }) => cluster);
    if (!resource) return [];
    const exceeded = listSpreadLimits(deployment, (name, key) => labels.get(name)?.[key]).flatMap(
      ({ field, most, placeOf }) => {
        const full = [...countPlaces(names.map(placeOf))].filter(([, count]) => count > most);
        const more = full.reduce((sum, [, count]) => sum + count - most, 0);
        const hint = adviseSpreading(deployment, more);
        return full.map(([place, count]) => {
          const what = `${place} has ${pluralize(count, 'replica')}, and at most ${most} may be there: the lock keeps them`;
          return warningAt('exceeded-spread', { resource, path: ['spec', 'placement', field] }, what, hint);
        });
      },
    );
    const at = { resource, path: ['spec', 'placement', 'minDomains'] };
    const few = describeFewDomains(deployment, names, { clusters: model.clusters, matcher });
    return [...exceeded, ...(few ? [warningAt('exceeded-spread', at, few.what, few.hint)] : [])];
  });
}

/** How as many replicas as are too many, or as domains are too few, get other places. */
function adviseSpreading({ replicas }: CompiledDeployment, more: number): string {
  const [serve, some] = more === 1 ? ['replica serves', 'a replica'] : ['replicas serve', 'replicas'];
  return `Raise 'replicas' to ${replicas + more}, and lower it to ${replicas} again when the new ${serve}: the lock then drops ${some} where most are`;
}

/**
 * Describes replicas in fewer domains than `minDomains`, although none is missing that could be in another one.
 *
 * @param names the clusters of the replicas
 */
function describeFewDomains(
  deployment: CompiledDeployment,
  names: readonly string[],
  { clusters, matcher }: { readonly clusters: readonly CompiledCluster[]; readonly matcher: PodMatcher },
): Description | undefined {
  const { placement, replicas, demand } = deployment;
  const { domainKey, minDomains = 0 } = placement;
  if (domainKey === undefined || names.length === 0) return undefined;
  const domainsOf = (some: readonly CompiledCluster[]): string[] =>
    sortUnique(some.flatMap(({ labels }) => labels[domainKey] ?? []));
  const used = domainsOf(clusters.filter(({ name }) => names.includes(name)));
  const missing = Math.max(0, replicas - names.length);
  const more = minDomains - used.length - missing;
  if (more <= 0) return undefined;
  const suitable = domainsOf(clusters.filter((cluster) => suits(demand, cluster, matcher)));
  const place = `${pluralize(used.length, 'domain')} (${joinNames(used, MOST_CLUSTERS)})`;
  const what = `the replicas are in ${place}, and must be in ${minDomains}: the lock keeps them`;
  const possible = sortUnique([...used, ...suitable]).length;
  if (possible >= minDomains) return { what, hint: adviseSpreading(deployment, more) };
  const hint = `Only ${pluralize(possible, 'domain')} ${possible === 1 ? 'has a cluster' : 'have clusters'} that can run it: declare such a cluster in another, or lower 'minDomains'`;
  return { what, hint };
}

type LabelLookup = (cluster: string, key: string) => string | undefined;

/** The limits of a deployment, and the place that each counts replicas of a cluster in. */
function listSpreadLimits({ placement }: CompiledDeployment, labelOf: LabelLookup) {
  const { maxPerCluster, domainKey, maxPerDomain } = placement;
  return [
    { field: 'maxPerCluster', most: maxPerCluster, placeOf: (name: string) => `cluster '${name}'` },
    {
      field: 'maxPerDomain',
      most: maxPerDomain,
      placeOf: (name: string) => {
        const domain = domainKey === undefined ? undefined : labelOf(name, domainKey);
        return domain === undefined ? undefined : `domain '${domain}'`;
      },
    },
  ].flatMap(({ most, ...limit }) => (most === undefined ? [] : [{ ...limit, most }]));
}

function countPlaces(places: readonly (string | undefined)[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const place of places) if (place !== undefined) counts.set(place, (counts.get(place) ?? 0) + 1);
  return counts;
}

/**
 * Finds clusters that can never get a replica of a deployment, because they lack the label that it spreads by, although
 * their hardware suits it.
 */
export function findClustersWithoutDomain(
  { deployments }: Fleet,
  { clusters, deployments: compiled }: CompiledFleet,
  matcher: PodMatcher,
): Diagnostic<ResourcePath>[] {
  const byId = indexDeploymentsById(deployments);
  return compiled.flatMap(({ id, demand, placement: { domainKey } }) => {
    const resource = byId.get(id);
    if (!resource || domainKey === undefined) return [];
    const unlabelled = clusters.filter(({ labels }) => !Object.hasOwn(labels, domainKey));
    const names = unlabelled.filter((cluster) => suits(demand, cluster, matcher)).map(({ name }) => name);
    if (names.length === 0) return [];
    const { spreadBy = domainKey } = resource.spec.placement;
    const alias = spreadBy === domainKey ? '' : `, which '${spreadBy}' stands for`;
    const noun = names.length === 1 ? 'cluster' : 'clusters';
    const what = `no replica is placed on ${noun} ${joinNames(names, MOST_CLUSTERS)}, without the label '${domainKey}'${alias}`;
    const hint = `Set the label on the ${noun}, or exclude ${names.length === 1 ? 'it' : 'them'} with clusterSelector`;
    return [warningAt('no-domain-label', { resource, path: ['spec', 'placement', 'spreadBy'] }, what, hint)];
  });
}

const MOST_CLUSTERS = 4;

/** Whether a cluster has the hardware for a replica, whatever storage it declares. */
function suits(demand: ReplicaDemand, cluster: CompiledCluster, matcher: PodMatcher): boolean {
  const reason = rejectNew(demand, cluster);
  if (reason && (reason.filter !== 'cache' || reason.lacks === 'selector')) return false;
  return demand.engines.every((engine) =>
    cluster.pools.some((pool) => !('misfit' in fitEngine(engine, pool, cluster, matcher))),
  );
}
