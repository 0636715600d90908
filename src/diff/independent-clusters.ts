import { type Diagnostic, warningAt } from '../base/diagnostic';
import { pluralize } from '../base/text';
import { type Fleet, indexDeploymentsById } from '../fleet/fleet';
import type { FleetDiff } from './fleet-diff';
import type { RolloutRoom } from './rollout-room';
import { neededOf } from './serving-during-change';

/**
 * Finds deployments of which too few replicas serve where each cluster has its own waves, although enough serve where
 * the waves of all clusters follow each other.
 */
export function findIndependentOutages({ deployments }: FleetDiff, fleet: Fleet, at: string): Diagnostic[] {
  const declared = indexDeploymentsById(fleet.deployments);
  return deployments.flatMap(({ deployment, serving, changes, room }) => {
    const { before, after, withWaves, perCluster, recreate } = serving;
    const { minAvailable = 0 } = declared.get(deployment)?.spec ?? {};
    const needed = Math.min(before, neededOf({ minAvailable }));
    if (after === 0 || recreate || withWaves < needed || perCluster >= needed) return [];
    const limit = minAvailable > 0 ? `, fewer than minAvailable: ${minAvailable}` : '';
    const what = `${pluralize(perCluster, 'replica')} of ${deployment} ${perCluster === 1 ? 'serves' : 'serve'} if clusters are applied independently, as with Argo CD${limit}`;
    const hint = `Apply one cluster after the other${describeSurge(room)}`;
    return [warningAt('independent-clusters', changes.flatMap(({ causes }) => causes)[0]?.where ?? at, what, hint)];
  });
}

/** `, or set 'rollout.surge: 1', for which there is room`. Empty where it lacks nodes: to apply in order needs none. */
function describeSurge(room: RolloutRoom | undefined): string {
  if (room && room.missing.length > 0) return '';
  return `, or set 'rollout.surge: 1'${room ? ', for which there is room' : ' if there is room for it'}`;
}
