import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
import { formatCount } from '../base/figures';
import { groupBy } from '../base/order';
import type { PlacedFleet } from '../plan/decision';
import { hasLocalClients, listRoutedDeployments } from '../routing/routed-deployments';
import { groupByDeployment, type Placement } from '../scheduler/placement';

interface PlacedStates {
  readonly before: Pick<PlacedFleet, 'schedule'>;
  readonly after: Pick<PlacedFleet, 'routing' | 'schedule'>;
}

/**
 * Finds clusters on which a deployment keeps one replica of several, which no PodDisruptionBudget protects, while others
 * are elsewhere: clients that reach only the replicas of their own cluster get no answer as it restarts.
 */
export function findSingleReplicas(deployment: ModelDeployment, { before, after }: PlacedStates): string[] {
  const id = qualifiedNameOf(deployment);
  const isSingle = deployment.spec.template.spec.engines.every(({ copies }) => copies === 1);
  if (!isSingle || !hasLocalClients(deployment, listRoutedDeployments(after.routing))) return [];
  const [was, is] = [before, after].map(({ schedule }) => {
    const own = groupByDeployment(schedule.placements).get(id) ?? [];
    return groupBy(own.filter(stays), ({ cluster }) => cluster);
  });
  if (!is || is.size < 2) return [];
  return [...is].flatMap(([cluster, { length }]) => {
    const old = was?.get(cluster)?.length ?? 0;
    if (length !== 1 || old < 2) return [];
    return [
      `${id} has 1 replica on ${cluster} instead of ${formatCount(old)}, without a PodDisruptionBudget: a drain of its node stops it, and clients on ${cluster} get no answer until it serves again`,
    ];
  });
}

function stays({ draining }: Placement): boolean {
  return draining !== true;
}
