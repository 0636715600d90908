import './setup-aks';
import { printMessageOnly } from './runtime/run-error';

export { type AksPlan, aksPlan } from '../src/provision/aks/plan';
export type { Cloud, CloudOptions, CloudProblem } from './cloud/cloud';
export { aks, type AksOptions } from './aks/cloud';
export { AksCluster, type AksClusterArgs, type AksTransform } from './aks/cluster';
export type { AksCacheIdentity } from './aks/cache-identities';
export type { AksFoundation, AksFoundationTransform } from './aks/foundation';
export type { AksLustre, AksLustreTransform } from './aks/lustre';
export type { AzureArgs } from './aks/azure-args';

printMessageOnly();
