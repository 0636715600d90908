import type { DeploymentPlan } from './plan';

/**
 * Deployments to which something happens, and those that have replicas without a place. Replicas that stay are left out:
 * the lock has them.
 */
export function changedDeployments(deployments: readonly DeploymentPlan[]): DeploymentPlan[] {
  return deployments.filter(isChanged).map((one) => {
    const { staying: _, ...rest } = one;
    return rest;
  });
}

/** Whether something happens to a deployment, or it lacks a place. */
export function isChanged({ changes, shortfall }: DeploymentPlan): boolean {
  return changes.length > 0 || shortfall !== undefined;
}
