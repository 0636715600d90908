import type { ResourcePath } from '../../api/kinds';
import { type Diagnostic, warningAt } from '../../base/diagnostic';
import { pluralize } from '../../base/text';
import { type Fleet, indexDeploymentsById } from '../../fleet/fleet';
import type { CompiledDeployment, CompiledFleet } from '../../scheduler/compiled-fleet';
import { groupByDeployment, type Placement } from '../../scheduler/placement';
import type { Shortfall } from '../../scheduler/schedule-result';
import { hasLimits } from '../../scheduler/topology-spread';

/** Finds deployments whose search for places ended at its limit, so that what is missing may still fit. */
export function findLimitedSearches(
  { deployments }: Fleet,
  shortfalls: readonly Shortfall[],
): Diagnostic<ResourcePath>[] {
  const searches = shortfalls.filter(({ limited, limitedMoves }) => limited || limitedMoves);
  if (searches.length === 0) return [];
  const byId = indexDeploymentsById(deployments);
  return searches.flatMap(({ deployment, missing, limited }) => {
    const resource = byId.get(deployment);
    if (!resource) return [];
    const { sought, hint } = limited ? FOR_PLACES : FOR_MOVES;
    const what = `the search for ${sought} for ${pluralize(missing, 'missing replica')} ended at its limit of steps, so that there may be a place`;
    return [warningAt('search-limit', { resource, path: ['spec', 'replicas'] }, what, hint)];
  });
}

const FOR_PLACES = {
  sought: 'a place',
  hint: "Give a deployment that can run on few clusters a higher 'priority', so that it is placed before the others, or narrow the 'clusterSelector' of the others",
};

const FOR_MOVES = {
  sought: 'moves of locked replicas that make room',
  hint: "Name a deployment that can move: 'fleetwright plan DIR --rebalance NAMESPACE/NAME' looks at its replicas alone",
};

/** Finds clusters and failure domains with more replicas of the lock than a limit that was lowered now allows. */
export function findExceededSpreads(
  { deployments }: Fleet,
  { clusters, deployments: compiled }: CompiledFleet,
  placements: readonly Placement[],
): Diagnostic<ResourcePath>[] {
  const limited = compiled.filter(hasLimits);
  if (limited.length === 0) return [];
  const byId = indexDeploymentsById(deployments);
  const placed = groupByDeployment(placements.filter(({ draining }) => !draining));
  const labels = new Map(clusters.map((cluster) => [cluster.name, cluster.labels]));
  return limited.flatMap((deployment) => {
    const resource = byId.get(deployment.id);
    const names = (placed.get(deployment.id) ?? []).map(({ cluster }) => cluster);
    if (!resource) return [];
    return listSpreadLimits(deployment, (name, key) => labels.get(name)?.[key]).flatMap(({ field, most, placeOf }) =>
      [...countPlaces(names.map(placeOf))].flatMap(([place, count]) => {
        if (count <= most) return [];
        const what = `${place} has ${pluralize(count, 'replica')}, and at most ${most} may be there: the lock keeps them`;
        return [warningAt('exceeded-spread', { resource, path: ['spec', 'placement', field] }, what, SPREAD_HINT)];
      }),
    );
  });
}

const SPREAD_HINT =
  "Raise 'replicas' by the surplus, and lower it again when the new replicas serve: the lock then drops replicas where most are";

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
