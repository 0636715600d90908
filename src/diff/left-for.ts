import type { FleetDiff } from './fleet-diff';
import { REMOVING_ACTIONS } from './replica-causes';

/**
 * Where the first of the edits is for which replicas of some deployments leave some clusters. An edit that makes them
 * restart only, such as new nodes for all that stays, comes after those for which they leave. Undefined: none leave, or
 * no edit is the cause.
 */
export function placeOfLeaving(
  { deployments }: Pick<FleetDiff, 'deployments'>,
  ids: readonly string[],
  left: readonly string[],
): string | undefined {
  const leaving = deployments
    .filter(({ deployment }) => ids.includes(deployment))
    .flatMap(({ changes }) => changes)
    .filter(
      ({ action, cluster, from }) => REMOVING_ACTIONS.has(action) && left.includes((from ?? { cluster }).cluster),
    );
  return leaving.flatMap(({ causes }) => causes.slice(0, 1))[0]?.where;
}
