import './setup';

import { printMessageOnly } from './runtime/run-error';
import { makeMissingSecretsUnknown } from './runtime/unknown-secrets';

export type { Diagnostic } from '../src/base/diagnostic';
export { FleetwrightError } from '../src/base/errors';
export type { RetainedObject } from '../src/manifest/kubernetes/retained-objects';
export type { Release, Values } from '../src/provision/releases/release';
export { type DeclaredPool, listDeclaredPools } from '../src/provision/declared-pools';
export { releasesOf } from '../src/provision/releases/cluster-releases';
export { servingObjects } from '../src/provision/releases/objects-without-chart';
export type { ChartSource } from './fleet/chart-source';
export type { Cloud, CloudOptions, CloudProblem } from './cloud/cloud';
export { cloudContract, type CloudRule } from './cloud/cloud-contract';
export type { Cluster } from './cloud/cluster';
export type { ProviderTransform } from './cloud/cluster-provider';
export { ClusterWorkloads, type ClusterWorkloadsArgs } from './workloads/cluster-workloads';
export { ExistingCluster, type ExistingClusterArgs } from './cloud/existing-cluster';
export type { FleetSource } from './fleet/fleet-source';
export { type ClusterOutputs, FleetStack } from './fleet/fleet-stack';
export type { FleetStackArgs, FleetTransform } from './fleet/fleet-stack-args';
export type { DeclaredCluster } from './checks/precheck';
export type { StackSource } from './fleet/fleet-stack-args';
export type { ClusterSources } from './fleet/resolve-clusters';
export { InstalledRelease, type InstalledReleaseArgs } from './workloads/installed-release';
export type { ClusterResourceOptions } from './cloud/cluster';
export type { ObjectArgs, WorkloadsTransform } from './workloads/kubernetes-objects';
export { ServingStack, type ServingStackArgs, type ServingTransform } from './workloads/serving-stack';

printMessageOnly();
makeMissingSecretsUnknown(process.env);
