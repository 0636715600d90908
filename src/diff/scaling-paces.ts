import { isAutoscaled } from '../api/engine-copies';
import { resourceIdOf } from '../api/kinds';
import { qualifiedNameOf } from '../api/resource';
import type { PlacedFleet } from '../plan/decision';
import { findPace, type Pace } from '../plan/scaling-notes';
import { groupReplicasByDeployment } from '../replicas/replica';
import type { CopiesChange } from './copies-changes';
import type { DeclarationChange } from './declaration-changes';

/** How fast an autoscaler adds copies of an engine whose scaling is new or changed, where a default decides that. */
export interface ScalingPace extends Pace {
  /** `namespace/name`. */
  readonly deployment: string;

  /** Absent: the deployment has one engine. */
  readonly engine?: string;
}

/** Finds the pace of engines whose scaling is new or changed: of new deployments, and of those whose copies change. */
export function findScalingPaces(
  declarations: readonly DeclarationChange[],
  copies: readonly CopiesChange[],
  { fleet, replicas }: Pick<PlacedFleet, 'fleet' | 'replicas'>,
): ScalingPace[] {
  const added = new Set(declarations.flatMap(({ id, action }) => (action === 'added' ? [id] : [])));
  const changed = new Map(copies.map(({ deployment, engines }) => [deployment, engines.map(({ engine }) => engine)]));
  if (changed.size === 0 && ![...added].some((id) => id.startsWith('ModelDeployment '))) return [];
  return [...groupReplicasByDeployment(replicas)].flatMap(([resource, group]) => {
    const deployment = qualifiedNameOf(resource);
    const isNew = added.has(resourceIdOf(resource));
    const engines = resource.spec.template.spec.engines;
    return engines.flatMap((engine) => {
      const isConcerned = isAutoscaled(engine) && (isNew || changed.get(deployment)?.includes(engine.name));
      const pace = isConcerned ? findPace(engine, group, fleet.models) : undefined;
      return pace ? [{ deployment, ...(engines.length > 1 && { engine: engine.name }), ...pace }] : [];
    });
  });
}
