import type { Locate } from '../api/locate';
import { FleetwrightError } from '../errors';
import type { Fleet } from '../fleet';
import { type Resolved, resolveRouting } from '../routing/resolve';
import type { RoutedReplica } from '../routing/units';

/**
 * How requests reach what is placed.
 *
 * @throws FleetwrightError with everything that is wrong with routes
 */
export function soundRouting(fleet: Fleet, replicas: readonly RoutedReplica[], locate: Locate): Resolved {
  const resolved = resolveRouting(fleet, replicas);
  const problems = resolved.problems.map(({ resource, path, ...problem }) => {
    return { ...problem, where: locate(resource, path) };
  });
  if (problems.length > 0) throw new FleetwrightError(problems);
  return resolved;
}
