import { type Resource, resourceIdOf } from '../api/kinds';
import type { ModelDeployment } from '../api/model-deployment';
import { expandModels } from '../engine/expand/expand-models';
import { assemble, type Fleet } from '../fleet/fleet';
import type { FleetState } from './fleet-state';

/** Lists the declarations that decide what the pods of a deployment on a cluster are, and whether they may run there. */
export function listNeeded(
  { resources, decision }: FleetState,
  deployment: ModelDeployment,
  cluster: string,
): readonly Resource[] {
  const { namespace } = deployment.metadata;
  const pools = decision.fleet.clusters.find(({ metadata }) => metadata.name === cluster)?.spec.nodePools ?? [];
  const ids = new Set([
    resourceIdOf(deployment),
    `InferenceCluster ${cluster}`,
    ...pools.map(({ className }) => `InferenceClass ${className}`),
  ]);
  const isNeeded = (one: Resource): boolean =>
    one.kind === 'Fleet' || (one.kind === 'ModelCache' && one.metadata.namespace === namespace);
  return resources.filter((one) => isNeeded(one) || ids.has(resourceIdOf(one)));
}

/** Puts an edited declaration in the place of the earlier one. */
export function replaceResource(resources: readonly Resource[], edited: Resource): readonly Resource[] {
  const id = resourceIdOf(edited);
  return resources.map((one) => (resourceIdOf(one) === id ? edited : one));
}

/** The fleet that declarations make with what is known of the earlier one. Undefined: a model has errors. */
export function assembleTried({ decision }: FleetState, resources: readonly Resource[]): Fleet | undefined {
  const { fleet: earlier, previous } = decision;
  const assembled = { ...assemble(resources, earlier.hardware), ...(earlier.models && { models: earlier.models }) };
  const fleet = expandModels(assembled, { layouts: previous.layouts });
  return fleet.modelFaults ? undefined : fleet;
}
