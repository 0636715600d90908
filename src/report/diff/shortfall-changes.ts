import type { FleetDiff } from '../../diff/fleet-diff';
import type { DeploymentPlan, Plan, ShortfallPlan } from '../../plan/plan';

/** The plan of a deployment of which replicas have no place. */
export type ShortDeployment = DeploymentPlan & { readonly shortfall: ShortfallPlan };

/**
 * Lists the deployments of which replicas have no place, as far as a change is about them: where that is not accepted,
 * and where the change is of the deployment itself.
 */
export function listShortDeployments({ deployments }: Pick<Plan, 'deployments'>, diff: FleetDiff): ShortDeployment[] {
  const changed = new Set([
    ...diff.declarations.map(({ id }) => id),
    ...diff.deployments.map(({ deployment }) => `ModelDeployment ${deployment}`),
  ]);
  return deployments.filter((plan): plan is ShortDeployment => {
    const { shortfall, deployment } = plan;
    return shortfall !== undefined && (!shortfall.accepted || changed.has(`ModelDeployment ${deployment}`));
  });
}
