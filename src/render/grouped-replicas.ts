import { grouping } from '../order';
import type { ComputedReplica } from './replica';

/** The replicas of each deployment as it runs: those of earlier engines apart. */
export const replicasByDeployment = grouping(({ deployment }: ComputedReplica) => deployment);

/** The replicas on each cluster, by its name. */
export const replicasByCluster = grouping(({ cluster }: ComputedReplica) => cluster.metadata.name);
