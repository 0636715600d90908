import type { ResourcePath } from '../../api/kinds';
import { type Diagnostic, warningAt } from '../../base/diagnostic';
import { pluralize } from '../../base/text';
import { type Fleet, indexDeploymentsById } from '../../fleet/fleet';
import type { Shortfall } from '../../scheduler/schedule-result';

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
