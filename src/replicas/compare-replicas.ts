import { createCachedGroupBy } from '../base/order';
import type { ComputedReplica } from './replica';

/** Groups replicas by the deployment that they run: those of earlier engines have their own. */
export const groupReplicasByDeployment = createCachedGroupBy(({ deployment }: ComputedReplica) => deployment);
