import type { ModelDeployment } from '../api/model-deployment';
import type { ModelService } from '../api/model-service';
import { qualifiedNameOf } from '../api/resource';
import { sortUnique } from '../base/order';
import { indexDeploymentsById } from '../fleet/fleet';
import type { PlacedFleet } from '../plan/decision';
import { servedNamesOf } from '../routing/served-models';
import type { FleetDiff } from './fleet-diff';
import type { UnansweredModel } from './unanswered-models';

/** A part of the requests of a service for a model that reaches engines without it. */
export interface RequestsFailFinding extends Omit<UnansweredModel, 'service' | 'deployments'> {
  readonly kind: 'requests-fail';
  readonly service: ModelService;

  /** Those that do not serve the model. Never empty. */
  readonly deployments: readonly ModelDeployment[];

  /** The names that they serve, the first of each. Sorted, without those that are unknown. */
  readonly names: readonly string[];

  /** Whether all of them served it before. */
  readonly served: boolean;
}

/**
 * Lists the requests that fail because engines no longer serve their model.
 *
 * @param reported the models of which another finding says that they are gone: `ml/chat sql`
 */
export function listFailingRequests(
  { unanswered = [] }: FleetDiff,
  { after }: { readonly after: PlacedFleet },
  reported: ReadonlySet<string>,
): RequestsFailFinding[] {
  const services = new Map(after.fleet.services.map((one) => [qualifiedNameOf(one), one]));
  const deployments = indexDeploymentsById(after.fleet.deployments);
  return unanswered.flatMap(({ service: id, deployments: lacking, ...one }): RequestsFailFinding[] => {
    const service = services.get(id);
    const isReported = (subject: string): boolean => reported.has(`${subject} ${one.model}`);
    if (!service || isReported(id) || lacking.every(({ deployment }) => isReported(deployment))) return [];
    const found = lacking.flatMap(({ deployment }) => deployments.get(deployment) ?? []);
    const served = lacking.every((each) => each.served);
    const names = sortUnique(found.flatMap((each) => servedNamesOf(each, after.fleet.caches).names.slice(0, 1)));
    return [{ kind: 'requests-fail', ...one, service, deployments: found, names, served }];
  });
}
