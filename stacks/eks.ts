import './setup-eks';
import { printMessageOnly } from './runtime/run-error';

export { type EksPlan, eksPlan } from '../src/provision/eks/plan';
export type { TemplateRefs } from '../src/provision/eks/node-pool';
export type { Cloud, CloudOptions, CloudProblem } from './cloud/cloud';
export { eks, type EksOptions } from './eks/cloud';
export { EksCluster, type EksClusterArgs, type EksTransform } from './eks/cluster';
export type { EksNetwork, NetworkTransform } from './eks/network';
export type { PoolTransform } from './eks/pools';
export type { EksRoles } from './eks/iam';
export type { EksFiles, StorageTransform } from './eks/storage';

printMessageOnly();
