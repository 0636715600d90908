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
  const limited = shortfalls.filter((shortfall) => shortfall.limited);
  if (limited.length === 0) return [];
  const byId = indexDeploymentsById(deployments);
  return limited.flatMap(({ deployment, missing }) => {
    const resource = byId.get(deployment);
    if (!resource) return [];
    const what = `the search for a place for ${pluralize(missing, 'missing replica')} ended at its limit of steps, so that there may be a place`;
    return [warningAt('search-limit', { resource, path: ['spec', 'replicas'] }, what, LIMIT_HINT)];
  });
}

const LIMIT_HINT =
  "Give a deployment that can run on few clusters a higher 'priority', so that it is placed before the others, or narrow the 'clusterSelector' of the others";
