import { type Diagnostic, warningAt } from '../base/diagnostic';
import { pluralize } from '../base/text';
import { type Fleet, indexDeploymentsById } from '../fleet/fleet';
import type { FleetDiff } from './fleet-diff';

/**
 * Finds deployments of which too few replicas serve where each cluster has its own waves, although enough serve where
 * the waves of all clusters follow each other.
 */
export function findIndependentOutages({ deployments }: FleetDiff, fleet: Fleet, at: string): Diagnostic[] {
  const declared = indexDeploymentsById(fleet.deployments);
  return deployments.flatMap(({ deployment, serving, changes }) => {
    const { before, after, withWaves, perCluster, recreate } = serving;
    const { minAvailable = 0 } = declared.get(deployment)?.spec ?? {};
    const needed = Math.min(before, Math.max(1, minAvailable));
    if (after === 0 || recreate || withWaves < needed || perCluster >= needed) return [];
    const limit = minAvailable > 0 ? `, fewer than minAvailable: ${minAvailable}` : '';
    const what = `${pluralize(perCluster, 'replica')} of ${deployment} ${perCluster === 1 ? 'serves' : 'serve'} if clusters are applied independently, as with Argo CD${limit}`;
    const hint = "Apply one cluster after the other, or set 'rollout.surge: 1'";
    return [warningAt('independent-clusters', changes.flatMap(({ causes }) => causes)[0]?.where ?? at, what, hint)];
  });
}
