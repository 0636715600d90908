import { compareText, groupBy } from '../order';
import type { Workload } from './model';
import type { Placed, State } from './state';
import { untolerated } from './tolerate';

/**
 * Drops the replicas that a deployment has beyond what it asks for: first from clusters that take no new ones
 * (an untolerated `NoSchedule` taint), then from the cluster with the most of them, the highest index first.
 */
export function scaleDown(state: State, workload: Workload): void {
  if (workload.paused) return;
  for (let surplus = state.staying(workload).length - workload.replicas; surplus > 0; surplus--) {
    const placed = state
      .staying(workload)
      .filter(({ placement }) => !state.sites.get(placement.cluster)?.paused);
    const own = groupBy(placed, ({ placement }) => placement.cluster);
    const rank = ({ placement: { cluster } }: Placed): number[] => [
      closed(state, workload, cluster) ? 1 : 0,
      own.get(cluster)?.length ?? 0,
    ];
    const [first] = [...placed].sort((a, b) => descending(rank(a), rank(b)) || lastFirst(a, b));
    if (first) state.drop(first, { kind: 'scaled-down' });
  }
}

function closed(state: State, { demand }: Workload, cluster: string): boolean {
  const taints = state.sites.get(cluster)?.taints ?? [];
  return untolerated(taints, demand.tolerations) !== undefined;
}

function descending(a: readonly number[], b: readonly number[]): number {
  return b.map((value, i) => value - (a[i] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

function lastFirst({ placement: a }: Placed, { placement: b }: Placed): number {
  return compareText(b.cluster, a.cluster) || b.index - a.index;
}
