import { countWaiting } from '../scheduler/schedule';
import type { PlacedFleet } from './decision';
import type { DeploymentPlan } from './plan';

/**
 * Adds to shortfalls that are accepted how many of the replicas get a place when draining ones are gone: a rebalance lets
 * them wait, and the lock does not tell that from a shortfall that someone accepted.
 */
export function markWaiting(
  plans: readonly DeploymentPlan[],
  placed: Pick<PlacedFleet, 'model' | 'matcher' | 'schedule' | 'previous'>,
): readonly DeploymentPlan[] {
  if (!plans.some(({ shortfall }) => shortfall?.accepted && shortfall.waiting === undefined)) return plans;
  const { placements, shortfalls } = placed.schedule;
  const missing = new Map(shortfalls.map((one) => [one.deployment, one.missing]));
  const waiting = countWaiting(placed, { placements, missing }, placed.previous.placements);
  return plans.map((plan) => {
    const { shortfall, deployment } = plan;
    const gained = waiting.get(deployment) ?? 0;
    if (!shortfall?.accepted || shortfall.waiting !== undefined || gained <= 0) return plan;
    return { ...plan, shortfall: { ...shortfall, waiting: gained } };
  });
}
