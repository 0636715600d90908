import type { ReplicaChangeWithCauses } from '../../diff/deployment-diff';

/**
 * Counts the replicas that a change removes from pools which lose nodes, where the nodes that are left hold the others: in
 * a change of their own, they would take no others down.
 */
export function countRemovedToo(changes: readonly ReplicaChangeWithCauses[]): number {
  const lost = changes.filter(({ nodes }) => nodes === 'replace');
  if (!lost.every(({ mayStay }) => mayStay)) return 0;
  const short = new Set(lost.flatMap(listFormerPools));
  return changes.filter((one) => one.action === 'remove' && listFormerPools(one).some((pool) => short.has(pool)))
    .length;
}

function listFormerPools({ from, cluster, pools }: ReplicaChangeWithCauses): string[] {
  const place = from ?? { cluster, pools };
  return Object.values(place.pools).map((pool) => `${place.cluster}/${pool}`);
}
