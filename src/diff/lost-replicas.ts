import type { Plan } from '../plan/plan';
import type { FleetDiff } from './fleet-diff';

/**
 * Counts the replicas that lose their place because their cluster is declared lost, where that is accepted, by
 * deployment: nothing else asks for room for them.
 */
export function countAcceptedLost(
  { deployments }: Pick<FleetDiff, 'deployments'>,
  plan: Pick<Plan, 'deployments'>,
): Map<string, number> {
  const accepted = new Set(plan.deployments.flatMap((one) => (one.shortfall?.accepted ? [one.deployment] : [])));
  return new Map(
    deployments.flatMap(({ deployment, changes }) => {
      const lost = changes.filter(({ action }) => action === 'lost').length;
      return lost > 0 && accepted.has(deployment) ? [[deployment, lost] as const] : [];
    }),
  );
}
