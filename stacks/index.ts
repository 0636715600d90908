import './setup';

import { printMessageOnly } from './run-error';

export type { Diagnostic } from '../src/base/diagnostic';
export { FleetwrightError } from '../src/base/errors';
export type { RetainedObject } from '../src/manifest/kubernetes/retained-objects';
export type { Release, Values } from '../src/provision/releases/release';
export { type DeclaredPool, listDeclaredPools } from '../src/provision/declared-pools';
export { releasesOf } from '../src/provision/releases/cluster-releases';
export { servingObjects } from '../src/provision/releases/objects-without-chart';
export type { ChartSource } from './chart-source';
export type { Cloud, CloudOptions, CloudProblem } from './cloud';
export { cloudContract, type CloudRule } from './cloud-contract';
export type { Cluster } from './cluster';
export type { ProviderTransform } from './cluster-provider';
export { ClusterWorkloads, type ClusterWorkloadsArgs } from './cluster-workloads';
export { ExistingCluster, type ExistingClusterArgs } from './existing-cluster';
export type { FleetSource } from './fleet-source';
export { type ClusterOutputs, FleetStack } from './fleet-stack';
export type { FleetStackArgs, FleetTransform } from './fleet-stack-args';
export type { DeclaredCluster } from './precheck';
export type { StackSource } from './fleet-stack-args';
export type { ClusterSources } from './resolve-clusters';
export { InstalledRelease, type InstalledReleaseArgs } from './installed-release';
export type { ClusterResourceOptions } from './cluster';
export type { ObjectArgs, WorkloadsTransform } from './kubernetes-objects';
export { ServingStack, type ServingStackArgs, type ServingTransform } from './serving-stack';

printMessageOnly();
