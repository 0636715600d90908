import type { ReplicaChange } from '../plan/replica-moves';
import { restartsWithNodes } from './serving-during-change';

/** A pool of a cluster whose nodes are recreated. */
interface RecreatedPool {
  readonly cluster: string;
  readonly name: string;
}

/** The replicas that restart with the nodes of a pool, and another time because manifests change their pods. */
export function listRestartingTwice<T extends ReplicaChange>({ cluster, name }: RecreatedPool, all: readonly T[]): T[] {
  return all.filter((one) => {
    const isHere = one.cluster === cluster && Object.values(one.pools).includes(name);
    return isHere && one.action === 'roll' && one.nodes !== undefined && !restartsWithNodes(one);
  });
}

/**
 * Whether nodes are recreated before manifests are applied, for replicas that restart with both. Pods that request less
 * fit on the nodes of before, and those of before may not fit on the new ones.
 */
export function areNodesFirst(twice: readonly ReplicaChange[]): boolean {
  return twice.every(({ requests }) => requests !== 'less');
}
