import './setup-gke';
import { printMessageOnly } from './runtime/run-error';

export { type GkePlan, gkePlan } from '../src/provision/gke/plan';
export type { Cloud, CloudOptions, CloudProblem } from './cloud/cloud';
export { gke, type GkeOptions } from './gke/cloud';
export { GkeCluster, type GkeClusterArgs, type GkeTransform } from './gke/cluster';
export type { FoundationTransform, GkeFoundation } from './gke/foundation';

printMessageOnly();
