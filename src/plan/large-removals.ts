import { countRemoved, findLargeRemoval, type LargeRemoval } from '../scheduler/lock/removals';
import type { Placement } from '../scheduler/placement';
import type { EvictionReason } from '../scheduler/schedule-result';
import { isBlocking } from './apply-blockers';
import type { DeploymentPlan, Plan } from './plan';

/**
 * Finds a large removal that only a guard refuses. What is removed only because replicas have no room any more is none:
 * the plan refuses that as a shortfall, with the reason, until it is accepted.
 */
export function findUnrefusedRemoval(
  before: readonly Placement[],
  after: readonly Placement[],
  plan: Pick<Plan, 'deployments'>,
): LargeRemoval | undefined {
  const removal = findLargeRemoval(before, after);
  return removal && isForLackOfRoom(before, after, plan) ? undefined : removal;
}

/** Whether all that is removed is still declared, and has no place because there is no room. */
export function isForLackOfRoom(
  before: readonly Placement[],
  after: readonly Placement[],
  { deployments }: Pick<Plan, 'deployments'>,
): boolean {
  const evicted = new Map(deployments.map((one) => [one.deployment, countEvictedForRoom(one)]));
  return [...countRemoved(before, after)].every(([id, removed]) => removed <= (evicted.get(id) ?? 0));
}

function countEvictedForRoom({ shortfall, changes }: DeploymentPlan): number {
  if (!isBlocking(shortfall)) return 0;
  return changes.filter((one) => one.action === 'remove' && lacksRoom(one.reason)).length;
}

/** Whether a replica does not fit where it was. What declarations leave out has other reasons. */
function lacksRoom({ kind }: EvictionReason): boolean {
  return kind === 'rejected' || kind === 'shape';
}
