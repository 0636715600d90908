import { compareText } from '../base/order';
import type { CompiledDeployment } from './compiled-fleet';

/** The order in which deployments are placed: by falling priority, then by id. */
export function compareByPriority(a: DeploymentRank, b: DeploymentRank): number {
  return b.priority - a.priority || compareText(a.id, b.id);
}

type DeploymentRank = Pick<CompiledDeployment, 'id' | 'priority'>;
