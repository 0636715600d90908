export { FleetwrightError, type Problem } from '../src/errors';
export type { Release, Values } from '../src/provision/releases/release';
export { releasesOf } from '../src/provision/releases/releases-of';
export type { Cluster } from './cluster';
export { ClusterWorkloads, type ClusterWorkloadsArgs } from './cluster-workloads';
export { ExistingCluster, type ExistingClusterArgs } from './existing-cluster';
export { ServingStack, type ServingStackArgs } from './serving-stack';
