import { compareText } from '../base/order';
import type { CompiledDeployment } from './compiled-fleet';

/**
 * The order in which deployments are placed: by falling priority, then by id, `namespace/name`. A deployment takes room
 * before all that come later. Neither its size nor the order of files matters, so that a new deployment of the same
 * priority does not change which of two others comes first.
 */
export function compareByPriority(a: DeploymentRank, b: DeploymentRank): number {
  return b.priority - a.priority || compareText(a.id, b.id);
}

type DeploymentRank = Pick<CompiledDeployment, 'id' | 'priority'>;
