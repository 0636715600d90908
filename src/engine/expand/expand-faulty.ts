import type { ModelDeployment } from '../../api/model-deployment';
import { qualifiedNameOf } from '../../api/resource';
import type { Fleet } from '../../fleet/fleet';
import type { LayoutsByDeployment, ModelExpansion } from '../../fleet/models/model-layouts';
import { expandLayouts } from './expand-models';
import { findContradictions } from './find-contradictions';

/** Deployments next to a fleet, which has no replicas of theirs. */
export type FaultyDeployments = Pick<Fleet, 'deployments' | 'caches' | 'expansions'>;

/**
 * Expands the models of deployments with errors to the engines of the layouts that the lock has, so that it is known
 * what their replicas take. Without such layouts, it is not known.
 */
export function expandFaulty(
  fleet: Fleet,
  faulty: readonly ModelDeployment[],
  layouts: LayoutsByDeployment = new Map(),
): FaultyDeployments {
  const expansions = new Map<string, ModelExpansion>();
  const deployments = faulty.flatMap((deployment) => {
    if (!deployment.spec.model) return [deployment];
    const id = qualifiedNameOf(deployment);
    const chosen = layouts.get(id);
    if (!chosen || [...findContradictions(deployment)].length > 0) return [];
    const expansion = expandLayouts(deployment, chosen, fleet);
    expansions.set(id, expansion);
    return [expansion.variants[0].deployment];
  });
  const caches = [...fleet.caches, ...[...expansions.values()].flatMap(({ cache }) => cache ?? [])];
  return { deployments, caches, expansions };
}
