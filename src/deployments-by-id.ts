import type { ModelDeployment } from './api/model-deployment';
import { qualifiedName } from './api/resource';

/** The deployments of a fleet by `namespace/name`. A list never changes once it is made: each is read once. */
export function deploymentsById(
  deployments: readonly ModelDeployment[],
): ReadonlyMap<string, ModelDeployment> {
  let known = BY_ID.get(deployments);
  if (!known) BY_ID.set(deployments, (known = new Map(deployments.map((one) => [qualifiedName(one), one]))));
  return known;
}

const BY_ID = new WeakMap<readonly ModelDeployment[], ReadonlyMap<string, ModelDeployment>>();
