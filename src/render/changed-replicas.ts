import type { ModelDeployment } from '../api/model-deployment';
import { memoWeak, type WeakTable } from '../memo';
import { replicasByDeployment } from './grouped-replicas';
import type { ComputedReplica } from './replica';

/** A deployment, and all its replicas in one of two states. */
export type ChangedReplicas = readonly [ModelDeployment, readonly ComputedReplica[]];

/**
 * The deployments of a state of which another does not have the very same replicas: a replica that was decided beside
 * the other is the same object where both have it. Found once for two states, however many ask.
 */
export function changedReplicas(
  own: readonly ComputedReplica[],
  others: readonly ComputedReplica[],
): readonly ChangedReplicas[] {
  return memoWeak(CHANGED, own, others, () => {
    const theirs = replicasByDeployment(others);
    return [...replicasByDeployment(own)].filter(([deployment, replicas]) => {
      const same = theirs.get(deployment);
      return replicas.length !== same?.length || !replicas.every((one, i) => one === same[i]);
    });
  });
}

const CHANGED: WeakTable<readonly ComputedReplica[], readonly ComputedReplica[], readonly ChangedReplicas[]> =
  new WeakMap();
