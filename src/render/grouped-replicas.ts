import { grouping } from '../order';
import type { ComputedReplica } from './replica';

/** The replicas of each deployment as it runs: those of earlier engines apart. */
export const replicasByDeployment = grouping(({ deployment }: ComputedReplica) => deployment);
